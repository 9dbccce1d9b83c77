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
	leastMoved    = 1e-9 // standard deviations; less are rounding errors
)

// resampled is a random sample of the rows, and its pages.
type resampled struct {
	f        *frame
	y        []float64 // scaled
	mean, sd float64
	drafts   [][]*draft // [settings] with the tables of each, of 1, 2, ... rules
	places   [][]places // [settings][rules of the page of all rows]
}

// places are where a rule has its borders in a sample; nil: it is not found again.
type places []float64

// resample searches pages of settings in random samples of the rows, and for the rules of those of all rows.
func resample(ctx context.Context, s Samples, o Options, all []score) ([]*resampled, error) {
	samples, failed := make([]*resampled, resamples), make([]error, resamples)
	done := o.counter(StageSamples, resamples)
	parallel.Each(resamples, func(k int) {
		defer done()
		r := newResampled(s, rand.New(rand.NewPCG(o.Seed, again+uint64(k))))
		if failed[k] = r.grow(ctx, o, all); failed[k] != nil {
			return
		}
		samples[k] = r
		r.places = make([][]places, len(all))
	})
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	for k, of := range all {
		of.place(samples, k, s, of.leafs())
	}
	return samples, nil
}

// place finds the rules of page k, which decide these rows, in samples.
func (v score) place(samples []*resampled, k int, s Samples, rule []int) {
	parallel.Each(len(samples), func(i int) {
		r := samples[i]
		r.places[k] = v.foundIn(r.draft(k, v.rules), r.f.applied(s), rule, s.Weight)
	})
}

// draw returns how often each row is drawn, with replacement: as many rows as there are, at most mostDrawn, or whole groups instead.
func (s Samples) draw(random *rand.Rand) []float64 {
	n := len(s.Y)
	times := make([]float64, n)
	if s.Groups == nil {
		for range min(n, mostDrawn) {
			times[random.IntN(n)]++
		}
		return times
	}
	groups := slices.Max(s.Groups) + 1
	of := make([]float64, groups)
	for range (groups*min(n, mostDrawn) + n - 1) / n {
		of[random.IntN(groups)]++
	}
	for i, g := range s.Groups {
		times[i] = of[g]
	}
	return times
}

// newResampled draws a sample.
func newResampled(s Samples, random *rand.Rand) *resampled {
	var rows []int
	drawn := s.draw(random)
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
	r := &resampled{f: newFrame(part)}
	r.y, r.mean, r.sd = scaled(part.Y, part.Weight)
	return r
}

// grow grows the drafts of settings.
func (r *resampled) grow(ctx context.Context, o Options, all []score) error {
	r.drafts = make([][]*draft, len(all))
	for k, of := range all {
		if r.drafts[k] != nil {
			continue
		}
		like := func(b score) bool { return b.kind == of.kind && b.setting.tables == of.setting.tables }
		most := o
		most.Rules = 1
		for _, b := range all {
			if like(b) {
				most.Rules = max(most.Rules, b.rules)
			}
		}
		drafts, err := r.f.drafts(ctx, r.y, r.mean/r.sd, most, of.setting)
		if err != nil {
			return err
		}
		for l, b := range all {
			if like(b) {
				r.drafts[l] = drafts[len(drafts)-1]
			}
		}
	}
	return ctx.Err()
}

// draft returns the draft of setting k with so many rules, or fewer.
func (r *resampled) draft(k, rules int) *draft { return r.drafts[k][min(rules, len(r.drafts[k]))-1] }

// foundAgain returns the share of the rules of page k that samples have.
func foundAgain(samples []*resampled, k int) (share float64) {
	for _, r := range samples {
		for _, p := range r.places[k] {
			if p != nil {
				share += 1 / float64(len(r.places[k])*len(samples))
			}
		}
	}
	return share
}

