package weighted

import (
	"math/rand/v2"
	"slices"
	"testing"
)

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
		if got := Sorted(c.values, c.weights); !slices.Equal(got, c.want) {
			t.Errorf("%v with weights %v: %v, want %v", c.values, c.weights, got, c.want)
		}
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
	got := Sorted(values, weights)
	for k, v := range got[1:] {
		if want := repeated[((k+2)*len(repeated)+99)/100-1]; v != want {
			t.Errorf("value %d: %v, want %v", k+2, v, want)
		}
	}
}
