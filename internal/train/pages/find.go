// Package pages finds the page of a table: a small partition of the rows by a tree of linear models with sparse, centred
// leaves, and a few tables of single columns, all with round numbers (see [page.Page]).
package pages

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// Samples are the rows of a training part, N of them.
type Samples struct {
	Columns []Column
	Y       []float64 // [N]
	Seen    []float64 // [N] what rules say about their rows; nil: Y, which a loss may smooth
	Weight  []float64 // [N], all positive and of mean one; nil: all one
	Groups  []int     // [N] from 0: rows that random samples have together; nil: each for itself
	Folds   []Fold    // of cross-validation, such as those of groups or of time; nil: FoldCount of them at random

	Target, Unit string
	Limits       *[2]float64 // of the value, see Options; nil: those of the options
	Together     [][]int     // groups of columns that may meet in a rule; nil: all

	Loss   Loss      // nil: the squared error
	Class  string    // of which the value is the log odds or a score
	offset []float64 // [N] of the values, of scores that are fitted with others; nil: none
	truth  *truth    // what the samples stand for; nil: themselves
}

// Fold is a fold of cross-validation: the rows to train on, and those held out, ascending.
type Fold struct{ Train, Held []int }

// column returns the column of a name that has levels, or numbers: the missing cells of numbers are a column of levels with the same name.
// It is nil if there is none.
func (s Samples) column(name string, levels bool) *Column {
	j := slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == name && (c.Levels != nil) == levels })
	if j < 0 {
		return nil
	}
	return &s.Columns[j]
}

// Column is an input column: numbers, or levels.
type Column struct {
	Name, Unit string
	Values     []float64 // [N] of numbers, all finite
	Levels     []string  // of a category; of the missing cells of the numbers of the same name [page.MissingLevel] alone
	Beside     bool      // whether these levels are those of missing cells
	Ordered    bool      // whether the levels have an order, in which they are split
	Codes      []int     // [N] of a category: the index of the level, len(Levels) for a cell that is none of them

	NoIf, NoThen bool // whether no condition, or neither terms nor a table may be on it
	Sign         int  // of numbers that no condition is on: 1, the value does not fall with it; -1, it does not rise; 0: either
}

// Size is a size of page that cross-validation compared.
type Size = page.Size

// Found is the page of a table.
type Found struct {
	Page  *page.Page
	Sizes []Size // the best of each number of numbers, with less error than all smaller ones, ascending
}

// Error returns the error of the page in cross-validation; NaN if it is not known.
func (f *Found) Error() float64 {
	numbers := f.Page.Numbers()
	if i := slices.IndexFunc(f.Sizes, func(size Size) bool { return size.Numbers == numbers }); i >= 0 {
		return f.Sizes[i].RMSE
	}
	return math.NaN()
}

// Find finds the page whose rules are found again in the most samples, and of several the one with the fewest numbers, among those whose
// error in cross-validation exceeds the least one by at most the standard error of the difference, and at most 2%, where it is no log loss.
// Equal samples and options give the same page on every machine, to the bit. If ctx ends, the error wraps that of ctx.
func Find(ctx context.Context, s Samples, o Options) (*Found, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	defer o.Peers.end()
	o = o.limits(s)
	c, err := choose(ctx, s, o)
	if err != nil {
		return nil, err
	}
	if err := c.note(ctx); err != nil {
		return nil, err
	}
	return c.fitted(s)
}

// chosen is a page before it is known how often its rules are found again.
type chosen struct {
	*Found
	*team // with the samples by whose squared error it is
	of    score
	found [][][]places // [settings][samples] that were compared; nil: there was one
	at    int          // the place of the page's among them; -1: none
}

// choose is [Find] without the notes on other samples, and without the fit by a loss.
func choose(ctx context.Context, s Samples, o Options) (*chosen, error) {
	if s.Loss != nil {
		return chooseBy(ctx, s, o)
	}
	crossed, err := crossValidate(ctx, s, o)
	if err != nil {
		return nil, fmt.Errorf("the search of a page: %w", err)
	}
	all := crossed.scores(s.measured().heldWeight(crossed.folds), s.root())
	found := &Found{Sizes: sizes(all)}
	near := []score{{setting: setting{rules: 1, budget: 1}, version: crossed.whole.versions[summands][0][0][len(crossed.budgets)-1]}}
	if len(all) > 0 {
		near = s.nearest(all)
	}
	o.provisional(s, near[0].version)
	c, at := &chosen{Found: found, team: crossed.team}, 0
	if len(near) > 1 {
		if c.found, err = c.resample(ctx, near); err != nil {
			return nil, err
		}
		at = steadiest(near, c.found)
	}
	of, pg, err := crossed.ramped(ctx, all, near[at])
	if err != nil {
		return nil, fmt.Errorf("ramps of a page: %w", err)
	}
	found.Page, found.Sizes = pg, sizesWith(found.Sizes, pg, of.rmse)
	found.Page.Sizes = found.Sizes
	c.of, c.at = of, slices.IndexFunc(near, func(n score) bool { return n.setting == of.setting })
	return c, nil
}

// note notes how often the rules are found again in random samples.
func (c *chosen) note(ctx context.Context) (err error) {
	if c.found == nil || c.at < 0 {
		c.at = 0
		if c.found, err = c.resample(ctx, []score{c.of}); err != nil {
			return err
		}
	}
	found := c.found[c.at]
	if c.Page.Ramped() {
		if found, err = c.places(ctx, c.of, c.at, strongest(c.s.shares(c.Page))); err != nil {
			return err
		}
	}
	return c.team.note(ctx, c.Page, found, c.at, c.of)
}

