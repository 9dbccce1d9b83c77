package verify

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/rules"
)

// Curves are the curves in the consequents of a [Case].
type Curves int

// The curves of a case: none, one per feature that all rules share, or one per feature and
// rule.
const (
	NoCurves Curves = iota
	SharedCurves
	OwnCurves
)

// curveCases returns the cases with curves: of one rule, of several with and without a
// mask and penalties, and of rules that share membership functions.
func curveCases() []Case {
	var cases []Case
	for _, kind := range []Curves{SharedCurves, OwnCurves} {
		small, large := Case{R: 2, M: 3, B: 5, Curves: kind}, Case{R: 5, M: 7, B: 8, Curves: kind}
		cases = append(cases, small, small.with(true, 0.05), large.withAll())
	}
	return append(cases,
		Case{R: 1, M: 1, B: 4, Curves: OwnCurves}.withAll(),
		Case{R: 17, M: 2, B: 3, Curves: OwnCurves}.withAll(),
		Case{R: 4, M: 3, B: 12, Width: 0.05, Curves: OwnCurves}.withAll(),
		Case{R: 8, M: 3, B: 8, Curves: SharedCurves, Tied: true}.withAll())
}

// drawCurves gives the rules random curves, for every feature except the third, the sixth
// and so on.
func drawCurves(rb *rules.RuleBase, kind Curves, rng *rand.Rand) {
	if kind == NoCurves {
		return
	}
	knots := make([][]float64, rb.Features())
	for m := range knots {
		if m%3 == 2 {
			continue
		}
		at := -1.5 + 0.5*rng.Float64()
		for range rules.MinKnots + rng.IntN(4) {
			knots[m] = append(knots[m], at)
			at += 0.1 + 0.5*rng.Float64()
		}
	}
	rules.AddCurves(rb, knots, kind == OwnCurves)
	for _, values := range rb.Curves {
		for q := range values {
			values[q] = rng.NormFloat64()
		}
	}
}

// tents returns the tents b_q(z) [Q] of a sample z [M], see [layers.Curves].
func tents(knots [][]float64, z []float64) []float64 {
	var all []float64
	for m, k := range knots {
		for q, top := range k {
			b := 1.0
			if q > 0 {
				b = min(b, (z[m]-k[q-1])/(top-k[q-1]))
			}
			if q < len(k)-1 {
				b = min(b, (k[q+1]-z[m])/(k[q+1]-top))
			}
			all = append(all, max(0, b))
		}
	}
	return all
}

// addRows adds rows to others of the same sizes.
func addRows(to, rows [][]float64) {
	for i, row := range rows {
		for k, v := range row {
			to[i][k] += v
		}
	}
}
