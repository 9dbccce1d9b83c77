package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestWilcoxonDepression: the example of R's wilcox.test (Hollander and Wolfe, 1973,
// p. 29): V = 40, one-sided p = 0.01953.
func TestWilcoxonDepression(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	w := Wilcoxon(d)
	near(t, "V", w.Plus, 40, 0)
	near(t, "the other sum", w.Minus, 5, 0)
	near(t, "p", w.P, 2*0.01953125, 1e-12)
}

// TestWilcoxonTable compares the exact distribution for ten differences with the table
// (R: 2*psignrank(8, 10) = 0.04883, 2*psignrank(9, 10) = 0.06445, 2*psignrank(3, 10) = 0.009766).
func TestWilcoxonTable(t *testing.T) {
	for _, c := range []struct {
		negative []int // ranks with a minus
		minus    float64
		p        float64
	}{
		{nil, 0, 2.0 / 1024},
		{[]int{3}, 3, 10.0 / 1024},
		{[]int{8}, 8, 50.0 / 1024},
		{[]int{4, 5}, 9, 66.0 / 1024},
		{[]int{1, 2, 3, 4, 5, 6, 7}, 28, 1}, // the middle is 27.5: both tails include it
	} {
		var d []float64
		for rank := 1; rank <= 10; rank++ {
			d = append(d, float64(rank))
		}
		for _, rank := range c.negative {
			d[rank-1] = -d[rank-1]
		}
		w := Wilcoxon(d)
		near(t, "rank sum", w.Minus, c.minus, 0)
		near(t, "p", w.P, c.p, 1e-12)
	}
}

// TestWilcoxonTies: with ties, p equals the count over all assignments of signs; zeros are
// left out.
func TestWilcoxonTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		d := make([]float64, 1+rng.IntN(10))
		for i := range d {
			d[i] = float64(rng.IntN(7) - 3)
		}
		w := Wilcoxon(d)
		var ranks []float64
		zeros, plus := 0, 0.0
		for _, v := range d {
			if v == 0 {
				zeros++
				continue
			}
			rank := 0.5 // the mean of the ranks of its equals
			for _, u := range d {
				switch {
				case u == 0:
				case math.Abs(u) < math.Abs(v):
					rank++
				case math.Abs(u) == math.Abs(v):
					rank += 0.5
				}
			}
			ranks = append(ranks, rank)
			if v > 0 {
				plus += rank
			}
		}
		near(t, "zeros", float64(w.Zeros), float64(zeros), 0)
		near(t, "plus", w.Plus, plus, 1e-9)
		low, high := 0, 0
		for signs := range 1 << len(ranks) {
			sum := 0.0
			for i, rank := range ranks {
				if signs>>i&1 == 1 {
					sum += rank
				}
			}
			if sum <= plus {
				low++
			}
			if sum >= plus {
				high++
			}
		}
		near(t, "p", w.P, min(1, 2*float64(min(low, high))/float64(int(1)<<len(ranks))), 1e-12)
	}
}

// TestComparePairedTwoRuns checks values computed by hand: differences 1 and 3, half the
// data for test, one degree of freedom, whose 97.5% quantile is tan(0.475 pi).
func TestComparePairedTwoRuns(t *testing.T) {
	p, ok := ComparePaired([]float64{1, 3}, 1)
	if !ok {
		t.Fatal("ok is false")
	}
	se := math.Sqrt(0.5+1) * math.Sqrt2
	near(t, "mean", p.Mean, 2, 0)
	near(t, "t", p.T, 2/se, 1e-12)
	near(t, "half the interval", p.High-p.Mean, math.Tan(0.475*math.Pi)*se, 1e-6)
	near(t, "interval", p.Mean-p.Low, p.High-p.Mean, 1e-12)
	near(t, "p", p.P, 1-2/math.Pi*math.Atan(2/se), 1e-9)
}

// TestComparePairedKnown: scikit-learn's example "Statistical comparison of models
// using grid search" has t = 2.611 uncorrected and 0.750 corrected, one-sided
// p = 0.227, over 100 folds of 270 and 30 samples. Here d has that uncorrected t.
// The tabulated quantile for 29 degrees of freedom is 2.045230.
func TestComparePairedKnown(t *testing.T) {
	p, _ := ComparePaired(spread(100, 2.611), 30.0/270)
	near(t, "t", p.T, 0.750, 5e-4)
	near(t, "p", p.P/2, 0.227, 5e-4)

	p, _ = ComparePaired(spread(30, 1), 3.0/7)
	near(t, "quantile", (p.High-p.Mean)/(p.Mean/p.T), 2.045230, 1e-6)
}

// spread returns n differences of standard deviation 1 with the given uncorrected t.
func spread(n int, t float64) []float64 {
	d := make([]float64, n)
	half := math.Sqrt(float64(n-1) / float64(n))
	for i := range d {
		d[i] = t/math.Sqrt(float64(n)) + half*float64(1-2*(i%2))
	}
	return d
}

func TestComparePairedEdges(t *testing.T) {
	if _, ok := ComparePaired([]float64{1}, 1); ok {
		t.Error("one difference has an interval")
	}
	if p, ok := ComparePaired([]float64{0, 0, 0}, 1); !ok || p.P != 1 || p.Low != 0 || p.High != 0 {
		t.Errorf("all zero: %+v", p)
	}
	if p, ok := ComparePaired([]float64{2, 2}, 1); !ok || p.P != 0 || p.Low != 2 || p.High != 2 {
		t.Errorf("all the same: %+v", p)
	}
}
