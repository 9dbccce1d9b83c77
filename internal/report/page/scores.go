package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/readable"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

// Score has the errors of a model on a part; of several targets those of one of them, which Metrics names, or of all.
type Score struct {
	Who  string `json:"who"`
	Part string `json:"part"`
	model.Metrics
	Of float64 `json:"-"` // the first figure as a share of the largest in the table, of one target

	task model.Metrics // errors of all targets
}

// This names the model in the table of scores.
const This = "This model"

// scores returns the errors of the model and of the baselines; predicted are the predictions of the data without neighbours.
func scores(in Input, predicted model.Predictions) (all []Score, v *baseline.Verdict, err error) {
	ctx, m := context.Background(), in.Model
	training := in.Train != nil && in.Train.Name == in.Data.Name // the data are the training part
	if in.Train != nil && !training {
		e, err := m.EvaluateTraining(ctx, in.Train.Dataset)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, Score{Who: This, Part: in.Train.Name, Metrics: e})
	}
	e := m.Measure(predicted, in.Data.Dataset)
	if m.Neighbours != nil {
		evaluate := m.Evaluate
		if training {
			evaluate = m.EvaluateTraining
		}
		if e, err = evaluate(ctx, in.Data.Dataset); err != nil {
			return nil, nil, err
		}
	}
	all = append(all, Score{Who: This, Part: in.Data.Name, Metrics: e})
	names := baseline.NamesOf(m)
	var b baseline.Errors
	if in.Train != nil {
		b, err = baseline.Measure(ctx, m, in.Train.Dataset, in.Data.Dataset)
	} else {
		b.Constant, err = m.MeasureMean(ctx, in.Data.Dataset)
	}
	if err != nil {
		return nil, nil, err
	}
	if b.Linear != nil {
		all = append(all, Score{Who: capital(names.Linear), Part: in.Data.Name, Metrics: *b.Linear})
	}
	all = append(all, Score{Who: capital(names.Constant), Part: in.Data.Name, Metrics: b.Constant})
	if !training {
		v = baseline.Compare(in.Data.Name, m, e, b)
	}
	return withShares(eachTarget(all)), v, nil
}

// eachTarget returns the scores with those of each of several targets, by target.
func eachTarget(all []Score) []Score {
	each := slices.Clone(all)
	for c := range all[0].Targets {
		for _, s := range all {
			each = append(each, Score{Who: s.Who, Part: s.Part, Metrics: s.Targets[c]})
		}
	}
	for i := range each {
		each[i].task = all[0].Metrics
	}
	return each
}

// withShares sets the shares of the first figures.
func withShares(all []Score) []Score {
	largest := map[string]float64{}
	for _, s := range all {
		largest[s.Target] = max(largest[s.Target], s.Loss)
	}
	for i, s := range all {
		if largest[s.Target] > 0 {
			all[i].Of = s.Loss / largest[s.Target]
		}
	}
	return all
}

// Row returns the name of the row of the table, with the target of several.
func (s Score) Row() string {
	switch {
	case len(s.Targets) > 0:
		return s.Who + ", all targets"
	case s.Target != "":
		return s.Who + ", " + s.Target
	}
	return s.Who
}

// Cells returns the figures of the row.
func (s Score) Cells() (cells []string) {
	for _, m := range s.Measures() {
		cells = append(cells, minus(m.Text(s.Metrics)))
	}
	return cells
}

// scoreTable is the table of scores.
type scoreTable struct {
	Columns []string // headings of Score.Cells
	Rows    []Score
	Note    string // explains the figures
}

func newScoreTable(all []Score, unit string) scoreTable {
	t, task, meanings := scoreTable{Rows: all}, all[0].task, []string(nil)
	for i, m := range task.Measures() {
		heading := capital(m.Name)
		if i == 0 && m.Scaled && len(task.Targets) == 0 {
			heading = label(heading, unit)
		}
		t.Columns, meanings = append(t.Columns, heading), append(meanings, m.Name+" is "+m.Meaning)
	}
	t.Note = capital(strings.Join(meanings, "; ")) + "."
	switch {
	case task.Pinball != nil:
		t.Note += " RMSE, MAE and R² are those of the middle quantile."
	case len(task.Targets) > 0:
		t.Note += " Those of all targets are means in standard deviations."
	}
	for _, s := range all {
		if s.Who == This && s.Classes != nil && s.Classes.Absent > 0 {
			t.Note += fmt.Sprintf(" Classes without a row in %s, which balanced accuracy and AUC leave out: %d.", s.Part, s.Classes.Absent)
		}
	}
	return t
}

// capital returns a text with a capital letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// twins measures the rows with a twin in the training part; nil if the data are the training part.
func twins(in Input, all []Score) (*readable.Twins, error) {
	if in.Train == nil || in.Train.Name == in.Data.Name {
		return nil, nil
	}
	return readable.MeasureTwins(context.Background(), in.Model, readable.Part(in.Data), readable.Part(*in.Train), all[1].Metrics)
}
