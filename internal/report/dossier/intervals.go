package dossier

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// held returns which rows lie in their prediction intervals or sets of the usual level, with all their targets; nil if the model has none.
func held(m *model.Model, d *data.Dataset, p model.Predictions) ([]bool, error) {
	if words.UsualInterval(m) == nil {
		return nil, nil
	}
	in := make([]bool, d.Len())
	if m.Schema.Classes != nil {
		sets, err := m.Sets(p, words.UsualLevel)
		if err != nil {
			return nil, err
		}
		for n, y := range d.Y {
			in[n] = sets[int(y)][n]
		}
		return in, nil
	}
	low, high, err := m.Intervals(p, words.UsualLevel)
	if err != nil {
		return nil, err
	}
	for n := range in {
		in[n] = true
		for c := range low {
			y := d.Target(c).Y[n]
			in[n] = in[n] && y >= low[c][n] && y <= high[c][n]
		}
	}
	return in, nil
}

// intervals says how many targets of the test part lie in their intervals: of all rows, and of those that each rule decides.
func (b *builder) intervals() error {
	interval := words.UsualInterval(b.m)
	if b.m.Ordered() {
		if err := b.quantiles(); err != nil {
			return err
		}
	}
	switch {
	case b.m.Calibration == nil:
		b.add("", "The model has no prediction intervals: the run has no calibration part. Train with data.calibration above 0 for some.")
		return nil
	case interval == nil:
		b.add(itself, "The model has no prediction intervals of this dossier's level: %s are too few.",
			numeric.Counted(b.m.Calibration.Samples, "calibration row"))
		return nil
	case b.Test == nil:
		b.add("tskgraph show --model .", "%s. Without a test part, their coverage is not known.", interval)
		return nil
	}
	command := fmt.Sprintf("%s --interval %g", evaluateTest, words.UsualLevel)
	measured, err := words.MeasureInterval(b.ctx, b.m, words.UsualLevel, b.Test)
	if err != nil {
		return err
	}
	b.add(command, "%s.", measured)
	return b.byRule()
}

// byRule adds the coverage of the rows that each rule decides.
func (b *builder) byRule() error {
	if b.m.Committee() {
		b.add("", "No rule alone decides a prediction of a committee, which is the mean of its members': section 4 has the coverage by group.")
		return nil
	}
	d := b.Test.WithoutWhole()
	predicted, err := b.m.Predict(d.X)
	if err != nil {
		return err
	}
	in, err := held(b.m, d, predicted)
	if err != nil {
		return err
	}
	by, err := b.decided(d)
	if err != nil {
		return err
	}
	g := grouped{builder: b, Dataset: d}
	var rows [][]string
	for _, one := range by {
		rows = append(rows, []string{one.name, strconv.Itoa(len(one.rows)), g.covered(in, one.rows)})
	}
	b.addTable(itself, 1, []string{"rule", "test rows", b.inside()}, rows,
		"Coverage by the rule that decides a row, that of the largest firing level, of %s. Of few rows, the share is uncertain.", b.tested())
	return nil
}

// quantiles adds the shares of the targets of the test part that do not exceed each quantile.
func (b *builder) quantiles() error {
	if b.Test == nil {
		b.add("", "The model predicts quantiles. Without a test part, the shares of the targets below them are not known.")
		return nil
	}
	d := b.Test.WithoutWhole()
	predicted, err := b.m.Predict(d.X)
	if err != nil {
		return err
	}
	by, err := b.decided(d)
	if err != nil {
		return err
	}
	head, g := []string{"rows"}, grouped{builder: b, Dataset: d}
	below := make([][]bool, len(predicted.Outputs))
	for j, v := range b.m.Values() {
		head = append(head, "at most "+v.Short)
		for n, y := range d.Y {
			below[j] = append(below[j], y <= predicted.Outputs[j][n])
		}
	}
	all := group{"all rows", nil}
	for n := range d.Y {
		all.rows = append(all.rows, n)
	}
	var rows [][]string
	for _, one := range append([]group{all}, by...) {
		row := []string{one.name}
		for j := range below {
			row = append(row, g.covered(below[j], one.rows))
		}
		rows = append(rows, row)
	}
	b.addTable(itself, 1, head, rows, "Shares of the targets that do not exceed each quantile, by the rule that decides a row, of %s.",
		b.tested())
	return nil
}

// decided groups the rows of a data set by the rule of the largest firing level; of several pages, each row is in a group of each. It is
// nil for a committee.
func (b *builder) decided(d *data.Dataset) ([]group, error) {
	if b.m.Committee() {
		return nil, nil
	}
	x, err := b.m.Scale(b.m.Fill(d).X)
	if err != nil {
		return nil, err
	}
	groups := make([]group, len(b.Described.Rules))
	for r := range groups {
		groups[r].name = b.Described.Rules[r].Name()
	}
	uncovered := group{name: "(no rule)"}
	for n, levels := range b.m.RuleBase.FiringLevels(x, nil) {
		if len(rules.Strongest(levels, nil)) == 0 {
			uncovered.rows = append(uncovered.rows, n)
			continue
		}
		first := 0
		for _, of := range b.pages() {
			sums := make([]float64, of.count)
			for r, level := range levels {
				sums[of.rule[r]] += level
			}
			r := first + rules.Strongest(sums, nil)[0]
			groups[r].rows = append(groups[r].rows, n)
			first += of.count
		}
	}
	all := append(groups, uncovered)
	return slices.DeleteFunc(all, func(g group) bool { return g.rows == nil }), nil
}

// onPage are the rules of a page: of each rule of the rulebase, the index of the page's rule.
type onPage struct {
	rule  []int
	count int
}

// pages returns the rules of each page; of a model without pages, those of the rulebase.
func (b *builder) pages() (all []onPage) {
	for c, of := range b.m.PageRule() {
		p := onPage{count: len(b.m.Pages[c].Rules)}
		for _, number := range of {
			p.rule = append(p.rule, number-1)
		}
		all = append(all, p)
	}
	if all != nil {
		return all
	}
	p := onPage{count: b.m.RuleBase.Rules()}
	for r := range p.count {
		p.rule = append(p.rule, r)
	}
	return []onPage{p}
}
