package page

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/explain/words"
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

// Cells returns the figures of the row, by ScoreColumns.
func (s Score) Cells() []string {
	numbers := []string{figure(s.RMSE), figure(s.MAE), fixed(s.R2)}
	switch {
	case s.Classes != nil:
		c, auc := s.Classes, "\u2013"
		if c.AUC != nil {
			auc = fixed(*c.AUC)
		}
		return []string{figure(c.LogLoss), percent(c.Accuracy), percent(c.BalancedAccuracy), auc, fixed(c.Brier), fixed(c.CalibrationError)}
	case s.Pinball != nil:
		return append([]string{figure(s.Loss)}, numbers...)
	case s.Deviance != nil:
		return append([]string{figure(*s.Deviance)}, numbers...)
	}
	return numbers
}

// scoreTable is the table of scores.
type scoreTable struct {
	Columns []string // headings of Score.Cells
	Rows    []Score
	Note    string // explains the figures
}

func newScoreTable(all []Score, unit string) scoreTable {
	const explained = "RMSE is the root mean squared error, MAE the mean absolute error, both in the unit of the target; R\u00b2 is the share of the variance explained."
	task := all[0].task
	if len(task.Targets) > 0 {
		unit = ""
	}
	numbers := []string{label("RMSE", unit), "MAE", "R\u00b2"}
	switch {
	case task.Classes != nil:
		return scoreTable{[]string{"Log loss", "Accuracy", "Balanced accuracy", "AUC", "Brier score", "Calibration error"}, all, classNote(all)}
	case task.Pinball != nil:
		return scoreTable{append([]string{label("Pinball loss", unit)}, numbers...), all,
			"The pinball loss is the mean over the quantiles of the loss that each minimises. " + explained + " They are those of the middle quantile."}
	case task.Deviance != nil:
		return scoreTable{append([]string{"Deviance"}, numbers...), all, "The deviance is the mean of the unit deviances, zero for exact predictions. " + explained}
	case len(task.Targets) > 0:
		return scoreTable{numbers, all, explained + " Those of all targets are means in standard deviations."}
	}
	return scoreTable{numbers, all, explained}
}

// classNote explains the measures of classes.
func classNote(all []Score) string {
	which := "the mean over the classes"
	if len(all[0].Classes.Confusion) == 2 {
		which = "here of the second class"
	}
	note := "The log loss is the mean of \u2212log of the probability of the true class; the balanced accuracy is the mean over the classes of the share of their rows that is predicted right; " +
		"the AUC is the chance that a row of a class has a higher probability of it than a row of another class, " + which +
		"; the Brier score is the mean squared error of the probabilities; the calibration error is the mean distance between predicted probabilities and observed shares."
	for _, s := range all {
		if n := s.Classes.Absent; n > 0 && s.Who == This {
			note += fmt.Sprintf(" Classes without a row in %s, which balanced accuracy and AUC leave out: %d.", s.Part, n)
		}
	}
	return note
}

// fixed formats a number with three decimals.
func fixed(v float64) string { return minus(fmt.Sprintf("%.3f", math.Round(v*1e3)/1e3+0)) } // no -0.000

// capital returns a text with a capital letter.
func capital(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// twins measures the rows with a twin in the training part; nil if the data are the training part.
func twins(in Input, all []Score) (*words.Twins, error) {
	if in.Train == nil || in.Train.Name == in.Data.Name {
		return nil, nil
	}
	return words.MeasureTwins(context.Background(), in.Model, words.Part(in.Data), words.Part(*in.Train), all[1].Metrics)
}
