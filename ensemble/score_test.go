package ensemble

import (
	"math"
	"slices"
	"testing"
)

// scored is a candidate with squared errors, by split.
func scored(rmse float64, squares ...[]float64) *candidate {
	return &candidate{RaceScore: RaceScore{RMSE: rmse}, squares: squares}
}

// TestBest compares the candidates that stay with those computed by hand.
func TestBest(t *testing.T) {
	first := scored(1, []float64{0, 0, 0, 0}, []float64{0, 0, 0, 0})
	for name, c := range map[string]struct {
		other   *candidate
		over    float64
		sd      float64
		ratio   float64
		remains bool
	}{
		// Differences of variance 4/3 within a split, 1/3 of its mean; the means agree.
		"the samples within the splits": {scored(2, []float64{0, 2, 0, 2}, []float64{2, 0, 2, 0}), 1, math.Sqrt(1.0 / 3), 0, false},
		// Two standard errors: 0.82 of independent splits, 1.15 corrected for splits that overlap.
		"the samples, overlapping": {scored(2, []float64{0, 2, 0, 2}, []float64{2, 0, 2, 0}), 1, math.Sqrt(1.0 / 3), 0.5, true},
		// Means 1 and 3.
		"the splits":               {scored(2, []float64{1, 1, 1, 1}, []float64{3, 3, 3, 3}), 2, math.Sqrt2, 0, true},
		"the splits, nearly alike": {scored(2, []float64{2.8, 2.8, 2.8, 2.8}, []float64{3, 3, 3, 3}), 2.9, math.Sqrt(0.02), 0.25, false},
		"one split":                {scored(2, []float64{1, 1, 1, 4}), 1.75, 0.75, 0.5, true},
		"one sample":               {scored(2, []float64{5}), 5, math.NaN(), 0.25, true},
	} {
		over, sd := c.other.over(first)
		if math.Abs(over-c.over) > 1e-12 || !(math.Abs(sd-c.sd) < 1e-12) && !math.IsNaN(c.sd) {
			t.Errorf("%s: behind by %v, standard deviation %v, want %v and %v", name, over, sd, c.over, c.sd)
		}
		if left := best([]*candidate{c.other, first}, c.ratio); left[0] != first || slices.Contains(left, c.other) != c.remains {
			t.Errorf("%s: %d are left", name, len(left))
		}
	}
}
