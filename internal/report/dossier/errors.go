package dossier

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

// Commands that compute figures of several items.
const (
	evaluate     = "tskgraph evaluate --model . --data "
	evaluateTest = evaluate + "test.csv"
	reportScores = "tskgraph report . --json"
)

// errors says how the model errs on the training part, and on the test part beside baselines and by group.
func (b *builder) errors() error {
	train, err := b.m.EvaluateTraining(b.ctx, b.Train)
	if err != nil {
		return err
	}
	rows := scoreRows("this model, training part", train)
	head := append([]string{""}, headings(train)...)
	if b.Validation != nil {
		e, err := b.m.Evaluate(b.ctx, b.Validation)
		if err != nil {
			return err
		}
		b.addTable(evaluate+"validation.csv", 1, head, scoreRows("this model, validation part", e),
			"Errors on the validation part, by which training may have chosen among models.")
	}
	if b.Test == nil {
		b.addTable(itself, 1, head, rows, "Errors on the training part. %s", meanings(train))
		b.add("", "The run has no test part: no figure says how the model errs on new rows. Train with data.train below 1, or measure it on a "+
			"table of its own: tskgraph evaluate --model . --data TABLE.").Warning = true
		return nil
	}
	test, err := b.m.Evaluate(b.ctx, b.Test)
	if err != nil {
		return err
	}
	base, err := baseline.Measure(b.ctx, b.m, b.Train, b.Test)
	if err != nil {
		return err
	}
	names := baseline.NamesOf(b.m)
	rows = append(rows, scoreRows("this model, test part", test)...)
	if base.Linear != nil {
		rows = append(rows, scoreRows(names.Linear+", test part", *base.Linear)...)
	}
	rows = append(rows, scoreRows(names.Constant+", test part", base.Constant)...)
	b.addTable(reportScores, 1, head, rows, "Errors beside baselines that were fitted to the training part. %s", meanings(test))
	b.verdict(test, base)
	b.recorded(test)
	return b.groups()
}

// verdict compares the model with the baselines on the test part.
func (b *builder) verdict(e model.Metrics, base baseline.Errors) {
	v := baseline.Compare("the test part", b.m, e, base)
	if warning := v.Warning(); warning != "" {
		b.add(itself, "WARNING: %s.", warning).Warning = true
		return
	}
	if v.Model == 0 {
		b.add(itself, "On the test part the %s of the model is 0.", v.Measure)
		return
	}
	names := baseline.NamesOf(b.m)
	beside := []string{}
	if v.Linear != nil {
		beside = append(beside, words.Than(v.Model / *v.Linear)+" "+names.Linear)
	}
	beside = append(beside, words.Than(v.Model/v.Constant)+" the "+names.Constant)
	b.add(itself, "On the test part, by %s of %s, the model errs %s.", v.Measure, figure(v.Model), strings.Join(beside, " and "))
}

// recorded compares figures of the test part with those that training recorded in the model file.
func (b *builder) recorded(e model.Metrics) {
	var same, other []string
	for _, m := range e.Measures() {
		was, ok := b.m.Training.Metrics[m.Key+"_test"]
		switch is := m.Of(e); {
		case !ok:
		case math.Abs(was-is) <= 1e-9*math.Abs(was):
			same = append(same, m.Name+" "+figure(was))
		default:
			other = append(other, fmt.Sprintf("%s %s, now %s", m.Name, figure(was), figure(is)))
		}
	}
	switch {
	case other != nil:
		b.add(itself, "WARNING: model.json records other errors on the test part than these: %s. The file test.csv is not that of the training, "+
			"or the model was changed.", strings.Join(other, "; ")).Warning = true
	case same != nil:
		b.add(itself, "model.json records the same errors on the test part: %s.", strings.Join(same, ", "))
	}
}

// headings are those of the measures of a task, and the number of rows.
func headings(e model.Metrics) (all []string) {
	for _, m := range e.Measures() {
		all = append(all, m.Name)
	}
	return append(all, numeric.SamplesWord(e.Weighted))
}

