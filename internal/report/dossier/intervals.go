package dossier

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// held returns which rows lie in their prediction intervals or sets of the usual level, with all their targets; nil if the model has none.
func held(m *model.Model, d *data.Dataset, p model.Predictions) ([]bool, error) {
	if words.UsualInterval(m) == nil {
		return nil, nil
	}
	in, _, err := m.Held(p, d, words.UsualLevel, model.BothSides)
	return in, err
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
	measured, err := words.MeasureInterval(b.ctx, b.m, words.UsualLevel, model.BothSides, b.Test)
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
		rows = append(rows, []string{one.Name, strconv.Itoa(len(one.Rows)), g.covered(in, one.Rows)})
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
	all := words.RowGroup{Name: "all rows"}
	for n := range d.Y {
		all.Rows = append(all.Rows, n)
	}
	var rows [][]string
	for _, one := range append([]words.RowGroup{all}, by...) {
		row := []string{one.Name}
		for j := range below {
			row = append(row, g.covered(below[j], one.Rows))
		}
		rows = append(rows, row)
	}
	b.addTable(itself, 1, head, rows, "Shares of the targets that do not exceed each quantile, by the rule that decides a row, of %s.",
		b.tested())
	return nil
}

// decided groups the rows of a data set by the rule of the largest firing level; of several pages, each row is in a group of each. It is
// nil for a committee.
func (b *builder) decided(d *data.Dataset) ([]words.RowGroup, error) {
	if b.m.Committee() {
		return nil, nil
	}
	decides, err := b.m.Decides(b.m.Fill(d).X)
	if err != nil {
		return nil, err
	}
	groups := make([]words.RowGroup, len(b.Described.Rules))
	for r := range groups {
		groups[r].Name = b.Described.Rules[r].Name()
	}
	uncovered := words.RowGroup{Name: "(no rule)"}
	first := 0
	for c, rules := range decides {
		for n, r := range rules {
			if r >= 0 {
				groups[first+r].Rows = append(groups[first+r].Rows, n)
			} else if c == 0 {
				uncovered.Rows = append(uncovered.Rows, n)
			}
		}
		if b.m.Pages != nil {
			first += len(b.m.Pages[c].Rules)
		}
	}
	all := append(groups, uncovered)
	return slices.DeleteFunc(all, func(g words.RowGroup) bool { return g.Rows == nil }), nil
}
