package weighted

import (
	"math"
	"slices"
	"testing"
)

// TestWeights checks that nil weights are equivalent to weights of one.
func TestWeights(t *testing.T) {
	values, weights := []float64{1, 2, 6}, []float64{1, 0.5, 2.5}
	if got := Sum(weights, 3); got != 4 {
		t.Errorf("sum %v, want 4", got)
	}
	if got, want := Mean(values, weights), 17.0/4; got != want {
		t.Errorf("mean %v, want %v", got, want)
	}
	if got := Each(weights, 3); &got[0] != &weights[0] {
		t.Error("weights were copied")
	}
	ones := Each(nil, 3)
	if !slices.Equal(ones, []float64{1, 1, 1}) || At(nil, 2) != 1 || At(weights, 2) != 2.5 {
		t.Errorf("nil weights are %v", ones)
	}
	if Sum(nil, 3) != Sum(ones, 3) || Mean(values, nil) != Mean(values, ones) {
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
		if got := Median(c.values); got != c.want {
			t.Errorf("the median of %v is %v, want %v", c.values, got, c.want)
		}
	}
}
