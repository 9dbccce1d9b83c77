package drift

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestStatistics: probabilities are those of R's fisher.test (one-sided), chisq.test, t.test and pbinom.
func TestStatistics(t *testing.T) {
	var a, b totals
	for _, v := range []float64{1, 2, 3, 4, 5} {
		for range 4 {
			a.add(v)
			b.add(2*v - 1)
		}
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"hypergeometric":   {atLeast(3, 4, 4, 8), 17.0 / 70},
		"all of them":      {atLeast(2, 5, 2, 10), 10.0 / 45},
		"none needed":      {atLeast(0, 5, 2, 10), 1},
		"more than marked": {atLeast(3, 5, 2, 10), 0},
		"exact":            {exact(1, 10, 8, 10), 0.0054775},
		"chi-square":       {homogeneity([]int{30, 20}, []int{20, 30}), 0.04550026},
		"one group":        {homogeneity([]int{30}, []int{20}), 1},
		"welch":            {welch(a, b), 0.0101659},
		"equal constants":  {welch(totals{20, 3, 0}, totals{20, 3, 0}), 1},
		"other constants":  {welch(totals{20, 3, 0}, totals{20, 4, 0}), 0},
		"binomial":         {binomial(2, 10, 0.1), 0.2639011},
		"index":            {stability([]int{49, 49}, []int{49, 49}), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-4 {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if p := welch(totals{19, 1, 1}, a); !math.IsNaN(p) {
		t.Errorf("of 19 numbers: %v, want NaN", p)
	}
}

// TestHolm: a level holds for all tests together.
func TestHolm(t *testing.T) {
	got := holm([]float64{0.02, 0.001, math.NaN(), 0.015, 0.9}, 0.04)
	for i, want := range []bool{false, true, false, false, false} {
		if got[i] != want {
			t.Errorf("test %d: %v, want %v", i, got[i], want)
		}
	}
}

// TestTotals: totals of parts merge to those of all numbers.
func TestTotals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var all, first, second totals
	for i := range 50 {
		v := 1e6 + rng.NormFloat64()
		all.add(v)
		if i < 20 {
			first.add(v)
		} else {
			second.add(v)
		}
	}
	first.merge(second)
	first.merge(totals{})
	if first.n != all.n || math.Abs(first.mean-all.mean) > 1e-9 || math.Abs(first.rest-all.rest) > 1e-6*all.rest {
		t.Errorf("merged: %v, want %v", first, all)
	}
}
