package verify

import (
	"iter"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
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

// moves moves one parameter after the other by twice the largest step of the finite differences, in either direction, and back.
func moves(p []float64) iter.Seq[int] {
	return func(yield func(j int) bool) {
		for j, v := range p {
			for _, by := range []float64{-2, 2} {
				p[j] = v + by*stepFor(v)
				on := yield(j)
				if p[j] = v; !on {
					return
				}
			}
		}
	}
}

// pieceChanges reports whether the piece of mu(x; p) changes while x or one parameter
// moves by twice the largest step of the finite differences, in either direction.
func pieceChanges(shape membership.Piecewise, x float64, p []float64) bool {
	here := shape.Piece(x, p)
	for range moves(p) {
		if shape.Piece(x, p) != here {
			return true
		}
	}
	return shape.Piece(x-2*stepFor(x), p) != here || shape.Piece(x+2*stepFor(x), p) != here
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

// smoothPenalties returns the registered penalties without a kink within reach of the
// slopes of a rulebase.
func smoothPenalties(rb *rules.RuleBase) []penalty.Penalty {
	return slices.DeleteFunc(penalty.All(), func(p penalty.Penalty) bool {
		return slices.ContainsFunc(rb.Consequents, func(w []float64) bool {
			return slices.ContainsFunc(w[1:], func(slope float64) bool { return !smoothSlope(p, slope, reach(rb.Consequents)) })
		})
	})
}

// smoothAt reports whether no kink of the loss is within reach of a sample: the distance
// of its prediction from each kink, and under an agreement of the rules that of each rule's
// output, is more than the change by two steps of a consequent.
func smoothAt(p *problem, s sample, mask []float64) bool {
	l, ok := p.Loss.(loss.Kinked)
	if !ok {
		return true
	}
	largest := 1.0
	for _, v := range s.x {
		largest = max(largest, math.Abs(v))
	}
	within := largest * 2 * consequentStep(p.Loss, p.RuleBase.Consequents)
	smooth := func(c int, v float64) bool {
		return !slices.ContainsFunc(l.Kinks(s.target[c]), func(kink float64) bool { return math.Abs(v-kink) <= within })
	}
	y, _, _ := p.RuleBase.Forward([][]float64{s.x}, [][]float64{mask})
	for c, one := range outputs(p.RuleBase) {
		if !smooth(c, y[c]) {
			return false
		}
		for r := range one.Rules() {
			if ofRules(p.Penalties) && !smooth(c, one.Consequent(r, s.x)) {
				return false
			}
		}
	}
	return true
}

// ofRules reports whether a penalty is a function of the loss of single rules.
func ofRules(all []penalty.Penalty) bool {
	return slices.ContainsFunc(all, func(p penalty.Penalty) bool { _, ok := p.(penalty.LossAgreement); return ok })
}

// reach returns the least distance of a consequent from a kink of a penalty: twice the
// largest step of the finite differences.
func reach(consequents [][]float64) float64 { return 2 * consequentStep(loss.Squared{}, consequents) }

// smoothSlope reports whether no kink of a penalty is within reach of a slope.
func smoothSlope(p penalty.Penalty, slope, reach float64) bool {
	kinked, ok := p.(penalty.Kinked)
	return !ok || !slices.ContainsFunc(kinked.Kinks(), func(kink float64) bool { return math.Abs(slope-kink) <= reach })
}

// mostFall is the least firing level, relative to that at a sample, while a parameter moves by
// twice the largest step of the finite differences: the derivatives of weights are infinite where
// the level becomes zero, except in log space. mostLevel is the largest level, other than one, as
// the weights of [inference.LogTSK] change fast near one.
const mostFall, mostLevel = 0.8, 1 - 1e-3

// steady reports whether finite differences at a sample cross no kink of the t-norm, and
// whether the weights of the rules in use change little.
func steady(rb *rules.RuleBase, x, mask []float64) bool {
	if rb.TNorm == nil && rb.Defuzzification == nil {
		return true
	}
	norm, mu, p := inference.OrProduct(rb.TNorm), make([]float64, rb.Features()), make([]float64, len(rb.Antecedents))
	level := func() float64 {
		f := []float64{1}
		for m := range mu {
			norm.Join(f, mu[m:m+1])
		}
		return f[0]
	}
	used := rb.FiringLevels([][]float64{x}, [][]float64{mask})[0]
	for r := range rb.Rules() {
		if mask[r] == 0 && used[r] == 0 {
			continue
		}
		for m := range mu {
			rb.Shape.Grades(mu[m:m+1], x[m:m+1], rb.Function(p, r, m))
		}
		piece, f := norm.Piece(mu), level()
		if f > mostLevel && f < 1 {
			return false
		}
		for m, v := range mu {
			for _, moved := range gradesNear(rb.Shape, x[m], rb.Function(p, r, m)) {
				if mu[m] = moved; norm.Piece(mu) != piece || !rb.LogSpace() && level() < mostFall*f {
					return false
				}
			}
			mu[m] = v
		}
	}
	return true
}

// gradesNear returns the grades of x with one parameter moved by twice the largest step of
// the finite differences, in either direction.
func gradesNear(shape membership.Function, x float64, p []float64) []float64 {
	var grades []float64
	for range moves(p) {
		g := []float64{x}
		shape.Grades(g, g, p)
		grades = append(grades, g[0])
	}
	return grades
}
