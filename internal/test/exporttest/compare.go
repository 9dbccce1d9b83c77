package exporttest

import (
	"math"
	"testing"
)

// Tolerance is the largest difference to a prediction, as a share of the target's range.
const Tolerance = 1e-12

// Compare fails the test if an output [N][J] differs from the wanted one by more than tolerance
// times the target's range (of training or, if larger, of the predictions), or one for a
// probability, or if only one of both is NaN. It reports the largest difference.
func (t *Table) Compare(tb testing.TB, got [][]float64, tolerance float64) {
	tb.Helper()
	if len(got) != len(t.Want) {
		tb.Fatalf("%d predictions of %d rows", len(got), len(t.Want))
	}
	for j := range t.Form.Outputs {
		unit, most, at := t.unit(j), 0.0, 0
		for n, want := range t.Want {
			if len(got[n]) != len(want) {
				tb.Fatalf("row %d: %d outputs, want %d", n+1, len(got[n]), len(want))
			}
			off := math.Abs(got[n][j]-want[j]) / unit
			switch {
			case math.IsNaN(want[j]) && math.IsNaN(got[n][j]):
				off = 0
			case math.IsNaN(off):
				off = math.Inf(1)
			}
			if off > most {
				most, at = off, n
			}
		}
		if most > tolerance {
			tb.Errorf("output %s of row %d %q: %v, want %v: off by %.3g of the range", t.Form.Outputs[j].Column, at+1, t.Cells[at], got[at][j], t.Want[at][j], most)
		}
	}
}

// unit returns the range that differences of output j are compared with.
func (t *Table) unit(j int) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range t.Want {
		if !math.IsNaN(y[j]) {
			low, high = min(low, y[j]), max(high, y[j])
		}
	}
	of := t.Form.Model.Values()[j]
	return max(high-low, of.Max-of.Min)
}
