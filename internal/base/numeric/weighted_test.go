package numeric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestWeights checks that nil weights are equivalent to weights of one.
func TestWeights(t *testing.T) {
	values, weights := []float64{1, 2, 6}, []float64{1, 0.5, 2.5}
	testenv.Equal(t, WeightSum(weights, 3), 4, "sum")
	testenv.Equal(t, WeightedMean(values, weights), 17.0/4, "mean")
	if got := EachWeight(weights, 3); &got[0] != &weights[0] {
		t.Error("weights were copied")
	}
	ones := EachWeight(nil, 3)
	if !slices.Equal(ones, []float64{1, 1, 1}) || WeightAt(nil, 2) != 1 || WeightAt(weights, 2) != 2.5 {
		t.Errorf("nil weights are %v", ones)
	}
	if WeightSum(nil, 3) != WeightSum(ones, 3) || WeightedMean(values, nil) != WeightedMean(values, ones) {
		t.Error("nil weights differ from weights of one")
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}, {[]float64{7}, 7},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64}, {[]float64{-math.MaxFloat64, math.MaxFloat64}, 0},
	} {
		testenv.Equal(t, Median(c.values), c.want, "the median of %v", c.values)
	}
}

func TestSortedByHand(t *testing.T) {
	for _, c := range []struct{ values, weights, want []float64 }{
		{nil, nil, nil},
		{[]float64{3, 1, 2}, nil, []float64{1, 2, 3}},
		{[]float64{3, 1, 2}, []float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}},
		{[]float64{3, 1, 2, 4}, []float64{1, 1, 5, 1}, []float64{1, 2, 2, 4}},
		{[]float64{5, 7}, []float64{1e-20, 1}, []float64{5, 7}},
		{[]float64{5, 7}, []float64{1, 1e-20}, []float64{5, 7}},
		{[]float64{9}, []float64{4}, []float64{9}},
	} {
		testenv.Equal(t, SortedByValue(c.values, c.weights), c.want, "%v with weights %v", c.values, c.weights)
	}
}

// TestSortedIsRepetition checks that integer weights are equivalent to repetitions, up to
// the resolution of n values: value k is among the repeated values of rank up to k/n.
func TestSortedIsRepetition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	values, weights := make([]float64, 100), make([]float64, 100)
	var repeated []float64
	for i := range values {
		values[i], weights[i] = rng.NormFloat64(), float64(1+rng.IntN(5))
		repeated = append(repeated, slices.Repeat(values[i:i+1], int(weights[i]))...)
	}
	slices.Sort(repeated)
	got := SortedByValue(values, weights)
	for k, v := range got[1:] {
		testenv.Equal(t, v, repeated[((k+2)*len(repeated)+99)/100-1], "value %d", k+2)
	}
}