// note sets what page k, of a version, says about being found again.
func note(pg *page.Page, samples []*resampled, k int, of score, s Samples) {
	_, mean, sd := scaled(s.Y, s.Weight)
	own := of.version.said(s, mean, sd)
	moved := make([]float64, len(samples))
	parallel.Each(len(samples), func(i int) {
		r := samples[i]
		versions := r.draft(k, of.rules).solve().path([]int{math.MaxInt, of.budget})
		v := versions[1]
		if v == nil { // it cannot be as small
			v = versions[0]
		}
		moved[i] = distance(v.said(s, r.mean, r.sd), own, s.Weight) / sd / resamples
	})
	for _, m := range moved {
		pg.Moved += m
	}
	if pg.Moved = numeric.Round(pg.Moved, 2); pg.Moved < leastMoved {
		pg.Moved = 0
	}
	for l := range pg.Rules {
		a := &page.Again{Samples: len(samples)}
		places := make([][]float64, len(borders(pg.Rules[l].Conditions)))
		for _, r := range samples {
			if p := r.places[k][l]; p != nil {
				a.Found++
				for i, at := range p {
					places[i] = append(places[i], at)
				}
			}
		}
		for _, at := range places {
			if slices.Sort(at); len(at) > 0 {
				skip := len(at) / 20
				a.Borders = append(a.Borders, [2]float64{at[skip], at[len(at)-1-skip]})
			}
		}
		pg.Rules[l].Again = a
	}
}

// said returns the value of a version of other rows at each of some, its target having this mean and standard deviation.
func (v *version) said(s Samples, mean, sd float64) []float64 {
	f := v.f.applied(s)
	parts := make([]part, len(v.parts))
	for k := range parts {
		parts[k] = v.parts[k].on(f)
	}
	value := v.predict(f, parts, f.leafOf(v.tree))
	for i, p := range value {
		value[i] = mean + float64(sd*p)
	}
	return value
}

// foundIn returns the places of the rules of a page, which decide these rows, in a draft of a sample, whose frame is applied to all rows.
func (v *version) foundIn(d *draft, f *frame, rule []int, weight []float64) []places {
	theirs, out := f.leafOf(d.tree), make([]places, len(v.tree))
	for l, leaf := range v.tree {
		own := v.f.conditions(leaf.path)
		k, share := counterpart(rule, l, theirs, len(d.tree), weight)
		if other := d.f.conditions(d.tree[k].path); share >= leastInCommon && alike(own, other) {
			out[l] = places{}
			for _, b := range borders(sorted(other, own)) {
				out[l] = append(out[l], b.At)
			}
		}
	}
	return out
}

// counterpart returns the leaf, of so many, of other rules that has the most rows in common with leaf l, and the share of these among those
// of either.
func counterpart(leaf []int, l int, other []int, leaves int, weight []float64) (k int, share float64) {
	both, theirs, ours := make([]float64, leaves), make([]float64, leaves), 0.0
	for i, at := range leaf {
		w := numeric.WeightAt(weight, i)
		theirs[other[i]] += w
		if at == l {
			ours += w
			both[other[i]] += w
		}
	}
	for i, b := range both {
		if of := b / (ours + theirs[i] - b); of > share {
			k, share = i, of
		}
	}
	return k, share
}

// SameRules reports whether each rule of a page has the largest share of some rows, at least half of those that a rule must have, and three
// quarters of the rows of either in common with the rule of the same number of another page of the samples.
func SameRules(s Samples, before, after *page.Page) bool {
	n, rules := float64(len(s.Y)), len(after.Rules)
	if len(before.Rules) != rules {
		return false
	}
	own, other := strongest(s.shares(before)), strongest(s.shares(after))
	for r := range rules {
		has := 0.0
		for _, k := range other {
			if k == r {
				has++
			}
		}
		if k, share := counterpart(own, r, other, rules, nil); k != r || share < leastInCommon || has < leastRows(n)/2 {
			return false
		}
	}
	return true
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
