package report

import "github.com/tskgraph/tskgraph/model"

// Before has the errors of the model before pruning.
type Before struct {
	Model          string   `json:"model"` // path of the model file
	Rules          int      `json:"rules"`
	RMSETrain      float64  `json:"rmse_train"`
	RMSEValidation *float64 `json:"rmse_validation,omitempty"`
	RMSETest       *float64 `json:"rmse_test"` // null without a test part

	Errors Errors `json:"-"` // the same in full; zero in a summary that was read from its file
}

// SetBefore sets the errors of the model before pruning; nil for a part that does not exist.
func (s *Summary) SetBefore(path string, rules int, train, validation, test *model.Metrics) {
	s.Before = &Before{Model: path, Rules: rules, RMSETrain: train.RMSE, Errors: Errors{Train: *train}}
	if validation != nil {
		s.Before.Errors.Validation, s.Before.RMSEValidation = *validation, &validation.RMSE
	}
	if test != nil {
		s.Before.Errors.Test, s.Before.RMSETest = *test, &test.RMSE
	}
}
