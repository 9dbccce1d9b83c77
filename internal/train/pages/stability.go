package pages

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
}

// places are where a rule has its borders in a sample; nil: it is not found again.
type places []float64

// resample searches pages of settings in random samples of the rows, and for the rules of those of all rows. It returns the places of
// these [settings][samples].
func (c *team) resample(ctx context.Context, all []score) ([][][]places, error) {
	settings := make([]setting, len(all))
	for k, of := range all {
		settings[k] = of.setting
	}
	done := c.o.counter(StageSamples, resamples)
	_, err := c.each(ctx, resamples, func(k int) question {
		return question{Ask: askSample, K: k, Settings: settings, done: done, step: 1}
	})
	found := make([][][]places, len(all))
	for k, of := range all {
		if err == nil {
			found[k], err = c.places(ctx, of, k, of.leafs())
		}
	}
	return found, err
}

// places finds the rules of a page, the setting of which has this place among those of the samples, and which decide these rows, in each
// sample.
func (c *team) places(ctx context.Context, of score, at int, rule []int) ([][]places, error) {
	conditions := make([][]page.Condition, len(of.tree))
	for l, leaf := range of.tree {
		conditions[l] = of.f.conditions(leaf.path)
	}
	answers, err := c.each(ctx, resamples, func(k int) question {
		return question{Ask: askPlaces, K: k, Settings: []setting{of.setting}, At: at, Conditions: conditions, Rule: rule}
	})
	found := make([][]places, len(answers))
	for k, a := range answers {
		found[k] = a.Places
	}
	return found, err
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
func (r *resampled) grow(ctx context.Context, o Options, all []setting) error {
	r.drafts = make([][]*draft, len(all))
	for k, of := range all {
		if r.drafts[k] != nil {
			continue
		}
		like := func(b setting) bool { return b.kind == of.kind && b.tables == of.tables }
		most := o
		most.Rules = 1
		for _, b := range all {
			if like(b) {
				most.Rules = max(most.Rules, b.rules)
			}
		}
		drafts, err := r.f.drafts(ctx, r.y, r.mean/r.sd, most, of)
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

// foundAgain returns the share of the rules of a page that samples have.
func foundAgain(found [][]places) (share float64) {
	for _, rules := range found {
		for _, p := range rules {
			if p != nil {
				share += 1 / float64(len(rules)*len(found))
			}
		}
	}
	return share
}

// note sets what a page, of a version with this place among the settings of the samples, says about being found again.
func (c *team) note(ctx context.Context, pg *page.Page, found [][]places, at int, of score) error {
	_, mean, sd := scaled(c.s.Y, c.s.Weight)
	value := of.version.said(c.s, mean, sd)
	answers, err := c.each(ctx, resamples, func(k int) question {
		return question{Ask: askMoved, K: k, Settings: []setting{of.setting}, At: at, Value: value}
	})
	if err != nil {
		return err
	}
	for _, a := range answers {
		pg.Moved += a.Moved / resamples
	}
	if pg.Moved = numeric.Round(pg.Moved, 2); pg.Moved < leastMoved {
		pg.Moved = 0
	}
	for l := range pg.Rules {
		a := &page.Again{Samples: len(found)}
		places := make([][]float64, len(borders(pg.Rules[l].Conditions)))
		for _, rules := range found {
			if p := rules[l]; p != nil {
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
	return nil
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

// foundIn returns the places of the rules of a page, which have conditions and decide these rows, in a draft of a sample, whose frame is
// applied to all rows.
func foundIn(conditions [][]page.Condition, d *draft, f *frame, rule []int, weight []float64) []places {
	theirs, out := f.leafOf(d.tree), make([]places, len(conditions))
	for l, own := range conditions {
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
