package numeric_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func TestOutvoted(t *testing.T) {
	for _, c := range []struct {
		results []float64
		want    []int
	}{
		{nil, nil}, {[]float64{1}, nil}, {[]float64{1, 1, 1}, nil}, {[]float64{1, 2}, nil}, {[]float64{1, 2, 1}, []int{1}},
		{[]float64{1, 2, 1, 2, 1}, []int{1, 3}}, {[]float64{1, 1, 2, 2}, nil}, {[]float64{3, 1, 1.4, 1.8}, []int{0}}, // a chain
	} {
		got := numeric.Outvoted(len(c.results), func(i, j int) bool { return math.Abs(c.results[i]-c.results[j]) < 0.5 })
		testenv.Equal(t, got, c.want, "of %v", c.results)
	}
}
