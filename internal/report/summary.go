// Package report has the results of runs as documents: summary.json of a training run and of a search, and what `stability --json` prints.
// Its subpackages write them as tables for the terminal (text) and as an HTML page (page).
package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/model"
)

// Summary is the result of a training run: the content of summary.json, which `train --json` prints.
type Summary struct {
	RunDir     string   `json:"run_dir"`
	Model      string   `json:"model"` // path of the model file
	Data       string   `json:"data"`
	TestData   string   `json:"test_data,omitempty"` // the name of data.test_path
	Target     string   `json:"target"`
	Membership string   `json:"membership"` // of the model; of a committee, the different ones of its members
	Engine     string   `json:"engine"`
	Members    int      `json:"members,omitempty"` // of a committee; the counts below are sums over the members
	Rules      int      `json:"rules"`
	RuleLength float64  `json:"rule_length"` // mean number of conditions in the IF part of a rule
	Features   int      `json:"features"`    // used ones, without constant ones
	Dropped    []string `json:"dropped_features,omitempty"`
	Iterations int      `json:"iterations"`     // made
	Best       int      `json:"best_iteration"` // the iteration of the parameters kept
	Stopped    string   `json:"stopped"`        // completed, patience, diverged, interrupted or failed
	Kept       string   `json:"kept,omitempty"` // which model it is, unless of the last iteration or the least validation error
	Seed       uint64   `json:"seed"`
	Skipped    int      `json:"skipped_samples"` // summed over the iterations
	Uncovered  int      `json:"uncovered_points"`

	Missing data.Missing `json:"missing"` // of the whole table

	SamplesTrain       int `json:"samples_train"`
	SamplesCalibration int `json:"samples_calibration,omitempty"`
	SamplesValidation  int `json:"samples_validation"`
	SamplesTest        int `json:"samples_test"`

	// The numbers of rows of the samples of parts with a Whole, which the figures of twins and readability are of; zero where these
	// are all rows. The other figures are of all rows, unless the run was interrupted.
	SampleTrain       int `json:"sample_train,omitempty"`
	SampleCalibration int `json:"sample_calibration,omitempty"`
	SampleValidation  int `json:"sample_validation,omitempty"`
	SampleTest        int `json:"sample_test,omitempty"`

	Metric string `json:"metric"` // the figure by which models of the task are compared, see model.Criterion

	Figures Figures         `json:"-"`                 // beside the other keys; of several targets in standard deviations
	Targets []TargetFigures `json:"targets,omitempty"` // of several targets

	Weighted bool `json:"weighted,omitempty"` // errors, also those of the race, are weighted by the table's weights

	Verdict *baseline.Verdict `json:"verdict,omitempty"` // on the test part, or else on the validation part; nil without either

	// Twins has the rows of the test part, or else of the validation part, that have a twin in the
	// training part, and the errors without them; nil if there are none.
	Twins *words.Twins `json:"twins,omitempty"`

	// Readability has the four figures on the test, validation or training part, the first that exists; nil in a summary of an older version.
	Readability *words.Readability `json:"readability,omitempty"`

	Page *words.Tried `json:"page,omitempty"` // what training tried beside a page; nil of another model, and if nothing is known

	Race    []tskgraph.RaceScore `json:"race,omitempty"`    // scores of the settings raced
	Teacher *tskgraph.Teaching   `json:"teacher,omitempty"` // what a teacher did; nil without one

	// Interval is the 90% prediction interval, with its coverage of the test part;
	// none without a calibration part, or one of fewer than 9 samples.
	Interval *words.Interval `json:"interval,omitempty"`

	Steps []StepErrors `json:"steps,omitempty"` // of forecasts of the steps of data.horizon on the test part, from origins one step apart

	Before *Before               `json:"before,omitempty"` // nil if no saved model was pruned
	Prune  []tskgraph.PruneRound `json:"prune,omitempty"`  // rounds of pruning
	Path   []tskgraph.PathStep   `json:"path,omitempty"`   // the pruning path
	Chosen string                `json:"chosen,omitempty"` // why the model was chosen from Path

	Seconds float64 `json:"seconds"` // of reading, training and evaluating

	Errors Errors `json:"-"` // the same in full; zero in a summary that was read from its file
}

// StepErrors are the errors of forecasts of a number of steps.
type StepErrors struct {
	Step    int      `json:"step"`
	Samples int      `json:"samples"`
	RMSE    float64  `json:"rmse"`
	MASE    *float64 `json:"mase,omitempty"`
}

// SetSteps measures forecasts of several steps on a part; nothing without them.
func (s *Summary) SetSteps(ctx context.Context, m *model.Model, d *data.Dataset) error {
	if d.Clock == nil || m.Schema.Time.Last == 0 {
		return nil
	}
	add := func(step int, e model.Metrics) {
		s.Steps = append(s.Steps, StepErrors{step, e.Samples, e.RMSE, e.Time.MASE})
	}
	add(m.Schema.Time.Horizon, s.Errors.Test)
	return m.Rolling(ctx, d, func(step int, p model.Predictions, part *data.Dataset) error {
		add(step, m.Measure(p, part))
		return nil
	})
}

