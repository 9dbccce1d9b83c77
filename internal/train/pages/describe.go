package pages

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// recentre sets what the rules are about, so that rounding the others costs nothing, and what they say about their rows.
func (f *fitted) recentre() {
	pg := f.page
	terms, ridge := *pg, slices.Repeat([]float64{1e-6}, len(pg.Rules)) // without limits and factors, and rules about zero
	terms.Low, terms.High, terms.Rules = 0, 0, slices.Clone(pg.Rules)
	for r := range terms.Rules {
		terms.Rules[r].About = 0
	}
	if pg.Factors {
		terms.Tables, terms.Factors = nil, false
	}
	for r, about := range f.abouts(f.s.values(&terms, f.share), ridge) {
		pg.Rules[r].About = roundNear(f.mean+about, f.step)
	}
	f.describe()
}

// abouts returns what the rules are about less the mean, where rest is all else of the value but factors.
func (f *fitted) abouts(rest, ridge []float64) []float64 {
	if f.s.Loss != nil {
		abouts := f.costOfAbouts(rest).minimum()
		for r := range abouts {
			abouts[r] *= f.sd
		}
		return abouts
	}
	target, weight := f.over()
	for i, v := range rest {
		target[i] -= v
	}
	abouts, _ := leastSquares(f.share, target, weight, 1, ridge, nil)
	return abouts
}

// describe sets what the rules say about their rows.
func (f *fitted) describe() {
	pg := f.page
	_, quantile := f.s.Loss.(Quantile)
	pg.Class, pg.Below = f.s.Class, quantile
	value := f.s.values(pg, f.share)
	below := make([]float64, len(value))
	for i, v := range value {
		if f.s.Y[i] <= v {
			below[i] = 100
		}
		value[i] = math.Abs(v - f.s.Y[i])
	}
	for r := range pg.Rules {
		rule, rows := &pg.Rules[r], f.rows(r)
		rule.Rows, rule.Mean, rule.Within, rule.Percent = len(rows), 0, 0, 0
		switch {
		case rows == nil:
		case pg.Class != "":
			rule.Percent = roundPercent(100 * f.own(r, f.s.seen()))
		default:
			rule.Mean = roundNear(f.own(r, f.s.Y), f.step)
			if pg.Below {
				rule.Percent = roundPercent(f.own(r, below))
				break
			}
			rule.Within = nineInTen(pick(value, rows), f.step)
		}
	}
}

// Rank orders the rules of a page of the samples, and so numbers them, by the rows that they decide, the most first. Where two rules share
// a row equally, the first decides it: what the rules say about their rows follows.
func Rank(s Samples, pg *page.Page) {
	slices.SortStableFunc(pg.Rules, func(a, b page.Rule) int { return cmp.Compare(b.Rows, a.Rows) })
	before := slices.Clone(pg.Rules)
	f := &fitted{page: pg, evaluation: newEvaluation(pg, s), share: s.shares(pg), weight: numeric.EachWeight(s.Weight, len(s.Y)), sd: 1}
	if f.strong = strongest(f.share); !s.scores() {
		_, _, f.sd = scaled(s.Y, s.Weight)
	}
	squares := 0.0
	for i, v := range s.values(pg, f.share) {
		squares += float64(f.weight[i] * float64((v-s.Y[i])*(v-s.Y[i])))
	}
	f.step = stepOf(f.sd, math.Sqrt(squares/sumOf(f.weight)))
	f.describe()
	for r, was := range before {
		if now := &pg.Rules[r]; now.Rows == was.Rows {
			*now = was
		}
	}
}

// roundPercent rounds a percentage to a whole number or, below 1 and above 99, to a tenth.
func roundPercent(p float64) float64 {
	if p < 1 || p > 99 {
		return numeric.RoundTo(p, -1)
	}
	return numeric.RoundTo(p, 0)
}

// rows returns the own rows of a rule: those of which it has the largest grade.
func (f *fitted) rows(rule int) (rows []int) {
	for i, r := range f.strong {
		if r == rule {
			rows = append(rows, i)
		}
	}
	return rows
}

// own returns the mean of values [n] over the own rows of a rule; zero without rows.
func (f *fitted) own(rule int, values []float64) float64 {
	rows := f.rows(rule)
	if rows == nil {
		return 0
	}
	return numeric.WeightedMean(pick(values, rows), pick(f.weight, rows))
}

// nineInTen sorts errors, and returns the one that nine in ten of them do not exceed, rounded up to two digits; zero if they are far below
// the step that values are rounded to.
func nineInTen(errors []float64, step float64) float64 {
	slices.Sort(errors)
	v := errors[int(math.Ceil(0.9*float64(len(errors))))-1]
	if v < 1e-6*step {
		return 0
	}
	return outwards(v, power(1, decade(v)-1), 1)
}
