package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// PageRules returns the rules of pages, one of each output: with the limits of [Preprocessing.PageLimits], outputs follow from them as
// the pages say, up to rounding. The same pages and preprocessing give the same bits.
//
// IF parts have the shape ramp, on numbers as the page says, and on indicators of levels: "is A" holds where the indicator of A is above
// 0.5, "is not A or B" where those of A and B are not. A page's rule "is A or B" becomes two rules with equal THEN parts, so that a cell
// that is none of the levels fires neither. Only indicators have slopes; terms and tables of numbers, and of levels with an order, become
// curves of each rule.
//
// Where tables are factors, each rule becomes one for each combination of their entries, whose THEN part is that of the page's rule times
// the entries; between two knots the shares of their entries are ramps, which sum to one. For several pages, each rule joins a rule of each
// page, where a row can meet them all.
//
// A page whose target is not an output's name, see [Model.Output], or that [page.Page.Validate] refuses, columns and levels that the table
// does not have or that were constant in the training part, a column with a power transform, components, the log link, a term from a
// number up, or up to one, of a column without a range, ramps of one column in several pages that overlap without being equal, and more
// than 1000 rules are errors.
func (p Preprocessing) PageRules(pages ...*page.Page) (*rules.RuleBase, error) {
	rb, err := p.pageRules(pages, mostPageRules)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return rb, nil
}

// mostPageRules is the largest number of rules to which pages are compiled.
const mostPageRules = 1000

// pageRules returns the rules of pages, at most as many as given.
func (p Preprocessing) pageRules(pages []*page.Page, most int) (*rules.RuleBase, error) {
	j, err := p.join(pages, most)
	if err != nil {
		return nil, err
	}
	rb := j.ruleBase()
	return rb, rb.Validate()
}

// PageRule returns, for each page, the number from 1 of the page's rule from which each rule is compiled, [C][R]: a page's rule becomes
// several rules where it names several levels of which a cell is one, where tables are factors, and where there are several pages. It is
// nil for a model without pages.
func (m *Model) PageRule() (all [][]int) {
	if m.Pages == nil {
		return nil
	}
	j, err := m.join(m.Pages, mostPageRules)
	if err != nil {
		return nil // Validate refuses the model
	}
	for c := range m.Pages {
		var of []int
		for _, r := range j.rules {
			of = append(of, r.of[c].rule+1)
		}
		all = append(all, of)
	}
	return all
}

// pageCompiler compiles a page.
type pageCompiler struct {
	prep    Preprocessing // of its output
	page    *page.Page
	most    int // rules
	columns map[string]*pageColumn
	inputs  []Feature
	then    []thenOf // of the page's rules, without factors
}

// pageColumn is a column of the table.
type pageColumn struct {
	data.Column
	low, high float64     // within which terms and tables take a number
	inputs    []int       // of its features; -1: constant
	category  bool        // of the page
	beside    *pageColumn // of numbers, their indicator of missing cells; nil: none
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
	c := &pageCompiler{prep: p, page: pg, most: most, columns: map[string]*pageColumn{}, inputs: p.Inputs()}
	feature, input := 0, 0
	for _, column := range p.Schema.Parts() {
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
		one.category = !column.Numbers()
		if numbers := c.columns[column.Name]; numbers != nil {
			numbers.beside = one
			continue
		}
		if i := slices.IndexFunc(pg.Columns, func(o page.Column) bool { return o.Name == column.Name }); i >= 0 {
			one.low, one.high, one.category = pg.Columns[i].Low, pg.Columns[i].High, pg.Columns[i].Levels != nil
		}
		c.columns[column.Name] = one
	}
	var all []pieces // of all rules: terms and, if they are summands, tables
	for _, t := range pg.Terms {
		part, err := c.term(t)
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	for _, t := range pg.Tables {
		part, err := c.table(t)
		if err != nil {
			return nil, err
		}
		if !pg.Factors {
			all = append(all, part)
		}
	}
	for r := range pg.Rules {
		if err := c.add(&pg.Rules[r], all); err != nil {
			return nil, fmt.Errorf("rule %d: %w", r+1, err)
		}
	}
	return c, nil
}

// column returns a column that the page may name, with numbers or levels.
func (c *pageCompiler) column(name string, levels ...string) (*pageColumn, error) {
	one := c.columns[name]
	if one != nil && one.beside != nil && slices.Equal(levels, []string{page.MissingLevel}) {
		one = one.beside
	}
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

// add adds the THEN part of a page's rule, whose IF part some row must meet.
func (c *pageCompiler) add(r *page.Rule, all []pieces) error {
	boxes, err := c.ifParts(r.Conditions)
	if err != nil {
		return err
	}
	if len(boxes) == 0 {
		return errors.New("no level of the table meets its conditions")
	}
	then := thenOf{intercept: r.About, parts: slices.Clone(all)}
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
	c.then = append(c.then, then)
	return nil
}

// consequent returns the THEN part of a page's rule times a factor, without its functions.
func (c *pageCompiler) consequent(of pageRule) []float64 {
	slopes := make([]float64, len(c.inputs))
	for _, part := range c.then[of.rule].parts {
		for m, v := range part.slopes {
			slopes[m] += v
		}
	}
	for m := range slopes {
		slopes[m] *= of.factor
	}
	return c.prep.Consequent(of.factor*c.then[of.rule].intercept, slopes)
}

// curve returns the functions of a page's rule times a factor, at the knots of all inputs.
func (c *pageCompiler) curve(of pageRule, knots [][]float64) (values []float64) {
	for m, all := range knots {
		for _, k := range all {
			sum := 0.0
			for _, part := range c.then[of.rule].parts {
				if part.at != nil && part.input == m {
					sum += part.at(k)
				}
			}
			values = append(values, of.factor*sum/c.prep.Target.Scaling())
		}
	}
	return values
}

// scaled returns a value of a column as the input of the rules, to the bit as samples are scaled.
func (c *pageCompiler) scaled(input int, v float64) float64 {
	f := c.inputs[input]
	return (v - f.Mean) / f.SD
}
