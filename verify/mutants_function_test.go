package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/membership"
)

// functionMutants have a wrong method of the membership function: Gradients, which only
// the closed form uses, the expression, which only autodiff uses, or the grades, which the
// finite differences use.
func functionMutants(shape membership.Function) []mutant {
	mutants := append(expressionMutants(shape), mutant{
		"the square of mu", "membership: Grades",
		withShape(finiteDifference{}, withGrades(shape,
			func(mu float64) float64 { return mu * mu },
			func(logMu float64) float64 { return 2 * logMu })),
	})
	if _, ok := shape.(membership.Gradients); ok {
		mutants = append(mutants, gradientMutants(shape)...)
	}
	return mutants
}

func expressionMutants(shape membership.Function) []mutant {
	with := func(wrong string, change func(formula) formula) mutant {
		return mutant{wrong, "membership: Expr", withShape(autodiff, withExpr(shape, change))}
	}
	mutants := []mutant{
		with("the square of mu", func(right formula) formula {
			return func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				if mu := right(b, x, p); !inLogarithms(shape) {
					return b.Square(mu)
				} else {
					return b.Mul(b.Const(2), mu)
				}
			}
		}),
		with("x has the wrong sign", func(right formula) formula {
			return func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				return right(b, b.Neg(x), p)
			}
		}),
	}
	if len(shape.Params()) > 1 {
		mutants = append(mutants, with("two parameters swapped", func(right formula) formula {
			return func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				return right(b, x, slices.Concat([]membership.Term{p[1], p[0]}, p[2:]))
			}
		}))
	}
	return mutants
}

func gradientMutants(shape membership.Function) []mutant {
	var mutants []mutant
	right, params := shape.(membership.Gradients), shape.Params()
	add := func(wrong string, gradients func(dst [][]float64, x, p []float64)) {
		wrongly := changed(shape, func(w *wrongShape) { w.gradients = gradients })
		mutants = append(mutants, mutant{wrong, "membership: Gradients", withShape(closedForm{}, wrongly)})
	}
	// by changes the derivative by parameter j, given the grade.
	by := func(j int, change func(d, mu float64) float64) func(dst [][]float64, x, p []float64) {
		return func(dst [][]float64, x, p []float64) {
			right.Gradients(dst, x, p)
			mu := make([]float64, len(x))
			shape.Grades(mu, x, p)
			for i, d := range dst[j] {
				dst[j][i] = change(d, mu[i])
			}
		}
	}
	for j, param := range params {
		add("dmu/d"+param.Name+" has the wrong sign", by(j, func(d, _ float64) float64 { return -d }))
	}
	last := len(params) - 1
	add("dmu/d"+params[last].Name+" lacks a factor 2", by(last, func(d, _ float64) float64 { return d / 2 }))
	add("dmu/d"+params[0].Name+" has an extra factor mu", by(0, func(d, mu float64) float64 { return d * mu }))
	add("shifted by one sample", func(dst [][]float64, x, p []float64) {
		right.Gradients(dst, slices.Concat(x[1:], x[:1]), p)
	})
	if last > 0 {
		add("two parameters swapped", func(dst [][]float64, x, p []float64) {
			right.Gradients(slices.Concat([][]float64{dst[1], dst[0]}, dst[2:]), x, p)
		})
	}
	if vanishes(shape) {
		add("dmu/d"+params[0].Name+" is not zero outside", by(0, func(d, mu float64) float64 {
			if mu == 0 {
				return 1
			}
			return d
		}))
	}
	return mutants
}

// vanishes reports whether grades are zero far from the center.
func vanishes(shape membership.Function) bool {
	mu := []float64{-30, 30}
	shape.Grades(mu, mu, shape.Place(0, 1))
	return mu[0] == 0 && mu[1] == 0 && !inLogarithms(shape)
}

// altered is a route that runs on an altered problem.
type altered struct {
	route
	alter func(p *problem) // of a shallow copy
}

// run runs the route on the altered problem.
func (a altered) run(p *problem) (*solution, error) {
	other := *p
	a.alter(&other)
	return a.route.run(&other)
}

// limited is a wrong route whose mistake has an effect on some problems only.
type limited struct {
	route
	to func(p *problem) bool
}

