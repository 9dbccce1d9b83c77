package pages

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/page"
)

const (
	resamples     = 20
	mostDrawn     = 10_000 // rows of a sample
	leastInCommon = 0.75   // of the rows that meet either of two rules, of one that is found again
	again         = 0x616761696e
)

// resampled is what a page of a sample says of all rows.
type resampled struct {
	conditions [][]page.Condition // of each rule
	leaf       []int              // [n]
	value      []float64          // [n]
}

// stability searches pages of the same setting in samples of the rows, and sets what the page says about being found again.
func stability(ctx context.Context, s Samples, o Options, set setting, v *version, pg *page.Page) error {
	all, failed := make([]*resampled, resamples), make([]error, resamples)
	parallel.Each(resamples, func(k int) {
		all[k], failed[k] = resample(ctx, s, o, set, rand.New(rand.NewPCG(o.Seed, again+uint64(k))))
	})
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	_, mean, sd := scaled(s.Y, s.Weight)
	own := v.said(s, mean, sd)
	for _, r := range all {
		pg.Moved += distance(r.value, own.value, s.Weight) / sd / resamples
	}
	pg.Moved = numeric.Round(pg.Moved, 2)
	for l := range pg.Rules {
		pg.Rules[l].Again = found(&pg.Rules[l], all, own.leaf, l, s.Weight)
	}
	return nil
}

// resample draws as many rows as there are, at most mostDrawn, with replacement, and returns what the page of these says of all rows.
func resample(ctx context.Context, s Samples, o Options, set setting, random *rand.Rand) (*resampled, error) {
	n := len(s.Y)
	drawn := make([]float64, n)
	for range min(n, mostDrawn) {
		drawn[random.IntN(n)]++
	}
	var rows []int
	for i, times := range drawn {
		if times > 0 {
			rows = append(rows, i)
		}
	}
	part := s.at(rows)
	part.Weight = make([]float64, len(rows))
	for i, r := range rows {
		part.Weight[i] = drawn[r] * numeric.WeightAt(s.Weight, r)
	}
	mean := numeric.WeightSum(part.Weight, len(rows)) / float64(len(rows))
	for i := range part.Weight {
		part.Weight[i] /= mean
	}
	f := newFrame(part)
	y, mean, sd := scaled(part.Y, part.Weight)
	o.Rules = set.rules
	drafts, err := f.drafts(ctx, y, mean/sd, o, set)
	if err != nil {
		return nil, err
	}
	sizes := drafts[len(drafts)-1]
	versions := sizes[len(sizes)-1].solve().path([]int{math.MaxInt, set.budget})
	v := versions[1]
	if v == nil { // it cannot be as small
		v = versions[0]
	}
	return v.said(s, mean, sd), ctx.Err()
}

// said returns what a version of other rows says of some, its target having this mean and standard deviation.
func (v *version) said(s Samples, mean, sd float64) *resampled {
	f := v.f.applied(s)
	r := &resampled{leaf: f.leafOf(v.tree)}
	for _, leaf := range v.tree {
		r.conditions = append(r.conditions, v.f.conditions(leaf.path))
	}
	parts := make([]part, len(v.parts))
	for k := range parts {
		parts[k] = v.parts[k].on(f)
	}
	r.value = v.predict(f, parts, r.leaf)
	for i, p := range r.value {
		r.value[i] = mean + float64(sd*p)
	}
	return r
}

// found counts the samples that have a rule like the l-th, and collects the places of its borders there.
func found(rule *page.Rule, all []*resampled, leaf []int, l int, weight []float64) *page.Again {
	a := &page.Again{Samples: len(all)}
	places := make([][]float64, len(borders(rule.Conditions)))
	for _, r := range all {
		k, share := r.counterpart(leaf, l, weight)
		if share < leastInCommon || !alike(rule.Conditions, r.conditions[k]) {
			continue
		}
		a.Found++
		for i, b := range borders(sorted(r.conditions[k], rule.Conditions)) {
			places[i] = append(places[i], b.At)
		}
	}
	for _, at := range places {
		if slices.Sort(at); len(at) > 0 {
			skip := len(at) / 20
			a.Borders = append(a.Borders, [2]float64{at[skip], at[len(at)-1-skip]})
		}
	}
	return a
}

// counterpart returns the rule of a sample that has the most rows in common with rule l, and the share of these among those of either.
func (r *resampled) counterpart(leaf []int, l int, weight []float64) (k int, share float64) {
	both, theirs, ours := make([]float64, len(r.conditions)), make([]float64, len(r.conditions)), 0.0
	for i, at := range leaf {
		w := numeric.WeightAt(weight, i)
		theirs[r.leaf[i]] += w
		if at == l {
			ours += w
			both[r.leaf[i]] += w
		}
	}
	for i, b := range both {
		if of := b / (ours + theirs[i] - b); of > share {
			k, share = i, of
		}
	}
	return k, share
}

// alike reports whether conditions are on the same sides of the same columns.
func alike(a, b []page.Condition) bool {
	if len(a) != len(b) {
		return false
	}
	for _, c := range a {
		k := slices.IndexFunc(b, func(d page.Condition) bool { return d.Column == c.Column })
		if k < 0 || (c.Above == nil) != (b[k].Above == nil) || (c.AtMost == nil) != (b[k].AtMost == nil) {
			return false
		}
	}
	return true
}

// sorted returns conditions in the order of those on the same columns.
func sorted(conditions, like []page.Condition) (out []page.Condition) {
	for _, c := range like {
		k := slices.IndexFunc(conditions, func(d page.Condition) bool { return d.Column == c.Column })
		out = append(out, conditions[k])
	}
	return out
}

// borders returns the borders of conditions.
func borders(conditions []page.Condition) (all []*page.Border) {
	for _, c := range conditions {
		for _, b := range []*page.Border{c.Above, c.AtMost} {
			if b != nil {
				all = append(all, b)
			}
		}
	}
	return all
}

// distance returns the root mean square difference.
func distance(a, b, weight []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(numeric.WeightAt(weight, i) * float64((v-b[i])*(v-b[i])))
	}
	return math.Sqrt(sum / numeric.WeightSum(weight, len(a)))
}
