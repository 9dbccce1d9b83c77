package metric

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// draw returns the probabilities [K][N] of samples, their classes and weights.
func draw(rng *rand.Rand, K, N int, weigh bool) (p [][]float64, y, weights []float64) {
	p = make([][]float64, K)
	for k := range p {
		p[k] = make([]float64, N)
	}
	for n := range N {
		total := 0.0
		truth := rng.IntN(K)
		for k := range p {
			score := 2 * rng.NormFloat64()
			if k == truth {
				score++
			}
			p[k][n] = math.Exp(score)
			total += p[k][n]
		}
		for k := range p {
			p[k][n] /= total
		}
		y = append(y, float64(truth))
		if weigh {
			weights = append(weights, 0.5+rng.Float64())
		}
	}
	return p, y, weights
}

// part returns samples from, below to.
func part(p [][]float64, y, weights []float64, from, to int) ([][]float64, []float64, []float64) {
	var cut [][]float64
	for _, values := range p {
		cut = append(cut, values[from:to])
	}
	if weights != nil {
		weights = weights[from:to]
	}
	return cut, y[from:to], weights
}

// TestHistogramAgrees compares merged histograms with MeasureClasses of all samples.
func TestHistogramAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, K := range []int{2, 3, 40} {
		for _, weigh := range []bool{false, true} {
			p, y, weights := draw(rng, K, 5000, weigh)
			want := MeasureClasses(p, y, weights)
			all := NewHistogram(K)
			for from := 0; from < len(y); from += 1700 {
				one := NewHistogram(K)
				one.Add(part(p, y, weights, from, min(from+900, len(y))))
				if from+900 < len(y) {
					one.Add(part(p, y, weights, from+900, min(from+1700, len(y))))
				}
				all.Merge(one)
			}
			got := all.Classes()
			if d := math.Abs(*got.AUC - *want.AUC); !(d <= got.AUCError) || !(got.AUCError < 2e-3) || d == 0 && got.AUCError == 0 {
				t.Errorf("K %d: AUC %v, want %v within %v", K, *got.AUC, *want.AUC, got.AUCError)
			}
			samples, weight, predicted := 0, 0.0, 0.0
			for i, b := range got.Calibration {
				samples += b.Samples
				weight += b.Weight
				predicted += b.Predicted * b.Weight
				if w := want.Calibration[i]; math.Abs(b.Weight-w.Weight) > 0.02*w.Weight || math.Abs(b.Observed-w.Observed) > 0.05 ||
					math.Abs(b.SE-w.SE) > 0.1*w.SE {
					t.Errorf("K %d: bin %d is %+v, want about %+v", K, i, b, w)
				}
			}
			exact := 0.0
			for _, b := range want.Calibration {
				exact += b.Predicted * b.Weight
			}
			if samples != len(y) || !near(weight, all.sums.weight) || !near(predicted, exact) {
				t.Errorf("K %d: the bins have %d samples of weight %v and mean %v", K, samples, weight, predicted)
			}
			for _, c := range []*Classes{&got, &want} {
				c.AUC, c.AUCError, c.Calibration, c.CalibrationError = nil, 0, nil, 0
			}
			for i, row := range got.Confusion {
				for j, w := range row {
					if !near(w, want.Confusion[i][j]) {
						t.Errorf("K %d: confusion %d, %d: %v, want %v", K, i, j, w, want.Confusion[i][j])
					}
				}
			}
			got.Confusion, want.Confusion = nil, nil
			if !near(got.LogLoss, want.LogLoss) || !near(got.Brier, want.Brier) || !near(got.Accuracy, want.Accuracy) ||
				!near(got.BalancedAccuracy, want.BalancedAccuracy) {
				t.Errorf("K %d: %+v, want %+v", K, got, want)
			}
			got.LogLoss, got.Brier, got.Accuracy, got.BalancedAccuracy = want.LogLoss, want.Brier, want.Accuracy, want.BalancedAccuracy
			testenv.Equal(t, got, want, "K %d", K)
		}
	}
}

// near compares to 1e-12.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// TestHistogramOfFewValues: probabilities that are never in one cell give the exact curve and bins.
func TestHistogramOfFewValues(t *testing.T) {
	p := [][]float64{{0.9, 0.6, 0.7, 0.2, 0.9}, {0.1, 0.4, 0.3, 0.8, 0.1}}
	y := []float64{0, 1, 0, 1, 0}
	want := MeasureClasses(p, y, nil)
	h := NewHistogram(2)
	h.Add(p, y, nil)
	got := h.Classes()
	if got.AUCError != 0 || *got.AUC != *want.AUC {
		t.Errorf("AUC %v within %v, want %v", *got.AUC, got.AUCError, *want.AUC)
	}
	if got.AUC = want.AUC; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	one := NewHistogram(2)
	one.Add([][]float64{{0.9}, {0.1}}, []float64{0}, nil)
	if c := one.Classes(); c.AUC != nil || c.AUCError != 0 || c.Absent != 1 {
		t.Errorf("one class: %+v", c)
	}
}

// TestGridAscends: cells ascend with the probability, and all lie in the grid.
func TestGridAscends(t *testing.T) {
	for _, K := range []int{2, 33, 1000} {
		g, last := newGrid(K), -1
		for _, p := range []float64{math.NaN(), 0, 5e-324, 1e-300, 1e-13, 1e-12, 1e-6, 0.1, 0.2, 0.4999, math.Nextafter(0.5, 0), 0.5,
			math.Nextafter(0.5, 1), 0.5001, 0.9, 0.999999, 1 - 1e-11, 1} {
			cell := g.of(p)
			if cell < last || cell >= g.cells() {
				t.Errorf("K %d: %v is in cell %d after %d, of %d", K, p, cell, last, g.cells())
			}
			last = cell
		}
		if last != g.cells()-1 || g.of(0.5) != g.half()-1 {
			t.Errorf("K %d: 1 is in cell %d, 0.5 in %d, of %d", K, last, g.of(0.5), g.cells())
		}
	}
}