// validate returns an error if there are no rows, or a number is not finite.
func (s Samples) validate() error {
	if len(s.Y) < 2 {
		return fmt.Errorf("a page needs two rows at least")
	}
	if !numeric.Finite(s.Y...) || !numeric.Finite(s.Weight...) {
		return fmt.Errorf("%s: a value or a weight is not finite", s.Target)
	}
	for _, c := range s.Columns {
		if !numeric.Finite(c.Values...) || max(len(c.Values), len(c.Codes)) != len(s.Y) {
			return fmt.Errorf("%s: want a finite number or a level of each row", c.Name)
		}
		if beyond(c.Values) {
			return tooLarge(c.Name)
		}
	}
	if beyond(s.Y) {
		return tooLarge(s.Target)
	}
	return nil
}

// largest is the largest number of a column: the search computes with fourth powers, and with their sums.
const largest = 1e60

func beyond(values []float64) bool {
	return slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v) > largest })
}

// tooLarge is the error about a column with numbers that are too large.
func tooLarge(column string) error {
	return &data.Error{Message: fmt.Sprintf("column %s has a number beyond %v, the largest of a page: give it in a larger unit, or use "+
		"preset: robust", escape.Quote(column), largest)}
}

// given returns the options with the limits of the samples, if these have some.
func (o Options) given(s Samples) Options {
	if s.Limits != nil {
		o.Low, o.High = s.Limits[0], s.Limits[1]
	}
	return o
}

// limits returns the options with the limits of the value, rounded outwards.
func (o Options) limits(s Samples) Options {
	if s.scores() {
		o.Low, o.High = 0, 0
		return o
	}
	o = o.given(s)
	low, high := slices.Min(s.Y), slices.Max(s.Y)
	_, _, sd := scaled(s.Y, s.Weight)
	extra := (high - low) / 20
	if math.IsInf(o.Low, 0) {
		if o.Low = outwards(low-extra, sd/20, -1); low >= 0 {
			o.Low = max(o.Low, 0)
		}
	}
	if math.IsInf(o.High, 0) {
		o.High = outwards(high+extra, sd/20, 1)
	}
	o.factors = s.Loss == nil && !o.steps && s.Together == nil && low >= 0 && o.Low >= 0 && o.High > 0
	return o
}

// outwards rounds v to a step, up or down by the sign.
func outwards(v, step, sign float64) float64 {
	r := roundNear(v, step)
	if (r-v)*sign < 0 {
		r = roundNear(v+float64(sign*power(1, decade(step))/2), step)
	}
	return r
}

// rest returns the value of a page at each row, without what the rule of its leaf is "about", its factors, and limits; and the product of
// these factors.
func rest(pg *page.Page, s Samples, leaf []int) (value, factor []float64) {
	e := newEvaluation(pg, s)
	for _, t := range pg.Terms {
		e.term(t, func(int) bool { return true })
	}
	for l, r := range pg.Rules {
		for _, t := range r.Terms {
			e.term(t, func(i int) bool { return leaf[i] == l })
		}
	}
	factor = e.factor(pg)
	if !pg.Factors {
		for _, t := range pg.Tables {
			e.table(t)
		}
	}
	return e.out, factor
}

// evaluation adds up the parts of a page.
type evaluation struct {
	s      Samples
	limits map[string]page.Column
	out    []float64
}

// newEvaluation returns an evaluation of a page, with nothing added.
func newEvaluation(pg *page.Page, s Samples) evaluation {
	e := evaluation{s: s, limits: map[string]page.Column{}, out: make([]float64, len(s.Y))}
	for _, c := range pg.Columns {
		e.limits[c.Name] = c
	}
	return e
}

// term adds a term to the rows that it holds of.
func (e *evaluation) term(t page.Term, holds func(int) bool) {
	c, limit := e.s.column(t.Column, t.Level != ""), e.limits[t.Column]
	for i := range e.out {
		switch {
		case !holds(i):
		case c.Levels != nil:
			if k := c.Codes[i]; k < len(c.Levels) && c.Levels[k] == t.Level {
				e.out[i] += t.Yes
			} else {
				e.out[i] += t.No
			}
		default:
			u := min(max(c.Values[i], limit.Low), limit.High)
			if t.From != nil {
				u = max(u, *t.From)
			}
			if t.To != nil {
				u = min(u, *t.To)
			}
			e.out[i] += float64(t.Slope * (u - t.At))
		}
	}
}

// table adds a table.
func (e *evaluation) table(t page.Table) {
	c, last := e.s.column(t.Column, t.Groups != nil), len(t.Entries)-1
	if c.Levels != nil {
		of := make([]float64, len(c.Levels)+1)
		for k := range of {
			of[k] = t.Entries[last]
			for g, levels := range t.Groups {
				if k < len(c.Levels) && slices.Contains(levels, c.Levels[k]) {
					of[k] = t.Entries[g]
				}
			}
		}
		for i, k := range c.Codes {
			e.out[i] += of[k]
		}
		return
	}
	for i, v := range c.Values {
		v = min(max(v, t.Knots[0]), t.Knots[last])
		k := 0
		for k < last-1 && v > t.Knots[k+1] {
			k++
		}
		e.out[i] += t.Entries[k] + float64((v-t.Knots[k])/(t.Knots[k+1]-t.Knots[k])*(t.Entries[k+1]-t.Entries[k]))
	}
}
