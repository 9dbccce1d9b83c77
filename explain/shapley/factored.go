package shapley

import (
	"math"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// leastLevel is the sum of firing levels, of a shape in log space, below which too many of them may have underflowed.
const leastLevel = 1e-280

// factorises reports whether the weights of the rules are products over the inputs: firing levels, or roots of these.
func factorises(rb *rules.RuleBase) bool {
	if inference.OrProduct(rb.TNorm) != (inference.Product{}) {
		return false
	}
	by := inference.OrTSK(rb.Defuzzification)
	return by == inference.TSK{} || by == inference.HTSK{}
}

// factored evaluates a rulebase that factorises by tables. The weight of a rule, f_r below, is a
// product, and its output a sum, over the players. With the players in two halves, the sums over the rules for
// all pairs of a subset of one and a subset of the other half are products of two matrices,
//
//	sum_r f_r     = sum_r F_r(S) F_r(T)
//	sum_r f_r y_r = sum_r F_r(S) Y_r(S) F_r(T) + F_r(S) F_r(T) Y_r(T)
//
// so that one of the 2^d predictions costs 3 R multiplications.
type factored struct {
	definition           // for sums that underflow
	inputs     [][]int   // [P], of the rulebase
	rows       []factors // [B], of the background
	now        factors   // of x
	tables

	logSpace              bool
	least                 float64 // sum of firing levels that is precise and covers a row
	mean, unit, low, high float64 // of the target
}

// factors are the parts of the players in the rules on a row, [P,R].
type factors struct {
	grade []float64 // product of the player's grades, or its root; in log space, relative to the largest of any rule
	term  []float64 // sum of the player's terms in the consequent
}

func newFactored(d definition) (*factored, error) {
	t := d.model.Target
	f := &factored{definition: d, mean: t.Mean, unit: t.Scaling(), least: math.Nextafter(rules.MinFiring, 1)}
	f.low, f.high = t.Limits()
	if _, f.logSpace = d.model.RuleBase.Shape.(membership.LogFunction); f.logSpace {
		f.least = leastLevel
	}
	for _, p := range d.players {
		f.inputs = append(f.inputs, p.inputs(d.model))
	}
	for _, row := range d.background {
		parts, err := f.factorsOf(row)
		if err != nil {
			return nil, err
		}
		f.rows = append(f.rows, parts)
	}
	return f, nil
}

func (f *factored) explaining(x []float64) (coalitions, error) {
	parts, err := f.factorsOf(x)
	if err != nil {
		return nil, err
	}
	c := *f
	c.x, c.now, c.tables = x, parts, newTables(len(f.players), f.model.RuleBase.Rules())
	return &c, nil
}

func (f *factored) cost() int { return f.model.RuleBase.Rules() }

// factorsOf returns the factors of a row.
func (f *factored) factorsOf(x []float64) (factors, error) {
	scaled, err := f.model.Scale([][]float64{x})
	if err != nil {
		return factors{}, err
	}
	rb, z := f.model.RuleBase, scaled[0]
	R := rb.Rules()
	parts := factors{make([]float64, len(f.players)*R), make([]float64, len(f.players)*R)}
	shape, logSpace := rb.Shape.(membership.LogFunction)
	p, ifPart, thenPart := make([]float64, len(rb.Antecedents)), rb.IfPart(z), rb.ThenPart(z)
	curves := curvesOf(rb, thenPart)
	g := make([]float64, 1)
	for i, inputs := range f.inputs {
		grade, term := parts.grade[i*R:][:R], parts.term[i*R:][:R]
		for r := range R {
			if !logSpace {
				grade[r] = 1
			}
			for _, m := range inputs {
				rb.Function(p, r, m)
				if logSpace {
					shape.LogGrades(g, ifPart[m:m+1], p)
					grade[r] += g[0]
				} else {
					rb.Shape.Grades(g, ifPart[m:m+1], p)
					grade[r] *= g[0]
				}
				term[r] += float64(rb.Consequents[r][1+m] * thenPart[m])
				if curves[m] != nil {
					term[r] += curves[m].On(rb.Curve(r))
				}
			}
		}
		inference.Weigh(inference.OrTSK(rb.Defuzzification), grade, rb.Features(), logSpace)
		if logSpace {
			relative(grade)
		}
	}
	return parts, nil
}

// curvesOf returns the places of the inputs of the consequents z [M] on their curves, nil for an input without one.
func curvesOf(rb *rules.RuleBase, z []float64) []*rules.Place {
	curves, places := make([]*rules.Place, len(z)), rules.Places(nil, rb.Knots, z)
	for m, knots := range rb.Knots {
		if len(knots) > 0 {
			curves[m], places = &places[0], places[1:]
		}
	}
	return curves
}

// relative replaces logarithms of grades by the grades as shares of the largest.
func relative(grade []float64) {
	top := math.Inf(-1)
	for _, v := range grade {
		top = max(top, v)
	}
	for r := range grade {
		if !math.IsInf(top, 0) {
			grade[r] -= top
		}
	}
	kernel.Exp(grade, grade)
}

// of returns the factors [R] of a player.
func (f factors) of(p, R int) factors { return factors{f.grade[p*R:][:R], f.term[p*R:][:R]} }

// predict returns the prediction for a sum of firing levels and the sum of outputs weighted by
// them. ok is false if the sums are not precise.
func (f *factored) predict(levels, outputs float64) (v float64, ok bool) {
	if !(levels >= f.least) || levels > math.MaxFloat64 {
		return f.mean, !f.logSpace // no rule covers it, or levels underflowed
	}
	v = f.mean + float64(f.unit*(outputs/levels))
	if v < f.low {
		v = f.low
	}
	if v > f.high {
		v = f.high
	}
	return v, math.Abs(v) <= math.MaxFloat64
}
