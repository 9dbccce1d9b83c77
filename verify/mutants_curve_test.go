package verify

import (
	"math"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// curveMutants have a wrong layer of curves or a wrong step of the closed form.
func curveMutants(shape membership.Function) []mutant {
	with := func(wrong string, outputs func(b *layers.Builder, n *nodes) gorgonia.Nodes) mutant {
		return inLayer(wrong, "curves", func(b *layers.Builder, n *nodes) {
			if n.Curve != nil {
				n.outputs = outputs(b, n)
			}
		})
	}
	mutants := []mutant{
		with("curves missing", func(_ *layers.Builder, n *nodes) gorgonia.Nodes { return n.outputs }),
		with("curves of the wrong features", func(b *layers.Builder, n *nodes) gorgonia.Nodes {
			last := len(n.knots) - 1
			n.knots = slices.Concat(n.knots[last:], n.knots[:last])
			return n.withCurves(b, n.Curve)
		}),
		with("steps, not lines, between knots", stairs),
		with("not constant beyond the last knot", extrapolated),
		with("own curves replaced by their mean", func(b *layers.Builder, n *nodes) gorgonia.Nodes {
			return n.withCurves(b, b.RowMeans(n.Curve).(*gorgonia.Node))
		}),
		with("curves weighted by the firing levels twice", func(b *layers.Builder, n *nodes) gorgonia.Nodes {
			with := n.withCurves(b, n.Curve)
			return n.each(func(c int) *gorgonia.Node {
				curves := b.Sub(with[c], n.outputs[c])
				return b.Add(n.outputs[c], b.Mul(n.level, curves)).(*gorgonia.Node)
			})
		}),
		inLayer("curves missing in penalties", "loss", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.outputs = n.consequents(b, n.Bias)
			n.addPenalty(b)
		}),
	}
	if _, ok := shape.(membership.Gradients); !ok {
		return mutants
	}
	return append(mutants, []mutant{
		{"shares of the two knots exchanged", "closed form: dy/dV", closedForm{func(s *steps) {
			s.curve = func(at rules.Place) (low, high float64) { return at.Share, 1 - at.Share }
		}}},
		{"the nearest knot only", "closed form: dy/dV", closedForm{func(s *steps) {
			s.curve = func(at rules.Place) (low, high float64) { high = math.Round(at.Share); return 1 - high, high }
		}}},
		{"penalty missing", "closed form: dL/dV", closedForm{func(s *steps) {
			s.curves = func([][]float64) [][]float64 { return nil }
		}}},
	}...)
}

// stairs returns the rule outputs with curves that keep the value of a knot up to the next.
func stairs(b *layers.Builder, n *nodes) gorgonia.Nodes {
	right := n.Z
	defer func() { n.Z = right }()
	M, z := len(n.knots), []float64(nil)
	for _, x := range n.problem.X {
		z = append(z, n.rules.ThenPart(x)...)
	}
	for i, v := range z {
		if k := n.knots[i%M]; len(k) > 0 {
			q, t := rules.Between(k, v)
			z[i] = k[q+int(t)]
		}
	}
	n.Z = b.Input("knots below z", tensor.New(tensor.WithShape(len(z)/M, M), tensor.WithBacking(z)))
	return n.withCurves(b, n.Curve)
}

// extrapolated returns the rule outputs with curves whose last pieces continue far beyond
// the last knots: to another knot, with a value on the same line.
func extrapolated(b *layers.Builder, n *nodes) gorgonia.Nodes {
	const far = 100
	var lines [][]float64 // of the values with the other knots, by the values [Q]
	Q := n.Curve.Shape()[0] / n.C
	line := func(q int, t float64) { // a share t of the way from knot q to the next
		of := make([]float64, Q)
		of[q], of[q+1] = 1-t, t
		lines = append(lines, of)
	}
	knots, first := slices.Clone(n.knots), 0
	for m, k := range n.knots {
		if len(k) == 0 {
			continue
		}
		last := len(k) - 1
		for q := range last {
			line(first+q, 0)
		}
		line(first+last-1, 1)
		line(first+last-1, 1+far/(k[last]-k[last-1]))
		knots[m] = append(slices.Clone(k), k[last]+far)
		first += len(k)
	}
	n.knots = knots
	extended := b.Input("lines", tensor.New(tensor.WithShape(len(lines), Q), tensor.WithBacking(slices.Concat(lines...))))
	return n.each(func(c int) *gorgonia.Node {
		values := gorgonia.Must(gorgonia.Mul(extended, layers.OfOutput(b, n.Curve, c, n.C)))
		return layers.Curves(b, n.outputs[c], n.Z, values, n.knots)
	})
}

// inStep returns a mutant of the closed form with a wrong step.
func inStep(wrong, step string, change func(*steps)) mutant {
	return mutant{wrong, "closed form: " + step, closedForm{change}}
}