// scoreRows returns the row of errors in a table, and before it of several targets those of each.
func scoreRows(who string, e model.Metrics) (rows [][]string) {
	for _, one := range append(slices.Clone(e.Targets), e) {
		row := []string{who}
		if one.Target != "" {
			row[0] += ", " + one.Target
		} else if e.Joint() {
			row[0] += ", all targets"
		}
		for _, m := range one.Measures() {
			row = append(row, m.Text(one))
		}
		rows = append(rows, append(row, strconv.Itoa(one.Samples)))
	}
	return rows
}

// meanings explains the measures of a task.
func meanings(e model.Metrics) string {
	var all []string
	for _, m := range e.Measures() {
		all = append(all, m.Name+" is "+m.Meaning)
	}
	return strings.TrimSpace(strings.Join(all, "; ") + ". " + e.Note())
}

// inGroups are the measures that say something of a group: not those that compare rows with one another.
func inGroups(e model.Metrics) []model.Measure {
	return slices.DeleteFunc(e.Measures(), func(m model.Measure) bool { return !m.Scaled && m.Constant == "" })
}

// groups says how the model errs on groups of the test part: quarters of each target or classes, and categories of columns.
func (b *builder) groups() error {
	d, of := b.Test.WithoutWhole(), b.tested()
	predicted, err := b.m.Predict(d.X)
	if err != nil {
		return err
	}
	g := grouped{builder: b, Dataset: d, predicted: predicted}
	if g.held, err = held(b.m, d, predicted); err != nil {
		return err
	}
	what := "quarter of "
	if d.Schema.Classes != nil {
		what = "class of "
	}
	for c, name := range d.Schema.Targets() {
		if err := g.table(what+name, of, c, words.ByTarget(d, c)); err != nil {
			return err
		}
	}
	for _, c := range b.categories(d) {
		if err := g.table("category of "+c.column, of, -1, c.groups); err != nil {
			return err
		}
	}
	return nil
}

// tested names the rows of the test part of which groups are measured.
func (b *builder) tested() string {
	if b.Test.Whole == nil {
		return "the test part"
	}
	return fmt.Sprintf("a random sample of %d rows of the test part", b.Test.Len())
}

// grouped are rows with their predictions.
type grouped struct {
	*builder
	*data.Dataset
	predicted model.Predictions
	held      []bool // in intervals; nil: there are none
}

// table adds the errors on groups: of target c, or of all for -1.
func (g grouped) table(what, of string, c int, groups []words.RowGroup) error {
	var head []string
	var rows [][]string
	for _, one := range groups {
		if one.Rows == nil {
			continue
		}
		e, err := g.m.Evaluate(g.ctx, g.Subset(one.Rows))
		if err != nil {
			return err
		}
		if c >= 0 && e.Joint() {
			e = e.Targets[c]
		}
		head = []string{what, "rows"}
		row := []string{one.Name, strconv.Itoa(len(one.Rows))}
		for _, m := range inGroups(e) {
			head, row = append(head, m.Name), append(row, m.Text(e))
		}
		if g.m.Schema.Classes == nil && !e.Joint() {
			head, row = append(head, "mean of prediction − target"), append(row, figure(g.bias(max(c, 0), one.Rows)))
		}
		if g.held != nil {
			head, row = append(head, g.inside()), append(row, g.covered(g.held, one.Rows))
		}
		rows = append(rows, row)
	}
	g.addTable(itself, 1, head, rows, "Errors by %s, of %s.", what, of)
	return nil
}

// inside is the heading of shares of rows whose targets are in their intervals.
func (b *builder) inside() string {
	if b.m.Schema.Classes != nil {
		return "in their sets"
	}
	return "in their intervals"
}

// bias returns the weighted mean of prediction minus target c over rows.
func (g grouped) bias(c int, rows []int) float64 {
	y, values, weights := g.Target(c).Y, g.predicted.Values, []float64(nil)
	if c > 0 {
		values = g.predicted.Outputs[c]
	}
	var over []float64
	for _, n := range rows {
		over, weights = append(over, values[n]-y[n]), append(weights, numeric.WeightAt(g.Weights, n))
	}
	return numeric.WeightedMean(over, weights)
}

// covered formats the weighted share of rows whose targets are held.
func (g grouped) covered(held []bool, rows []int) string {
	in, all := 0.0, 0.0
	for _, n := range rows {
		w := numeric.WeightAt(g.Weights, n)
		if all += w; held[n] {
			in += w
		}
	}
	return share(in, all)
}