// ShowsStep reports whether tables show the i-th of n steps: those that double, and the last.
func ShowsStep(i, n int) bool { return i == n-1 || i&(i+1) == 0 }

// SetTrain sets the errors on the training part.
func (s *Summary) SetTrain(m *model.Model, e model.Metrics) {
	s.Errors.Train, s.SamplesTrain, s.Metric, s.Errors.Names = e, e.Samples, m.Criterion().Name, baseline.NamesOf(m)
	s.add(e)
}

// SetValidation sets the errors on the validation part.
func (s *Summary) SetValidation(e model.Metrics) {
	s.Errors.Validation, s.SamplesValidation = e, e.Samples
	s.add(e)
}

// SetTest sets the errors on the test part, of the model and of the baselines.
func (s *Summary) SetTest(m *model.Model, e model.Metrics, b baseline.Errors) {
	s.Errors.Test, s.Errors.Baselines, s.SamplesTest = e, b, e.Samples
	s.Verdict = baseline.Compare("the test part", m, e, b)
	s.add(e)
}

// add adds the counts of a part, and sets the figures.
func (s *Summary) add(e model.Metrics) {
	s.Weighted = s.Weighted || e.Weighted
	s.Uncovered += e.Uncovered
	s.Figures, s.Targets = figuresOf(s.Errors), nil
	for c, t := range s.Errors.Train.Targets {
		s.Targets = append(s.Targets, TargetFigures{t.Target, figuresOf(s.Errors.of(c))})
	}
}

// SetCalibration sets the size of the calibration part and the 90% interval, with its coverage of the test part if test is not nil.
func (s *Summary) SetCalibration(ctx context.Context, m *model.Model, test *data.Dataset) (err error) {
	s.SamplesCalibration = m.Calibration.Samples
	if s.Interval = words.UsualInterval(m); s.Interval != nil && test != nil {
		s.Interval, err = words.MeasureInterval(ctx, m, words.UsualLevel, model.BothSides, test)
	}
	return err
}

// SplitsOf says on how many splits a setting of a race was scored, marked where it left before another one, since losses on
// different splits are not comparable: "5", or "2, left". Empty without a split.
func SplitsOf(s tskgraph.RaceScore, race []tskgraph.RaceScore) string {
	switch {
	case s.Splits == 0:
		return ""
	case slices.ContainsFunc(race, func(other tskgraph.RaceScore) bool { return other.Splits > s.Splits }):
		return strconv.Itoa(s.Splits) + ", left"
	}
	return strconv.Itoa(s.Splits)
}

// Named returns counts of missing cells in which those that a model does not use as values, as they say nothing of its target, are filled.
func Named(m *model.Model, missing data.Missing) data.Missing {
	at := 0
	for _, c := range m.Schema.Parts() {
		if n := missing.Columns[c.Name]; c.Beside() && m.Features[at].Constant {
			missing.Own, missing.Imputed = missing.Own-n, missing.Imputed+n
		}
		at += c.Width()
	}
	return missing
}

// StandIn describes the values that a model uses for missing cells and for unknown categories, see
// [github.com/tskgraph/tskgraph/model.Preprocessing.Fill].
func StandIn(m *model.Model) (missing, unknown string) {
	own := func(c data.Column) bool { return c.Missing }
	switch {
	case m.ImputeMeans && slices.ContainsFunc(m.Schema.Columns, own):
		return "the training mean stands in where a rule needs a number, and a missing category is a level",
			"none of the known ones, or as the mean level of an ordinal column"
	case m.ImputeMeans:
		return "the training mean stands in, the share of each category for words (on a page none of the levels)",
			"none of the known ones, or as the mean level of an ordinal column"
	}
	mean := "training mean"
	if m.Training.Samples <= 1 { // imported rules
		mean = "model's mean (of a range that the rules state, its middle)"
	}
	return "the " + mean + ", most frequent category or median level stands in",
		"none of the known ones, or as the median level of an ordinal column"
}

// Stability is how much a model depends on its seed; `stability --json` prints it.
type Stability struct {
	Data    string   `json:"data"`
	Target  string   `json:"target"`
	Targets []string `json:"targets,omitempty"` // all of several, Target is the first
	Part    string   `json:"part"`              // on which the models are compared: test or train
	Members int      `json:"members,omitempty"`
	*tune.Dependence
}

// Parts of a run in sentences.
const (
	TrainingPart   = "the training part"
	ValidationPart = "the validation part"
	TestPart       = "the test part"
)

// Part names a part with the table that it is of, and its rows if the run has a sample of them.
func (s *Summary) Part(name string) string {
	if s == nil {
		return name
	}
	rows := map[string][2]int{TrainingPart: {s.SampleTrain, s.SamplesTrain}, ValidationPart: {s.SampleValidation, s.SamplesValidation},
		TestPart: {s.SampleTest, s.SamplesTest}}[name]
	if name += " of " + escape.Text(s.Data); s.TestData != "" && strings.HasPrefix(name, TestPart) {
		name = "the table " + escape.Text(s.TestData)
	}
	if rows[0] > 0 {
		name += fmt.Sprintf(" (%s of its %s)", numeric.Count(rows[0]), numeric.Counted(rows[1], "row"))
	}
	return name
}
