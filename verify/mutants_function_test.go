package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/membership"
)

// functionMutants have a wrong method of the membership function: Gradients, which only
// the closed form uses, the expression, which only autodiff uses, or the grades, which the
// finite differences use.
func functionMutants(shape membership.Function) []Mutant {
	mutants := append(expressionMutants(shape), Mutant{
		"the square of mu", "membership: Grades",
		withShape(FiniteDifference{}, withGrades(shape,
			func(mu float64) float64 { return mu * mu },
			func(logMu float64) float64 { return 2 * logMu })),
	})
	if _, ok := shape.(membership.Gradients); ok {
		mutants = append(mutants, gradientMutants(shape)...)
	}
	return mutants
}

func expressionMutants(shape membership.Function) []Mutant {
	mutant := func(wrong string, change func(formula) formula) Mutant {
		return Mutant{wrong, "membership: Expr", withShape(Autodiff{}, withExpr(shape, change))}
	}
	mutants := []Mutant{
		mutant("the square of mu", func(right formula) formula {
			return func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				if mu := right(b, x, p); !inLogarithms(shape) {
					return b.Square(mu)
				} else {
					return b.Mul(b.Const(2), mu)
				}
			}
		}),
		mutant("x has the wrong sign", func(right formula) formula {
			return func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				return right(b, b.Neg(x), p)
			}
		}),
	}
	if len(shape.Params()) > 1 {
		mutants = append(mutants, mutant("two parameters swapped", func(right formula) formula {
			return func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				return right(b, x, slices.Concat([]membership.Term{p[1], p[0]}, p[2:]))
			}
		}))
	}
	return mutants
}

func gradientMutants(shape membership.Function) []Mutant {
	var mutants []Mutant
	right, params := shape.(membership.Gradients), shape.Params()
	add := func(wrong string, g gradients) {
		mutants = append(mutants, Mutant{wrong, "membership: Gradients", withShape(ClosedForm{}, withGradients(shape, g))})
	}
	// changed changes the derivative by parameter j, given the grade.
	changed := func(j int, change func(d, mu float64) float64) gradients {
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
		add("dmu/d"+param.Name+" has the wrong sign", changed(j, func(d, _ float64) float64 { return -d }))
	}
	last := len(params) - 1
	add("dmu/d"+params[last].Name+" lacks a factor 2", changed(last, func(d, _ float64) float64 { return d / 2 }))
	add("dmu/d"+params[0].Name+" has an extra factor mu", changed(0, func(d, mu float64) float64 { return d * mu }))
	add("shifted by one sample", func(dst [][]float64, x, p []float64) {
		right.Gradients(dst, slices.Concat(x[1:], x[:1]), p)
	})
	if last > 0 {
		add("two parameters swapped", func(dst [][]float64, x, p []float64) {
			right.Gradients(slices.Concat([][]float64{dst[1], dst[0]}, dst[2:]), x, p)
		})
	}
	if vanishes(shape) {
		add("dmu/d"+params[0].Name+" is not zero outside", changed(0, func(d, mu float64) float64 {
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
