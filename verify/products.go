package verify

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// gradesOf returns the grades of the samples, or their logarithms for a
// [membership.LogFunction], [B][R][M].
func gradesOf(rb *rules.RuleBase, x [][]float64) [][][]float64 {
	grade := rb.Shape.Grades
	if s, ok := rb.Shape.(membership.LogFunction); ok {
		grade = s.LogGrades
	}
	p := make([]float64, len(rb.Antecedents))
	grades := make([][][]float64, len(x))
	for n, row := range x {
		for r := range rb.Consequents {
			mu := make([]float64, rb.Features())
			for m := range mu {
				grade(mu[m:m+1], row[m:m+1], rb.Function(p, r, m))
			}
			grades[n] = append(grades[n], mu)
		}
	}
	return grades
}

// firing returns the firing levels f [R] of a sample from its grades [R][M], and for each
// rule the products of all grades except one, [R][M], on a common scale; zero for dropped
// rules.
func (s steps) firing(shape membership.Function, grades [][]float64, keep []float64) (f []float64, others [][]float64) {
	product := s.products
	if _, logSpace := shape.(membership.LogFunction); logSpace {
		product = logProducts
	}
	f, others = product(grades, keep)
	if sum(f) <= rules.MinFiring {
		all := make([]float64, len(keep))
		for r := range all {
			all[r] = 1
		}
		f, others = product(grades, all)
	}
	return f, others
}

// products computes them by multiplication.
func (s steps) products(grades [][]float64, keep []float64) (f []float64, others [][]float64) {
	f, others = make([]float64, len(grades)), make([][]float64, len(grades))
	for r, mu := range grades {
		others[r] = make([]float64, len(mu))
		if keep[r] == 0 {
			continue
		}
		f[r] = 1
		for _, v := range mu {
			f[r] *= v
		}
		others[r] = s.others(mu)
	}
	return f, others
}

// logProducts computes them from sums of logarithms. On the common scale the strongest
// kept rule has firing level one.
func logProducts(logGrades [][]float64, keep []float64) (f []float64, others [][]float64) {
	f, others = make([]float64, len(logGrades)), make([][]float64, len(logGrades))
	top := math.Inf(-1)
	for r, z := range logGrades {
		if keep[r] != 0 {
			top = max(top, sum(z))
		}
	}
	for r, z := range logGrades {
		others[r] = make([]float64, len(z))
		level := sum(z) - top
		if keep[r] == 0 || math.Exp(level) == 0 {
			continue
		}
		f[r] = math.Exp(level)
		for m, v := range z {
			others[r][m] = math.Exp(level - v)
		}
	}
	return f, others
}

// leaveOneOut returns, for each factor, the product of all others.
func leaveOneOut(factors []float64) []float64 {
	others := make([]float64, len(factors))
	before, after := 1.0, 1.0
	for m, v := range factors {
		others[m] = before
		before *= v
	}
	for m := len(factors) - 1; m >= 0; m-- {
		others[m] *= after
		after *= factors[m]
	}
	return others
}
