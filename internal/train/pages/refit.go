package pages

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/page"
)

// Refit returns a page with the structure of another one: its conditions, the columns and caps of its terms, the knots and groups of its
// tables, with the columns' ranges and the limits of the value where it states them. All other numbers are fitted to the samples by joint
// least squares, factors and all else by turns, and rounded as those of [Find]. Limits of the options that are finite replace those of the
// page. A column or a level that the samples do not have is an error.
func Refit(s Samples, pg *page.Page, o Options) (*page.Page, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	f, err := newFitted(s, pg, o)
	if err != nil {
		return nil, err
	}
	f.set(f.solve())
	f.centre()
	f.recentre()
	return f.page, nil
}

// set sets the numbers that the weights of all unknowns stand for.
func (f *fitted) set(w []float64) {
	for i := range f.parts {
		p := &f.parts[i]
		p.set(w[:len(p.values)], p)
		w = w[len(p.values):]
	}
}

// centre rounds the centres of the rules' terms so that the rules are about the mean of their own rows, if there are no tables, which would
// shift it.
func (f *fitted) centre() {
	for r := range f.page.Rules {
		rule := &f.page.Rules[r]
		owed := 0.0
		if len(f.page.Tables) == 0 && f.s.Loss == nil {
			owed = rule.About - f.own(r, f.s.Y)
		}
		centreTerms(f.rounded[r], owed, f.step)
		for k, t := range f.rounded[r] {
			rule.Terms[k] = t.Term
		}
	}
}

// FoldsOf returns the folds of cross-validation.
func FoldsOf(s Samples, o Options) []Fold { return s.folds(o.Seed) }

// CrossValidated returns the root mean square error, or the mean loss, of a page that is fitted to the folds of cross-validation, see
// [Refit].
func CrossValidated(s Samples, pg *page.Page, o Options) (float64, error) {
	parts := s.folds(o.Seed)
	sums, failed := make([]float64, len(parts)), make([]error, len(parts))
	parallel.Each(len(parts), func(k int) {
		var fit *page.Page
		if fit, failed[k] = Refit(s.at(parts[k].Train), pg, o); failed[k] != nil {
			return
		}
		left := s.at(parts[k].Held)
		for i, v := range left.values(fit, left.shares(fit)) {
			sums[k] += left.loss(v, i)
		}
	})
	for _, err := range failed {
		if err != nil {
			return 0, err
		}
	}
	return s.said(sumOf(sums) / s.heldWeight(parts)), nil
}

// fitted is a page in the making.
type fitted struct {
	evaluation
	page           *page.Page
	weight         []float64
	share          [][]float64 // [R][n] grades of the rules
	strong         []int       // [n] the rule of the largest grade, of several the first
	mean, sd, step float64     // of the target, and what its values are rounded to

	parts   []fittedPart
	factors []part       // of the tables that are factors: each has a point of each entry
	rounded [][]rounding // [R] terms
}

// fittedPart is the constant of a rule, a term or a table of summands: its unknowns times their values at each row make it up.
type fittedPart struct {
	values   [][]float64 // [unknowns][n]
	about    bool        // it is what a rule is about
	mean, sd float64     // of a term's values, which are standardised
	sign     int         // of the unknowns
	set      func(w []float64, p *fittedPart)
}

// outline returns a copy of a page for other samples, with the limits of its value and the ranges of its columns.
func outline(s Samples, pg *page.Page, o Options) (*page.Page, error) {
	if s.Loss != nil && pg.Factors {
		return nil, errors.New("tables that are factors are fitted by the squared error of a target: make them summands")
	}
	to := *pg
	to.Rules, to.Terms, to.Tables = slices.Clone(pg.Rules), slices.Clone(pg.Terms), slices.Clone(pg.Tables)
	to.Columns = slices.Clone(pg.Columns)
	to.Samples, to.Sizes, to.Moved = len(s.Y), nil, 0
	own := pg.Low < pg.High && !s.scores()
	limits, given := o.limits(s), o.given(s)
	if !own || !math.IsInf(given.Low, 0) {
		to.Low = limits.Low
	}
	if !own || !math.IsInf(given.High, 0) {
		to.High = limits.High
	}
	order := func(c page.Column) int {
		return slices.IndexFunc(s.Columns, func(o Column) bool { return o.Name == c.Name })
	}
	slices.SortStableFunc(to.Columns, func(a, b page.Column) int { return order(a) - order(b) })
	for i := range to.Columns {
		if err := complete(s, &to.Columns[i]); err != nil {
			return nil, err
		}
	}
	return &to, to.Validate()
}

