package verify

import (
	"math"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// gradesOf returns the grades of the samples, or their logarithms in log space, [B][R][M].
func gradesOf(rb *rules.RuleBase, x [][]float64) [][][]float64 {
	grade := rb.Shape.Grades
	if rb.LogSpace() {
		grade = rb.Shape.(membership.LogFunction).LogGrades
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

// firing returns the weights f [R] of the rules for a sample from its grades [R][M], firing
// levels for TSK, and their derivatives by the grades, [R][M], on a common scale; zero for
// dropped rules.
func (s steps) firing(rb *rules.RuleBase, grades [][]float64, keep []float64) (f []float64, byGrade [][]float64) {
	weights := s.weights
	if rb.LogSpace() {
		weights = s.logWeights
	}
	f, byGrade = weights(rb, grades, keep)
	if sum(f) <= rules.MinFiring {
		all := make([]float64, len(keep))
		for r := range all {
			all[r] = 1
		}
		f, byGrade = weights(rb, grades, all)
	}
	return f, byGrade
}

// weights computes them from grades.
func (s steps) weights(rb *rules.RuleBase, grades [][]float64, keep []float64) (f []float64, byGrade [][]float64) {
	norm, by := inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	f, byGrade = make([]float64, len(grades)), make([][]float64, len(grades))
	for r, mu := range grades {
		byGrade[r] = make([]float64, len(mu))
		if keep[r] == 0 {
			continue
		}
		level := []float64{1}
		for m := range mu {
			norm.Join(level, mu[m:m+1])
		}
		byGrade[r] = s.others(norm, mu)
		byLevel := s.weight(inference.WeightGradient(by, level[0], len(mu), false))
		for m := range mu {
			byGrade[r][m] *= byLevel
		}
		inference.Weigh(by, level, len(mu), false)
		f[r] = level[0]
	}
	return f, byGrade
}

// logWeights computes them from logarithms of grades. On the common scale the largest weight
// of a kept rule is one.
func (s steps) logWeights(rb *rules.RuleBase, logGrades [][]float64, keep []float64) (f []float64, byGrade [][]float64) {
	norm, by := inference.OrProduct(rb.TNorm).(inference.LogTNorm), inference.OrTSK(rb.Defuzzification)
	f, byGrade = make([]float64, len(logGrades)), make([][]float64, len(logGrades))
	top := math.Inf(-1)
	for r, z := range logGrades {
		level := []float64{0}
		for m := range z {
			norm.JoinLogs(level, z[m:m+1])
		}
		byGrade[r] = make([]float64, len(z))
		norm.LogGradient(byGrade[r], z)
		byLevel := s.weight(inference.WeightGradient(by, level[0], len(z), true))
		inference.Weigh(by, level, len(z), true)
		f[r] = level[0]
		for m := range z {
			byGrade[r][m] *= byLevel
		}
		if keep[r] != 0 {
			top = max(top, f[r])
		}
	}
	for r, z := range logGrades {
		w := f[r] - top
		if f[r] = math.Exp(w); keep[r] == 0 || f[r] == 0 {
			f[r] = 0
			clear(byGrade[r])
			continue
		}
		for m, v := range z {
			byGrade[r][m] *= math.Exp(w - v)
		}
	}
	return f, byGrade
}

// byGrades returns the derivatives of T(mu_1, ..., mu_M).
func byGrades(t inference.TNorm, mu []float64) []float64 {
	by := make([]float64, len(mu))
	t.Gradient(by, mu)
	return by
}
