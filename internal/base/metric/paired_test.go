package metric

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// TestStdErr checks that, over many data sets, the mean difference between two equally good
// learners is nearly always within two standard errors, while the standard errors for
// independent splits are far too small. Each learner uses one of two equally useful features.
func TestStdErr(t *testing.T) {
	const sets, samples, splits, held = 400, 100, 20, 30
	rng := rand.New(rand.NewPCG(1, 2))
	beyond := map[string]int{}
	for range sets {
		x, y := [2][]float64{make([]float64, samples), make([]float64, samples)}, make([]float64, samples)
		for n := range y {
			x[0][n], x[1][n] = rng.NormFloat64(), rng.NormFloat64()
			y[n] = x[0][n] + x[1][n]
		}
		var d []float64
		for range splits {
			order := rng.Perm(samples)
			d = append(d, heldOutError(x[0], y, order, held)-heldOutError(x[1], y, order, held))
		}
		mean, sd := stat.MeanStdDev(d, nil)
		if math.Abs(mean) > 2*stat.StdErr(sd, splits) {
			beyond["independent"]++
		}
		if math.Abs(mean) > 2*PairedStdErr(sd, splits, float64(held)/(samples-held)) {
			beyond["corrected"]++
		}
	}
	if beyond["independent"] < sets/3 || beyond["corrected"] > sets/6 {
		t.Errorf("of %d comparisons of equals, significant: %v", sets, beyond)
	}
}

// heldOutError returns the mean squared error of a line on the held-out samples, the first
// of the order, fitted to the others.
func heldOutError(x, y []float64, order []int, held int) float64 {
	pick := func(v []float64, rows []int) []float64 {
		var picked []float64
		for _, n := range rows {
			picked = append(picked, v[n])
		}
		return picked
	}
	a, b := stat.LinearRegression(pick(x, order[held:]), pick(y, order[held:]), nil, false)
	sum := 0.0
	for _, n := range order[:held] {
		e := y[n] - a - b*x[n]
		sum += e * e
	}
	return sum / float64(held)
}
