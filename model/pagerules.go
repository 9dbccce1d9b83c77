package model

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// PageRules returns the rules of a page: with the limits of [Preprocessing.PageLimits], predictions follow from them as the page
// says, up to rounding. The same page and preprocessing give the same bits.
//
// IF parts are of the shape ramp, on numbers as the page says, and on the indicators of levels: "is A" that A's is above 0.5, "is not A
// or B" that theirs are not. A page's rule "is A or B" is two rules, with equal THEN parts, so that a cell that is none of the levels fires
// neither. Slopes are those of indicators; terms and tables of numbers, and of levels with an order, are curves of each rule.
//
// A page that [page.Page.Validate] refuses, columns and levels that the table does not have or that were constant in the training part, a
// column with a power transform, components, and a term from a number up, or up to one, of a column without a range are errors.
func (p Preprocessing) PageRules(pages ...*page.Page) (*rules.RuleBase, error) {
	rb, err := p.pageRules(pages, mostPageRules)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return rb, nil
}

// mostPageRules is the largest number of rules that a page becomes.
const mostPageRules = 1000

// pageRules returns the rules of a page, at most as many as given.
func (p Preprocessing) pageRules(pages []*page.Page, most int) (*rules.RuleBase, error) {
	if len(pages) != 1 || pages[0] == nil {
		return nil, fmt.Errorf("%d pages: want one of each output", len(pages))
	}
	pg := pages[0]
	if p.Components != nil || len(p.Schema.Targets()) > 1 || !p.Number() || pg.Target != p.Schema.Target {
		return nil, fmt.Errorf("it predicts %s by columns of a table: want one target, %s, without components",
			escape.Quote(pg.Target), escape.Quote(p.Schema.Target))
	}
	if err := pg.Validate(); err != nil {
		return nil, err
	}
	c, err := newPageCompiler(p, pg, most)
	if err != nil {
		return nil, err
	}
	for r := range pg.Rules {
		if err := c.add(&pg.Rules[r]); err != nil {
			return nil, fmt.Errorf("rule %d: %w", r+1, err)
		}
	}
	rb := c.ruleBase()
	return rb, rb.Validate()
}

// PageRule returns, for each page and each of the rules that the pages became, the number of the page's rule that it is of, from 1,
// [C][R]: of several levels of which a cell is one, a page's rule is several rules. It is nil for a model without pages.
func (m *Model) PageRule() (all [][]int) {
	for _, pg := range m.Pages {
		c, err := newPageCompiler(m.Preprocessing, pg, mostPageRules)
		var of []int
		for r := range pg.Rules {
			var boxes []box
			if err == nil {
				boxes, err = c.ifParts(pg.Rules[r].Conditions)
			}
			of = append(of, slices.Repeat([]int{r + 1}, len(boxes))...)
		}
		all = append(all, of)
	}
	return all
}

// pageCompiler compiles a page.
type pageCompiler struct {
	prep    Preprocessing
	most    int // rules
	columns map[string]*pageColumn
	inputs  []Feature
	all     []pieces // of all rules: terms and tables

	boxes []box    // of the rules so far
	then  []thenOf // of each box
}

// pageColumn is a column of the table.
type pageColumn struct {
	data.Column
	low, high float64 // within which terms and tables take a number
	inputs    []int   // of its features; -1: constant
	category  bool    // of the page
}

// box is an IF part: the parameters of the ramp on each input.
type box [][4]float64

// thenOf is a THEN part.
type thenOf struct {
	intercept float64
	parts     []pieces
}

// pieces is a term or a table: on a number, or a level's place, a function that is linear between knots and constant beyond them; on
// indicators a slope of each, and a constant.
type pieces struct {
	input    int // of a function
	knots    []float64
	at       func(x float64) float64
	slopes   map[int]float64 // by input
	constant float64
}

func newPageCompiler(p Preprocessing, pg *page.Page, most int) (*pageCompiler, error) {
	c := &pageCompiler{prep: p, most: most, columns: map[string]*pageColumn{}, inputs: p.Inputs()}
	feature, input := 0, 0
	for _, column := range p.Schema.Columns {
		one := &pageColumn{Column: column}
		for range column.Width() {
			at := -1
			if f := p.Features[feature]; !f.Constant {
				at = input
				input++
			}
			one.inputs = append(one.inputs, at)
			feature++
		}
		if i := slices.IndexFunc(pg.Columns, func(o page.Column) bool { return o.Name == column.Name }); i >= 0 {
			one.low, one.high, one.category = pg.Columns[i].Low, pg.Columns[i].High, pg.Columns[i].Levels != nil
			c.columns[column.Name] = one
		}
	}
	for _, t := range pg.Terms {
		part, err := c.term(t)
		if err != nil {
			return nil, err
		}
		c.all = append(c.all, part)
	}
	for _, t := range pg.Tables {
		part, err := c.table(t)
		if err != nil {
			return nil, err
		}
		c.all = append(c.all, part)
	}
	return c, nil
}

