package report

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Summary is the outcome of a training run: summary.json, and what
// `train --json` prints.
type Summary struct {
	RunDir     string   `json:"run_dir"`
	Model      string   `json:"model"` // path of the model file
	Data       string   `json:"data"`
	Target     string   `json:"target"`
	Membership string   `json:"membership"`
	Engine     string   `json:"engine"`
	Members    int      `json:"members,omitempty"` // of a committee, whose counts below are sums over them
	Rules      int      `json:"rules"`
	RuleLength float64  `json:"rule_length"` // features that the IF part of a rule mentions, on average
	Features   int      `json:"features"`    // used, constant ones not counted
	Dropped    []string `json:"dropped_features,omitempty"`
	Iterations int      `json:"iterations"`     // made
	Best       int      `json:"best_iteration"` // whose parameters were kept
	Stopped    string   `json:"stopped"`        // completed, patience, diverged, interrupted or failed
	Seed       uint64   `json:"seed"`
	Skipped    int      `json:"skipped_samples"` // in all iterations together
	Uncovered  int      `json:"uncovered_points"`

	Missing data.Missing `json:"missing"` // of the whole table

	SamplesTrain       int `json:"samples_train"`
	SamplesCalibration int `json:"samples_calibration,omitempty"`
	SamplesValidation  int `json:"samples_validation"`
	SamplesTest        int `json:"samples_test"`

	RMSETrain      float64  `json:"rmse_train"`
	RMSEValidation *float64 `json:"rmse_validation,omitempty"`
	RMSETest       *float64 `json:"rmse_test"` // null without a test part, as are the next
	MAETest        *float64 `json:"mae_test"`
	R2Test         *float64 `json:"r2_test"`
	RMSEMean       *float64 `json:"rmse_mean"` // of predicting the training mean
	RMSEOLS        *float64 `json:"rmse_ols"`  // of ordinary least squares

	Weighted bool `json:"weighted,omitempty"` // errors, those of the race too, are weighted by the table's weights

	Verdict *Verdict `json:"verdict,omitempty"` // none without a test and a validation part

	Race []tskgraph.RaceScore `json:"race,omitempty"` // of the settings that one was chosen from
	// Interval is the 90% prediction interval, with its coverage of the test part;
	// none without a calibration part, or one of fewer than 9 samples.
	Interval *Interval `json:"interval,omitempty"`

	Before *Before               `json:"before,omitempty"` // the model that was pruned
	Prune  []tskgraph.PruneRound `json:"prune,omitempty"`  // rounds of pruning
	Path   []tskgraph.PathStep   `json:"path,omitempty"`   // the pruning path that the model was chosen from
	Chosen string                `json:"chosen,omitempty"` // why that one

	Seconds float64 `json:"seconds"` // reading, training and measuring

	train, validation, test, mean, ols model.Metrics
}

// SetTrain sets the errors on the training part.
func (s *Summary) SetTrain(e model.Metrics) {
	s.train, s.SamplesTrain, s.RMSETrain = e, e.Samples, e.RMSE
	s.Weighted = s.Weighted || e.Weighted
	s.Uncovered += e.Uncovered
}

// SetValidation sets the errors on the validation part.
func (s *Summary) SetValidation(e model.Metrics) {
	s.validation, s.SamplesValidation, s.RMSEValidation = e, e.Samples, &e.RMSE
	s.Weighted = s.Weighted || e.Weighted
	s.Uncovered += e.Uncovered
}

// SetCalibration sets the size of the calibration part and the 90% interval, with
// its coverage of the test part if there is one (or nil).
func (s *Summary) SetCalibration(m *model.Model, test *data.Dataset) (err error) {
	s.SamplesCalibration = m.Calibration.Samples
	if s.Interval = describeInterval(m); s.Interval != nil && test != nil {
		s.Interval, err = MeasureInterval(m, usualLevel, test)
	}
	return err
}

// SetTest sets the errors on the test part, the baselines' too.
func (s *Summary) SetTest(e, mean, ols model.Metrics) {
	s.test, s.mean, s.ols, s.SamplesTest = e, mean, ols, e.Samples
	s.Weighted = s.Weighted || e.Weighted
	s.RMSETest, s.MAETest, s.R2Test = &s.test.RMSE, &s.test.MAE, &s.test.R2
	s.RMSEMean, s.RMSEOLS = &s.mean.RMSE, &s.ols.RMSE
	s.Verdict = Compare("the test part", e, mean, &ols)
	s.Uncovered += e.Uncovered
}

