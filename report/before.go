package report

import "github.com/tskgraph/tskgraph/model"

// Before is a model before it was pruned.
type Before struct {
	Model          string   `json:"model"` // path of the model file
	Rules          int      `json:"rules"`
	RMSETrain      float64  `json:"rmse_train"`
	RMSEValidation *float64 `json:"rmse_validation,omitempty"`
	RMSETest       *float64 `json:"rmse_test"` // null without a test part

	Errors Errors `json:"-"` // in full, as far as they are known
}

// SetBefore sets the errors of the model before it was pruned; those of a part
// that does not exist are nil.
func (s *Summary) SetBefore(path string, rules int, train, validation, test *model.Metrics) {
	s.Before = &Before{Model: path, Rules: rules, RMSETrain: train.RMSE, Errors: Errors{Train: *train}}
	if validation != nil {
		s.Before.Errors.Validation, s.Before.RMSEValidation = *validation, &validation.RMSE
	}
	if test != nil {
		s.Before.Errors.Test, s.Before.RMSETest = *test, &test.RMSE
	}
}
