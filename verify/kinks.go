package verify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// comparableAt reports whether the routes can be compared at a sample: no kink is within
// reach of a finite difference, and no rule with a tiny grade fires.
func comparableAt(rb *rules.RuleBase, x, mask []float64) bool {
	p := make([]float64, len(rb.Antecedents))
	if passes := kinkTest(rb.Shape); passes != nil {
		for r := range rb.Consequents {
			for m, v := range rb.IfPart(x) {
				if passes(v, rb.Function(p, r, m)) {
					return false
				}
			}
		}
	}
	if shape, ok := rb.Shape.(membership.LogFunction); ok {
		for r, level := range rb.FiringLevels([][]float64{x}, [][]float64{mask})[0] {
			for m := range rb.Features() {
				z := []float64{0}
				if shape.LogGrades(z, x[m:m+1], rb.Function(p, r, m)); level > 0 && z[0] < leastLogGrade {
					return false
				}
			}
		}
	}
	return true
}

// leastLogGrade is the logarithm of 1e-87. Gradients are zero if a grade underflows, and
// at much larger grades d log mu/dp is so large that it amplifies the rounding error of
// its factor y_r - y.
const leastLogGrade = -200

// kinkTest returns a function that reports whether a kink of mu(x; p) is within reach of
// x, or nil for a smooth shape.
func kinkTest(shape membership.Function) func(x float64, p []float64) bool {
	switch s := shape.(type) {
	case membership.Kinked:
		return func(x float64, p []float64) bool { return kinkPasses(s, x, p) }
	case membership.Piecewise:
		return func(x float64, p []float64) bool { return pieceChanges(s, x, p) }
	}
	return nil
}

// pieceChanges reports whether the piece of mu(x; p) changes while x or one parameter
// moves by twice the largest step of the finite differences, in either direction.
func pieceChanges(shape membership.Piecewise, x float64, p []float64) bool {
	here := shape.Piece(x, p)
	for _, by := range []float64{-2, 2} {
		if shape.Piece(x+by*stepFor(x), p) != here {
			return true
		}
		for j, v := range p {
			p[j] = v + by*stepFor(v)
			changed := shape.Piece(x, p) != here
			p[j] = v
			if changed {
				return true
			}
		}
	}
	return false
}

// kinkPasses reports whether a kink of mu(x; p) passes x while one parameter moves by
// twice the largest step of the finite differences, in either direction, or is within that
// distance of x.
func kinkPasses(shape membership.Kinked, x float64, p []float64) bool {
	for _, k := range shape.Kinks(p) {
		if math.Abs(k-x) <= 2*stepFor(k) {
			return true
		}
	}
	for j, v := range p {
		// kinks returns the distances of the kinks from x with parameter j moved.
		kinks := func(by float64) []float64 {
			p[j] = v + by
			k := slices.Clone(shape.Kinks(p))
			for i := range k {
				k[i] -= x
			}
			p[j] = v
			return k
		}
		reach := 2 * stepFor(v)
		if crosses(kinks, -reach, 0) || crosses(kinks, 0, reach) {
			return true
		}
	}
	return false
}

// crosses reports whether one of the values of f crosses zero between from and to. A
// change of sign may also be a pole; bisection distinguishes the two.
func crosses(f func(t float64) []float64, from, to float64) bool {
	first, last := f(from), f(to)
	if len(first) != len(last) {
		// Kinks may appear between from and to, at any place.
		return slices.ContainsFunc(slices.Concat(first, last), func(v float64) bool { return math.Abs(v) <= 2*relativeStep })
	}
	for i := range first {
		if first[i] < 0 == (last[i] < 0) {
			continue
		}
		a, b := from, to
		nearest := min(math.Abs(first[i]), math.Abs(last[i]))
		for range 50 {
			middle := (a + b) / 2
			v := f(middle)
			if len(v) <= i {
				break // at a pole
			}
			if nearest = math.Abs(v[i]); v[i] < 0 == (first[i] < 0) {
				a = middle
			} else {
				b = middle
			}
		}
		if nearest <= min(math.Abs(first[i]), math.Abs(last[i])) {
			return true
		}
	}
	return false
}