// Write writes the summary as tables.
func (s *Summary) Write(w io.Writer) error {
	var b strings.Builder // tablewriter overlooks what a writer says
	if err := errors.Join(s.writeRace(&b), s.writePath(&b), s.writePruning(&b)); err != nil {
		return err
	}
	rmses := newTable(&b, 1)
	rmses.Header("", "RMSE", "MAE", "R2", sampleNoun(s.Weighted))
	row := func(name string, e model.Metrics) {
		rmses.Append(name, figure(e.RMSE), figure(e.MAE), r2(e.R2), strconv.Itoa(e.Samples))
	}
	if s.Before != nil {
		row("before pruning, train", s.Before.train)
		if s.SamplesValidation > 0 {
			row("before pruning, validation", s.Before.validation)
		}
		if s.SamplesTest > 0 {
			row("before pruning, test", s.Before.test)
		}
	}
	row("TSK model, train", s.train)
	if s.SamplesValidation > 0 {
		row("TSK model, validation", s.validation)
	}
	if s.SamplesTest > 0 {
		row("TSK model, test", s.test)
		row("least squares, test", s.ols)
		row("mean, test", s.mean)
	}
	if err := rmses.Render(); err != nil {
		return err
	}
	facts := newTable(&b, 0)
	facts.Header("rules", "features", "per rule", "iterations", "skipped samples", "uncovered points", "seconds")
	facts.Append(strconv.Itoa(s.Rules), strconv.Itoa(s.Features), strconv.FormatFloat(s.RuleLength, 'f', 1, 64), strconv.Itoa(s.Iterations), strconv.Itoa(s.Skipped),
		strconv.Itoa(s.Uncovered), strconv.FormatFloat(s.Seconds, 'f', 2, 64))
	if err := facts.Render(); err != nil {
		return err
	}
	writeCounts(&b, s.Skipped, s.Uncovered, 0, 0)
	if s.Members > 0 {
		fmt.Fprintf(&b, "a committee of %d models\n", s.Members)
	}
	if s.Interval != nil {
		fmt.Fprintf(&b, "%s\n", s.Interval)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sampleNoun names the samples on which errors are measured.
func sampleNoun(weighted bool) string {
	if weighted {
		return "weighted samples"
	}
	return "samples"
}

// WriteMetrics writes errors on a data set as a table.
func WriteMetrics(w io.Writer, e model.Metrics) error {
	var b strings.Builder
	t := newTable(&b, 0)
	t.Header(sampleNoun(e.Weighted), "RMSE", "MAE", "R2", "uncovered points", "out of range", "limited")
	t.Append(strconv.Itoa(e.Samples), figure(e.RMSE), figure(e.MAE), r2(e.R2), strconv.Itoa(e.Uncovered), strconv.Itoa(e.OutOfRange), strconv.Itoa(e.Limited))
	if err := t.Render(); err != nil {
		return err
	}
	writeCounts(&b, 0, e.Uncovered, e.OutOfRange, e.Limited)
	_, err := io.WriteString(w, b.String())
	return err
}

// r2 shows four decimals, unless it is absurd, and no minus before a zero.
func r2(v float64) string {
	if math.Abs(v) >= 1e6 {
		return figure(v)
	}
	return strconv.FormatFloat(math.Round(v*1e4)/1e4+0, 'f', 4, 64)
}

func figure(v float64) string { return fmt.Sprintf("%.5g", v) }

// newTable returns a table whose first left columns are aligned to the left, and
// those of further indices.
func newTable(w io.Writer, left int, further ...int) *tablewriter.Table {
	align := tw.CellAlignment{Global: tw.AlignRight}
	for range left {
		align.PerColumn = append(align.PerColumn, tw.AlignLeft)
	}
	for _, i := range further {
		for len(align.PerColumn) < i {
			align.PerColumn = append(align.PerColumn, tw.AlignRight)
		}
		align.PerColumn = append(align.PerColumn, tw.AlignLeft)
	}
	return tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithConfig(tablewriter.Config{
			Header: tw.CellConfig{Alignment: align, Formatting: tw.CellFormatting{AutoFormat: tw.Off}},
			Row:    tw.CellConfig{Alignment: align},
		}))
}
