package pages

import (
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/page"
)

// rampGain is the share of the error in cross-validation that a ramp must save, and more than the standard error of what it saves.
const rampGain = 0.005

// halves are the distances of the ends of ramps from their borders that are tried, in standard deviations of the column in the rows that
// the border divides.
var halves = []float64{0.1, 0.25, 0.5, 1}

// moves are those of the ends of a ramp that are tried, in widths of it, and moveGain the share of the error that one must save.
var moves = [][2]float64{{-0.2, 0}, {0.2, 0}, {0, -0.2}, {0, 0.2}, {-0.2, -0.2}, {0.2, 0.2}, {-0.1, 0.1}, {0.1, -0.1}}

const (
	moveGain    = 0.001
	mostRounds  = 40
	leastInRamp = 3 // different values of the column between the ends of a ramp
)

// leastRoom is the number of numbers that a ramp costs at least.
const leastRoom = 4

// withRamps returns a page some of whose borders are ramps, fitted again, and its error as a share of that of the page: one border after
// another becomes the ramp that saves most, while the numbers are within the limit. It is the page itself, and 1, if none saves enough. The
// numbers alone are cross-validated, so the share tells candidates apart, and is too small as an error in cross-validation.
func withRamps(ctx context.Context, s Samples, pg *page.Page, o Options) (*page.Page, float64, error) {
	if splits, ok := pg.Splits(); o.steps || !ok || len(splits) == 0 {
		return pg, 1, nil
	}
	folds := s.folds(o.Seed)
	first, err := newFitted(s, pg, o)
	if err != nil {
		return nil, 0, err
	}
	before, squares := first.crossValidated(folds)
	best, least := pg, before
	for range mostRounds {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		candidates := s.ramped(best, first, o)
		errors, of := make([]float64, len(candidates)), make([][]float64, len(candidates))
		parallel.Each(len(candidates), func(k int) {
			errors[k] = 2 * least
			if ctx.Err() != nil {
				return
			}
			if f, err := newFitted(s, candidates[k].page, o); err == nil && f.decide() {
				var e float64
				if e, of[k] = f.crossValidated(folds); e < (1-candidates[k].gain)*least && surely(squares, of[k]) {
					errors[k] = e
				}
			}
		})
		k := slices.Index(errors, slices.Min(append(errors, least)))
		if k < 0 {
			break
		}
		best, least, squares = candidates[k].page, errors[k], of[k]
	}
	if best == pg {
		return pg, 1, nil
	}
	best, err = Refit(s, best, o)
	return best, least / before, err
}

// surely reports whether the sums of squared errors of the folds fall by more than the standard error of what they fall by.
func surely(before, after []float64) bool {
	n := float64(len(before))
	mean, sum := (sumOf(before)-sumOf(after))/n, 0.0
	for k := range before {
		d := before[k] - after[k] - mean
		sum += float64(d * d)
	}
	return mean > math.Sqrt(sum/(n-1)/n)
}

// decide reports whether each rule is the one of the largest share for half of the rows that a rule without ramps must have.
func (f *fitted) decide() bool {
	of := make([]float64, len(f.page.Rules))
	for i, r := range f.strong {
		of[r] += f.weight[i]
	}
	return slices.Min(of) >= leastRows(sumOf(f.weight))/2
}

// candidate is a page with another ramp, and the share of the error that it must save.
type candidate struct {
	page *page.Page
	gain float64
}

// ramped returns the pages of which one border more is a ramp, or a ramp has other ends.
func (s Samples) ramped(pg *page.Page, f *fitted, o Options) (all []candidate) {
	splits, _ := pg.Splits()
	for _, split := range splits {
		if split.Border == nil {
			continue
		}
		rules := slices.Concat(split.Below, split.Above)
		var values, weight []float64
		of := s.column(split.Column, false).Values
		for i, r := range f.strong {
			if slices.Contains(rules, r) {
				values, weight = append(values, of[i]), append(weight, f.weight[i])
			}
		}
		if len(values) == 0 {
			continue
		}
		sd, distinct := deviation(values, weight), slices.Compact(slices.Sorted(slices.Values(values)))
		low, high := distinct[0], distinct[len(distinct)-1]
		add := func(ramp page.Border, gain float64) {
			if ramp == *split.Border || !(low <= ramp.From && ramp.From < ramp.To && ramp.To <= high) || valuesIn(distinct, ramp) < leastInRamp {
				return
			}
			next := replaced(pg, rules, split.Column, *split.Border, ramp)
			if next.Numbers() <= o.Numbers && next.Validate() == nil {
				all = append(all, candidate{next, gain})
			}
		}
		for _, half := range halves {
			add(around(split.Border.At, half*sd), rampGain)
		}
		if from, to := split.Border.From, split.Border.To; from < to {
			for _, move := range moves {
				add(RoundRamp(from+float64(move[0]*(to-from)), to+float64(move[1]*(to-from))), moveGain)
			}
		}
	}
	return all
}

