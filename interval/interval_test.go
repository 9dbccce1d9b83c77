package interval_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/interval"
)

func TestInterval(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		interval *interval.Interval
		text     string
		in, out  []float64
	}{
		{interval.From(1), "at least 1", []float64{1, 2, 1e300}, []float64{0.5, inf}},
		{interval.Above(0), "above 0", []float64{1e-300}, []float64{0, -1, inf}},
		{interval.From(0).Below(1), "at least 0 and below 1", []float64{0, 0.5}, []float64{1, -1e-9}},
		{interval.Above(0).To(1), "above 0 and at most 1", []float64{1}, []float64{0, 1.5}},
		{interval.From(0).To(1).Positive(), "above 0 and at most 1", []float64{1}, []float64{0}},
		{interval.From(2).Positive(), "at least 2", []float64{2}, []float64{1}},
	} {
		testenv.Equal(t, c.interval.String(), c.text)
		for _, v := range c.in {
			if !c.interval.Has(v) {
				t.Errorf("%v is %s", v, c.text)
			}
		}
		for _, v := range append(c.out, math.NaN(), -inf) {
			if c.interval.Has(v) {
				t.Errorf("%v is not %s", v, c.text)
			}
		}
	}
	if !(*interval.Interval)(nil).Has(math.NaN()) {
		t.Error("nil does not contain every number")
	}
}