// withShape is the route with another shape in the rulebase.
func withShape(r route, shape membership.Function) route {
	return altered{r, func(p *problem) {
		rb := *p.RuleBase
		rb.Shape = shape
		p.RuleBase = &rb
	}}
}

// inputMutants have wrong inputs of a route.
func inputMutants() []mutant {
	masked := func(wrong string, change func(n, r int, mask [][]float64) float64) mutant {
		return mutant{wrong, "mask", altered{autodiff, func(p *problem) {
			changed := make([][]float64, len(p.Mask))
			for n, row := range p.Mask {
				changed[n] = make([]float64, len(row))
				for r := range row {
					changed[n][r] = change(n, r, p.Mask)
				}
				changed[n][0] = max(changed[n][0], 1-slices.Max(changed[n])) // keeps at least one
			}
			p.Mask = changed
		}}}
	}
	return []mutant{
		masked("mask dropped", func(int, int, [][]float64) float64 { return 1 }),
		masked("mask inverted", func(n, r int, mask [][]float64) float64 { return 1 - mask[n][r] }),
		masked("mask of the next sample", func(n, r int, mask [][]float64) float64 { return mask[(n+1)%len(mask)][r] }),
		masked("mask of the next rule", func(n, r int, mask [][]float64) float64 { return mask[n][(r+1)%len(mask[n])] }),
		{"features one column off", "batch", altered{autodiff, func(p *problem) {
			shifted := make([][]float64, len(p.X))
			for n, x := range p.X {
				shifted[n] = slices.Concat(x[1:], x[:1])
			}
			p.X = shifted
		}}},
		{"consequents use the antecedents' features", "batch", altered{autodiff, func(p *problem) {
			same := make([][]float64, len(p.X))
			for n, x := range p.X {
				same[n] = p.RuleBase.IfPart(x)
			}
			p.X = same
		}}},
	}
}

// formula is the type of the methods Expr and LogExpr.
type formula func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term

// wrongShape is a shape with methods that can be replaced.
type wrongShape struct {
	membership.Function
	expr, logExpr     formula
	grades, logGrades func(dst, x, p []float64)
	gradients         func(dst [][]float64, x, p []float64)
}

func (w wrongShape) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return w.expr(b, x, p)
}
func (w wrongShape) Grades(dst, x, p []float64)                { w.grades(dst, x, p) }
func (w wrongShape) Gradients(dst [][]float64, x, p []float64) { w.gradients(dst, x, p) }

// wrongLogShape is one in log space.
type wrongLogShape struct{ wrongShape }

func (w wrongLogShape) LogExpr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return w.logExpr(b, x, p)
}
func (w wrongLogShape) LogGrades(dst, x, p []float64) { w.logGrades(dst, x, p) }

// changed returns a shape with other methods, which change sets. It is in log space, and bordered, if and only if the correct one is,
// so that every route treats both alike.
func changed(shape membership.Function, change func(w *wrongShape)) membership.Function {
	w := wrongShape{Function: shape, expr: shape.Expr, grades: shape.Grades}
	if g, ok := shape.(membership.Gradients); ok {
		w.gradients = g.Gradients
	}
	l, log := shape.(membership.LogFunction)
	if log {
		w.logExpr, w.logGrades = l.LogExpr, l.LogGrades
	}
	change(&w)
	b, bordered := shape.(membership.Bordered)
	switch {
	case log && bordered:
		return struct {
			wrongLogShape
			membership.Bordered
		}{wrongLogShape{w}, b}
	case log:
		return wrongLogShape{w}
	case bordered:
		return struct {
			wrongShape
			membership.Bordered
		}{w, b}
	}
	return w
}

// withExpr changes Expr and LogExpr.
func withExpr(shape membership.Function, change func(formula) formula) membership.Function {
	return changed(shape, func(w *wrongShape) { w.expr, w.logExpr = change(w.expr), change(w.logExpr) })
}

// withGrades changes every grade, and its logarithm.
func withGrades(shape membership.Function, change, changeLog func(float64) float64) membership.Function {
	each := func(right func(dst, x, p []float64), change func(float64) float64) func(dst, x, p []float64) {
		return func(dst, x, p []float64) {
			right(dst, x, p)
			for i, v := range dst {
				dst[i] = change(v)
			}
		}
	}
	return changed(shape, func(w *wrongShape) { w.grades, w.logGrades = each(w.grades, change), each(w.logGrades, changeLog) })
}