// column returns a column that the page may name.
func (c *pageCompiler) column(name string) (*pageColumn, error) {
	one := c.columns[name]
	if one == nil {
		return nil, fmt.Errorf("column %s: the table does not have it", escape.Quote(name))
	}
	if one.category == one.Numbers() {
		return nil, fmt.Errorf("column %s: the page and the table differ in whether it has levels", escape.Quote(name))
	}
	if !one.Nominal() {
		if one.inputs[0] < 0 {
			return nil, fmt.Errorf("column %s: it is constant in the training part", escape.Quote(name))
		}
		if c.inputs[one.inputs[0]].Power != nil {
			return nil, fmt.Errorf("column %s: it is transformed: set model.transform to none", escape.Quote(name))
		}
	}
	return one, nil
}

// level returns the index of a level of a category that occurs in the training part.
func (c *pageColumn) level(name string) (int, error) {
	k := slices.Index(c.Levels, name)
	if k < 0 || c.Nominal() && c.inputs[k] < 0 {
		return 0, fmt.Errorf("column %s: no level %s in the training part", escape.Quote(c.Name), escape.Quote(name))
	}
	return k, nil
}

// levels returns which levels of a category are listed, [len(Levels)].
func (c *pageColumn) levels(names []string) ([]bool, error) {
	in := make([]bool, len(c.Levels))
	for _, name := range names {
		k, err := c.level(name)
		if err != nil {
			return nil, err
		}
		in[k] = true
	}
	return in, nil
}

// add adds the rules of a page's rule.
func (c *pageCompiler) add(r *page.Rule) error {
	boxes, err := c.ifParts(r.Conditions)
	if err != nil {
		return err
	}
	then := thenOf{intercept: r.About, parts: slices.Clone(c.all)}
	for _, t := range r.Terms {
		part, err := c.term(t)
		if err != nil {
			return err
		}
		then.parts = append(then.parts, part)
	}
	for _, part := range then.parts {
		then.intercept += part.constant
	}
	if len(c.boxes)+len(boxes) > c.most {
		return fmt.Errorf("more than %d rules", c.most)
	}
	for _, b := range boxes {
		c.boxes, c.then = append(c.boxes, b), append(c.then, then)
	}
	return nil
}

// ruleBase returns the rules.
func (c *pageCompiler) ruleBase() *rules.RuleBase {
	R, M := len(c.boxes), len(c.inputs)
	shape := membership.Ramp{}
	rb := &rules.RuleBase{Shape: shape, Parameters: rules.NewParameters(len(shape.Params()), R, M), SpreadFloor: 1}
	knots, Q := c.knots()
	if Q > 0 {
		rb.Knots, rb.Curves = make([][]float64, M), rules.NewCurves(R, Q)
	}
	for r, b := range c.boxes {
		for m, p := range b {
			for j, v := range p {
				rb.Antecedents[j][r][m] = v
			}
		}
		slopes := make([]float64, M)
		for _, part := range c.then[r].parts {
			for m, v := range part.slopes {
				slopes[m] += v
			}
		}
		rb.Consequents[r] = c.prep.Consequent(c.then[r].intercept, slopes)
		q := 0
		for m, all := range knots {
			for _, k := range all {
				sum := 0.0
				for _, part := range c.then[r].parts {
					if part.at != nil && part.input == m {
						sum += part.at(k)
					}
				}
				rb.Curves[r][q] = sum / c.prep.Target.Scaling()
				q++
			}
		}
	}
	for m, all := range knots {
		for _, k := range all {
			rb.Knots[m] = append(rb.Knots[m], c.scaled(m, k))
		}
	}
	return rb
}

// knots returns the knots of each input, of all rules together, and their number.
func (c *pageCompiler) knots() (knots [][]float64, Q int) {
	knots = make([][]float64, len(c.inputs))
	for _, then := range c.then {
		for _, part := range then.parts {
			if part.at != nil {
				knots[part.input] = append(knots[part.input], part.knots...)
			}
		}
	}
	for m, all := range knots {
		slices.Sort(all)
		all = slices.Compact(all)
		if len(all) == rules.MinKnots-1 {
			all = slices.Insert(all, 1, all[0]+float64(0.5*(all[1]-all[0])))
		}
		knots[m] = all
		Q += len(all)
	}
	return knots, Q
}

// scaled returns a value of a column as the input of the rules, to the bit as samples are scaled.
func (c *pageCompiler) scaled(input int, v float64) float64 {
	f := c.inputs[input]
	return (v - f.Mean) / f.SD
}
