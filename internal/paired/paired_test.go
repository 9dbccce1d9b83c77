package paired

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// TestStdErr: over many data sets, two standard errors hold the mean difference between two
// equally good learners nearly always, where those of independent splits are far too narrow.
// One knows the first of two features that are worth the same, the other one the second.
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
		if math.Abs(mean) > 2*StdErr(sd, splits, float64(held)/(samples-held)) {
			beyond["corrected"]++
		}
	}
	if beyond["independent"] < sets/3 || beyond["corrected"] > sets/6 {
		t.Errorf("of %d comparisons of equals these are called different: %v", sets, beyond)
	}
}

// heldOutError returns the mean squared error of a line, fitted without the samples held out,
// which are the first of the order.
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
