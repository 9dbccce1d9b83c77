// Package report holds what a run leaves as documents: summary.json of a training run
// and of a search, and what `stability --json` prints. The packages below it set them
// as tables for the terminal (text) and as an HTML page (page).
package report

import (
	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/baseline"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/describe"
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

	Verdict *baseline.Verdict `json:"verdict,omitempty"` // none without a test and a validation part

	Race []tskgraph.RaceScore `json:"race,omitempty"` // of the settings that one was chosen from
	// Interval is the 90% prediction interval, with its coverage of the test part;
	// none without a calibration part, or one of fewer than 9 samples.
	Interval *describe.Interval `json:"interval,omitempty"`

	Before *Before               `json:"before,omitempty"` // the model that was pruned
	Prune  []tskgraph.PruneRound `json:"prune,omitempty"`  // rounds of pruning
	Path   []tskgraph.PathStep   `json:"path,omitempty"`   // the pruning path that the model was chosen from
	Chosen string                `json:"chosen,omitempty"` // why that one

	Seconds float64 `json:"seconds"` // reading, training and measuring

	Errors Errors `json:"-"` // those above in full; not known of a summary that was read from its file
}

// Errors are the errors of a model by part, and of the baselines on the test part. The
// errors of a part that does not exist are zero.
type Errors struct{ Train, Validation, Test, Mean, OLS model.Metrics }

// SetTrain sets the errors on the training part.
func (s *Summary) SetTrain(e model.Metrics) {
	s.Errors.Train, s.SamplesTrain, s.RMSETrain = e, e.Samples, e.RMSE
	s.Weighted = s.Weighted || e.Weighted
	s.Uncovered += e.Uncovered
}

// SetValidation sets the errors on the validation part.
func (s *Summary) SetValidation(e model.Metrics) {
	s.Errors.Validation, s.SamplesValidation, s.RMSEValidation = e, e.Samples, &e.RMSE
	s.Weighted = s.Weighted || e.Weighted
	s.Uncovered += e.Uncovered
}

// SetCalibration sets the size of the calibration part and the 90% interval, with
// its coverage of the test part if there is one (or nil).
func (s *Summary) SetCalibration(m *model.Model, test *data.Dataset) (err error) {
	s.SamplesCalibration = m.Calibration.Samples
	if s.Interval = describe.UsualInterval(m); s.Interval != nil && test != nil {
		s.Interval, err = describe.MeasureInterval(m, describe.UsualLevel, test)
	}
	return err
}

// SetTest sets the errors on the test part, the baselines' too.
func (s *Summary) SetTest(e, mean, ols model.Metrics) {
	s.Errors.Test, s.Errors.Mean, s.Errors.OLS, s.SamplesTest = e, mean, ols, e.Samples
	s.Weighted = s.Weighted || e.Weighted
	s.RMSETest, s.MAETest, s.R2Test = &s.Errors.Test.RMSE, &s.Errors.Test.MAE, &s.Errors.Test.R2
	s.RMSEMean, s.RMSEOLS = &s.Errors.Mean.RMSE, &s.Errors.OLS.RMSE
	s.Verdict = baseline.Compare("the test part", e, mean, &ols)
	s.Uncovered += e.Uncovered
}
