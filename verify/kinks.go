package verify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// comparableAt reports whether the routes can be held against each other at a
// sample: no kink can be reached by a finite difference, and no rule fires of
// which a grade is next to nothing.
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

// leastLogGrade is the logarithm of 1e-87. Gradients are zero where a grade is too
// small for a float64; and long before, d log mu/dp is so large that the rounding
// of y_r - y, which it multiplies, shows.
const leastLogGrade = -200

// kinkTest returns the function that tells whether a kink of mu(x; p) is within
// reach of x; nil for a shape that is smooth.
func kinkTest(shape membership.Function) func(x float64, p []float64) bool {
	switch s := shape.(type) {
	case membership.Kinked:
		return func(x float64, p []float64) bool { return kinkPasses(s, x, p) }
	case membership.Piecewise:
		return func(x float64, p []float64) bool { return pieceChanges(s, x, p) }
	}
	return nil
}

// pieceChanges reports whether mu(x; p) gets onto another piece while x or one
// parameter moves by twice the largest step of the finite differences, either
// way.
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

// kinkPasses reports whether a kink of mu(x; p) passes x while one parameter moves
// by twice the largest step of the finite differences, either way; or lies that
// near to x.
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

// crosses reports whether one of the values of f goes through zero between from
// and to. A change of sign may also be a value going through infinity; bisection
// tells the two apart.
func crosses(f func(t float64) []float64, from, to float64) bool {
	first, last := f(from), f(to)
	if len(first) != len(last) {
		// Some appear on the way, wherever they are then.
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
				break // at infinity, where there is none
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