// valuesIn counts those of ascending values that lie between the ends of a ramp.
func valuesIn(all []float64, ramp page.Border) int {
	from, found := slices.BinarySearch(all, ramp.From)
	if found {
		from++
	}
	to, _ := slices.BinarySearch(all, ramp.To)
	return to - from
}

// around returns a ramp with round ends at about this distance from a border.
func around(at, half float64) page.Border {
	half = numeric.Round(half, 1)
	if !(half > 0) {
		return page.Border{At: at, From: at, To: at}
	}
	place := decade(half) - 2
	return page.Border{At: at, From: numeric.RoundTo(at-half, place) + 0, To: numeric.RoundTo(at+half, place) + 0}
}

// RoundRamp returns a ramp with ends that are rounded to a tenth of its width at least.
func RoundRamp(from, to float64) page.Border {
	step := (to - from) / 10
	b := page.Border{From: roundNear(from, step), To: roundNear(to, step)}
	b.At = min(max(roundNear(b.From+float64((b.To-b.From)/2), step), b.From), b.To)
	return b
}

// replaced returns a page with another border of a column in the conditions of some rules.
func replaced(pg *page.Page, rules []int, column string, was, now page.Border) *page.Page {
	next := *pg
	next.Rules = slices.Clone(pg.Rules)
	for _, r := range rules {
		conditions := slices.Clone(next.Rules[r].Conditions)
		for k := range conditions {
			c := &conditions[k]
			for _, b := range []**page.Border{&c.Above, &c.AtMost} {
				if c.Column == column && *b != nil && (*b).From == was.From && (*b).To == was.To {
					*b = &now
				}
			}
		}
		next.Rules[r].Conditions = conditions
	}
	return &next
}

// shares returns the grades [R][n] of the rules of a valid page.
func (s Samples) shares(pg *page.Page) [][]float64 {
	all := make([][]float64, len(pg.Rules))
	for r, rule := range pg.Rules {
		all[r] = slices.Repeat([]float64{1}, len(s.Y))
		for _, c := range rule.Conditions {
			column := s.column(c.Column, c.Levels != nil)
			of := []float64{}
			for _, level := range append(slices.Clip(column.Levels), "") {
				of = append(of, c.Grade(0, level))
			}
			for i := range all[r] {
				if column.Levels == nil {
					all[r][i] *= c.Grade(column.Values[i], "")
				} else {
					all[r][i] *= of[column.Codes[i]]
				}
			}
		}
	}
	return all
}

// strongest returns the rule of the largest share of each row, of several the first.
func strongest(share [][]float64) []int {
	all := make([]int, len(share[0]))
	for i := range all {
		for r := range share {
			if share[r][i] > share[all[i]][i] {
				all[i] = r
			}
		}
	}
	return all
}

// values returns the values [n] of a page whose rules have these shares.
func (s Samples) values(pg *page.Page, share [][]float64) []float64 {
	e := newEvaluation(pg, s)
	for _, t := range pg.Terms {
		e.term(t, func(int) bool { return true })
	}
	factor := e.factor(pg)
	if !pg.Factors {
		for _, t := range pg.Tables {
			e.table(t)
		}
	}
	all := slices.Clone(e.out)
	for r, rule := range pg.Rules {
		for i := range e.out {
			e.out[i] = rule.About
		}
		for _, t := range rule.Terms {
			e.term(t, func(i int) bool { return share[r][i] > 0 })
		}
		for i, v := range e.out {
			all[i] += float64(share[r][i] * v)
		}
	}
	for i, v := range all {
		if all[i] = float64(v * factor[i]); pg.Low < pg.High {
			all[i] = min(max(all[i], pg.Low), pg.High)
		}
	}
	return all
}