// newFitted returns the parts of a page.
func newFitted(s Samples, pg *page.Page, o Options) (*fitted, error) {
	if err := s.allows(pg); err != nil {
		return nil, err
	}
	if s.squares() && pg.Factors {
		s.Loss = nil
	}
	copied, err := outline(s, pg, o)
	if err != nil {
		return nil, err
	}
	f := &fitted{page: copied, weight: numeric.EachWeight(s.Weight, len(s.Y)), rounded: make([][]rounding, len(pg.Rules))}
	if _, f.mean, f.sd = scaled(s.Y, s.Weight); s.Loss != nil {
		f.mean = 0
	}
	if s.scores() {
		f.sd = 1
	}
	f.evaluation, f.share = newEvaluation(copied, s), s.shares(copied)
	f.strong = strongest(f.share)
	for r := range copied.Rules {
		rule := &copied.Rules[r]
		rule.Terms, rule.Again = slices.Clone(rule.Terms), nil
		f.parts = append(f.parts, fittedPart{values: [][]float64{f.share[r]}, about: true, set: func(w []float64, _ *fittedPart) {
			rule.About = f.mean + float64(w[0]*f.sd)
		}})
		for k := range rule.Terms {
			f.add(&rule.Terms[k], f.share[r], func(t rounding) { f.rounded[r] = append(f.rounded[r], t) })
		}
	}
	for k := range copied.Terms {
		t := &copied.Terms[k]
		f.add(t, slices.Repeat([]float64{1}, len(s.Y)), func(of rounding) {
			of.centre(0, math.Inf(1), f.step)
			*t = of.Term
		})
	}
	for k := range copied.Tables {
		if pg.Factors {
			f.addFactor(&copied.Tables[k])
		} else {
			f.addTable(&copied.Tables[k])
		}
	}
	return f, nil
}

// complete sets the levels of a page's column and, if the page does not state it, the range of its numbers.
func complete(s Samples, c *page.Column) error {
	own := s.column(c.Name, c.Levels != nil)
	if beside := s.column(c.Name, true); c.Own && (beside == nil || !beside.Beside) {
		return fmt.Errorf("column %s: no cell is missing in the training part, or missing cells are no value (data.missing)", c.Name)
	}
	if own == nil && c.Own {
		return nil // the numbers are all the same
	}
	if own == nil {
		return fmt.Errorf("column %s: the training part does not have it, or has other values", c.Name)
	}
	for _, level := range c.Levels {
		if !slices.Contains(own.Levels, level) {
			return fmt.Errorf("column %s: the training part has no level %s", c.Name, level)
		}
	}
	if c.Levels = own.Levels; own.Levels == nil && !(c.Low < c.High) {
		of := numberColumn(*own, s.sorted(*own), numeric.EachWeight(s.Weight, len(s.Y)))
		c.Low, c.High = of.low, of.high
	}
	return nil
}

// unit returns the values of a term of slope one, or of a level.
func (f *fitted) unit(t page.Term) []float64 {
	one := f.evaluation
	one.out = make([]float64, len(one.out))
	t.Slope, t.At, t.Yes, t.No = 1, 0, 1, 0
	one.term(t, func(int) bool { return true })
	return one.out
}

// add adds a term that holds in shares; set receives it with its slope rounded.
func (f *fitted) add(t *page.Term, share []float64, set func(rounding)) {
	values, weight := f.unit(*t), make([]float64, len(share))
	for i, w := range f.weight {
		weight[i] = w * share[i]
	}
	p := fittedPart{sd: 1, sign: f.s.column(t.Column, t.Level != "").Sign}
	if sumOf(weight) > 0 {
		p.mean, p.sd = numeric.WeightedMean(values, weight), deviation(values, weight)
	}
	for i, v := range values {
		if values[i] = 0; p.sd > 0 {
			values[i] = share[i] * ((v - p.mean) / p.sd)
		}
	}
	p.values = [][]float64{values}
	p.set = func(w []float64, p *fittedPart) { set(f.rounding(*t, w[0], p)) }
	f.parts = append(f.parts, p)
}

