package pages

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

const (
	mostCycles = 6   // of fits of the scores of classes in turn
	mostJoined = 400 // rules of which each joins one of each page
)

// FindEach finds the pages of several outputs, of the same rows and columns, whose numbers together are at most those of the options:
// each has an equal share of what those before it leave.
//
//   - Scores of classes are fitted together, so that their cross-entropy is least.
//   - Quantiles, of several of which the samples have the same targets, share the structure of a page of the median; their numbers are
//     their own.
//   - Pages of other outputs are found one by one.
//
// Errors are those of [Find].
func FindEach(ctx context.Context, all []Samples, o Options) ([]*Found, error) {
	for rules := o.Rules; rules > 1 && math.Pow(float64(rules), float64(len(all))) > mostJoined; rules-- {
		o.Rules = rules - 1
	}
	if _, quantile := all[0].Loss.(Quantile); quantile && len(all) > 1 {
		return findQuantiles(ctx, all, o)
	}
	o.steps = len(all) > 1 // ramps of one column, and factors, in several pages would have to be equal
	left := o.Numbers
	var out []*Found
	for c, s := range all {
		one := o
		one.Numbers = max(1, left/(len(all)-c))
		found, err := Find(ctx, s, one)
		if err != nil {
			return nil, err
		}
		left -= found.Page.Numbers()
		out = append(out, found)
	}
	if len(all) == 1 || !all[0].scores() {
		return out, nil
	}
	pages := make([]*page.Page, len(out))
	for c, f := range out {
		pages[c] = f.Page
	}
	pages, err := RefitEach(all, nil, pages, o)
	for c := range pages {
		out[c].Page = pages[c]
	}
	return out, err
}

// findQuantiles finds the page of the median, and fits it to each of the quantiles. That of the level nearest to it has what the page says
// of other samples.
func findQuantiles(ctx context.Context, all []Samples, o Options) (out []*Found, err error) {
	median := all[0]
	median.Loss = Absolute{}
	o.Numbers = max(1, o.Numbers/len(all))
	shared, err := Find(ctx, median, o)
	if err != nil {
		return nil, err
	}
	middle := func(s Samples) float64 { return math.Abs(s.Loss.(Quantile).Level - 0.5) }
	nearest := slices.MinFunc(all, func(a, b Samples) int { return cmp.Compare(middle(a), middle(b)) })
	for _, s := range all {
		fitted := Refit
		if s.Target == nearest.Target { // what is known of the median's page is said once
			fitted = refitted
		}
		own, err := fitted(s, shared.Page, o)
		if err != nil {
			return nil, err
		}
		own.Target, own.Unit = s.Target, s.Unit
		out = append(out, &Found{Page: own, Sizes: shared.Sizes})
	}
	return out, nil
}

// RefitEach is [Refit] for pages of several outputs, to some rows, nil: all, with what they say of other samples and sizes. Those of scores
// of classes are fitted in turn: given the scores of the others, that of a class is the log odds of it, plus an offset.
func RefitEach(all []Samples, rows []int, pages []*page.Page, o Options) ([]*page.Page, error) {
	all = slices.Clone(all)
	for c := range all {
		if rows != nil {
			all[c] = all[c].at(rows)
		}
	}
	out, cycles := make([]*page.Page, len(pages)), 1
	score := make([][]float64, len(pages))
	together := len(all) > 1 && all[0].scores()
	if together {
		cycles = mostCycles
		for c, s := range all {
			score[c] = make([]float64, len(s.Y))
		}
	}
	for cycle := range cycles {
		for c, s := range all {
			if together && cycle > 0 {
				s.offset = make([]float64, len(s.Y))
				for i := range s.offset {
					s.offset[i] = -logSum(score, c, i)
				}
			}
			var err error
			if out[c], err = refitted(s, pages[c], o); err != nil {
				return nil, err
			}
			if together {
				score[c] = s.values(out[c], s.shares(out[c]))
			}
		}
	}
	return out, nil
}

// logSum returns the logarithm of the sum of e^score of row i over all classes but one.
func logSum(score [][]float64, but, i int) float64 {
	top, sum := math.Inf(-1), 0.0
	for c := range score {
		if c != but {
			top = max(top, score[c][i])
		}
	}
	for c := range score {
		if c != but {
			sum += 1 + numeric.Expm1(score[c][i]-top)
		}
	}
	return top + numeric.Log1p(sum-1)
}