// chainMutants have a wrong step of the closed form: their values are correct and only
// their gradient is wrong.
func chainMutants(shape membership.Function) []mutant {
	if _, ok := shape.(membership.Gradients); !ok {
		return nil
	}
	mutants := penaltySteps()
	add := func(wrong, step string, change func(*steps)) { mutants = append(mutants, inStep(wrong, step, change)) }
	add("the 1/2 of the paper's first lines", "dL/dy", func(s *steps) {
		s.byOutput = func(p *problem, n int, y []float64) []float64 {
			d := p.byPrediction(n, y)
			for c := range d {
				d[c] /= 2
			}
			return d
		}
	})
	add("sample weights ignored", "dL/dy", func(s *steps) {
		s.byOutput = (*problem).gradient
	})
	add("normalisation treated as constant", "dy/df", func(s *steps) {
		s.byLevel = func(yr, _, sumF float64) float64 { return yr / sumF }
	})
	add("firing levels trained by the first output only", "dL/df", func(s *steps) {
		s.across = func(byPrediction []float64) []float64 {
			first := make([]float64, len(byPrediction))
			first[0] = byPrediction[0]
			return first
		}
	})
	if vanishes(shape) {
		add("f/mu where mu is zero", "df/dmu", func(s *steps) {
			s.others = func(_ inference.TNorm, mu []float64) []float64 {
				f, others := 1.0, make([]float64, len(mu))
				for _, v := range mu {
					f *= v
				}
				for m, v := range mu {
					others[m] = f / v
				}
				return others
			}
		})
	}
	return mutants
}

// penaltySteps have a wrong derivative of a penalty.
func penaltySteps() []mutant {
	zero := func(rows [][]float64) {
		for _, row := range rows {
			clear(row)
		}
	}
	return []mutant{
		inStep("penalty missing", "dL/dw", func(s *steps) {
			s.penalty = func(float64, bool) float64 { return 0 }
		}),
		inStep("penalty added twice, as Algorithm 1 is printed", "dL/dw", func(s *steps) {
			right := s.penalty
			s.penalty = func(d float64, bias bool) float64 { return 2 * right(d, bias) }
		}),
		inStep("bias penalised", "dL/dw", func(s *steps) {
			s.penalty = func(d float64, _ bool) float64 { return d }
		}),
		inStep("normalisation treated as constant in penalties", "dP/df", func(s *steps) {
			s.level = func(u, _, sumF float64) float64 { return u / sumF }
		}),
		inStep("firing levels treated as constant in penalties", "dP/dfbar", func(s *steps) {
			s.rules = func(byLevels [][]float64, _ [][][]float64) { zero(byLevels) }
		}),
		inStep("rule outputs treated as constant in penalties", "dP/dy", func(s *steps) {
			s.rules = func(_ [][]float64, byOutputs [][][]float64) {
				for _, rows := range byOutputs {
					zero(rows)
				}
			}
		}),
	}
}

// withTie returns the route with a change of the ties or splits of a rulebase that has some.
func withTie(r route, change func(rb *rules.RuleBase)) route {
	return altered{r, func(p *problem) {
		if p.RuleBase = p.RuleBase.Clone(); p.RuleBase.Tie != nil || p.RuleBase.Splits != nil {
			change(p.RuleBase)
		}
	}}
}

// tieMutants have wrong ties.
func tieMutants(shape membership.Function) []mutant {
	routes := applicable(&rules.RuleBase{Shape: shape})
	ignored := func(rb *rules.RuleBase) { rb.Tie, rb.Splits = nil, nil }
	var mutants []mutant
	for _, r := range routes {
		mutants = append(mutants, mutant{"ties ignored", "ties", withTie(r, ignored)})
	}
	_, bordered := shape.(membership.Bordered)
	if bordered {
		mutants = append(mutants, splitMutants()...)
	} else {
		mutants = append(mutants, labelMutants()...)
	}
	if slices.ContainsFunc(routes, func(r route) bool { return r.name() == "closed form" }) {
		add := func(wrong string, groups func(rb *rules.RuleBase) [][]rules.Element, of func(copies []float64) float64) {
			mutants = append(mutants, mutant{wrong, "closed form: ties", closedForm{func(s *steps) {
				s.ties = func(g rules.Parameters, rb *rules.RuleBase) { eachTied(g, groups(rb), of) }
			}}})
		}
		add("the mean over tied copies", (*rules.RuleBase).Shared, func(copies []float64) float64 { return sum(copies) / float64(len(copies)) })
		add("the gradient of the first tied copy", (*rules.RuleBase).Shared, func(copies []float64) float64 { return copies[0] })
		if bordered {
			add("the sides of a split summed apart", sidesApart, sum)
		}
	}
	return mutants
}

// labelMutants have wrong labels of membership functions.
func labelMutants() []mutant {
	return []mutant{
		{"a rule left out of its ties", "ties", withTie(autodiff, func(rb *rules.RuleBase) {
			for m := range rb.Tie[0] {
				rb.Tie[0][m] = 2
			}
		})},
		{"ties of the first feature only", "ties", withTie(autodiff, func(rb *rules.RuleBase) {
			for r, labels := range rb.Tie {
				for m := range labels[1:] {
					labels[m+1] = r
				}
			}
		})},
	}
}

// splitMutants have wrong splits.
func splitMutants() []mutant {
	return []mutant{{"a rule left out of its splits", "ties", withTie(autodiff, func(rb *rules.RuleBase) {
		for i := range rb.Splits {
			s := &rb.Splits[i]
			s.Below = slices.DeleteFunc(s.Below, func(r int) bool { return r == 0 }) // never empty on both sides
		}
	})}}
}

// sidesApart returns the groups of shared parameters, divided into those of one parameter.
func sidesApart(rb *rules.RuleBase) [][]rules.Element {
	var apart [][]rules.Element
	for _, group := range rb.Shared() {
		by := map[int][]rules.Element{}
		for _, e := range group {
			by[e.Parameter] = append(by[e.Parameter], e)
		}
		for _, elements := range by {
			apart = append(apart, elements)
		}
	}
	return apart
}