// rounding returns a term with weight w, with its slope rounded.
func (f *fitted) rounding(t page.Term, w float64, p *fittedPart) rounding {
	r := rounding{Term: t, mean: p.mean, sd: p.sd}
	if p.sd > 0 {
		r.slope = w * f.sd / p.sd
	}
	if t.Level == "" {
		digits := 3
		if r.effect() < 0.05*f.sd {
			digits = 2
		}
		r.slope = numeric.Round(r.slope, digits)
		r.Slope = r.slope
	}
	return r
}

// addTable adds a table: with an unknown of each entry but the first knot, or that of all others.
func (f *fitted) addTable(t *page.Table) {
	t.Entries = make([]float64, len(t.Entries))
	first := 0
	if t.Knots != nil {
		first = 1
	}
	p := fittedPart{sign: f.s.column(t.Column, t.Groups != nil).Sign}
	for k := first; k < len(t.Entries)-1+first; k++ {
		one := f.evaluation
		one.out = make([]float64, len(one.out))
		t.Entries[k] = 1
		one.table(*t)
		t.Entries[k] = 0
		p.values = append(p.values, one.out)
	}
	if p.sign != 0 { // of steps from one entry to the next instead of entries
		for k := len(p.values) - 2; k >= 0; k-- {
			add(p.values[k], p.values[k+1])
		}
	}
	p.set = func(w []float64, p *fittedPart) {
		mean := 0.0
		for k, v := range w {
			mean += float64(v * numeric.WeightedMean(p.values[k], f.weight))
		}
		sum := 0.0
		for k := range t.Entries {
			v := -mean
			if k >= first && k-first < len(w) {
				if sum += w[k-first]; p.sign == 0 {
					sum = w[k-first]
				}
				v += sum
			}
			t.Entries[k] = roundNear(v*f.sd, f.step)
		}
	}
	f.parts = append(f.parts, p)
}

// unknowns returns the values [m][n] of all unknowns, the penalties [m] of their squares, and their signs [m].
func (f *fitted) unknowns() (values [][]float64, ridge []float64, sign []int) {
	for _, p := range f.parts {
		each := penalty * float64(len(f.weight))
		if p.sd == 0 { // no term
			each *= 1e-3
		}
		ridge, values = append(ridge, slices.Repeat([]float64{each}, len(p.values))...), append(values, p.values...)
		sign = append(sign, slices.Repeat([]int{p.sign}, len(p.values))...)
	}
	return values, ridge, sign
}

// solve returns the weights of all unknowns, of the target less its mean in standard deviations, sets factors, and the step of rounding by
// their error.
func (f *fitted) solve() []float64 {
	if f.s.Loss != nil {
		return f.reweighted()
	}
	values, ridge, sign := f.unknowns()
	target, weight := f.over()
	w, squares := leastSquares(values, target, weight, f.sd, ridge, sign)
	f.fitFactors(func() []float64 {
		g := slices.Repeat([]float64{f.mean / f.sd}, len(f.weight))
		target, weight = f.over()
		w, squares = leastSquares(values, target, weight, f.sd, ridge, sign)
		for k, of := range values {
			for i, v := range of {
				g[i] += float64(w[k] * v)
			}
		}
		return g
	})
	f.step = stepOf(f.sd, math.Sqrt(max(0, squares)/sumOf(f.weight)))
	for _, t := range f.page.Tables[:len(f.factors)] {
		roundFactors(t.Entries, f.step, f.s)
	}
	return w
}

// over returns the target over the factors, less its mean, and the weights with which its errors are those of the target.
func (f *fitted) over() (target, weight []float64) {
	target, weight = make([]float64, len(f.weight)), make([]float64, len(f.weight))
	for i, v := range f.factor(f.page) {
		target[i], weight[i] = f.s.Y[i]/v-f.mean, float64(f.weight[i]*float64(v*v))
	}
	return target, weight
}
