package report

import "github.com/tskgraph/tskgraph/model"

// Before has the errors of the model before pruning.
type Before struct {
	Model string `json:"model"` // path of the model file
	Rules int    `json:"rules"`

	Figures       // as in Summary
	*ClassFigures // nil for numbers

	Errors Errors `json:"-"` // the same in full; zero in a summary that was read from its file
}

// SetBefore sets the errors of the model before pruning; nil for a part that does not exist.
func (s *Summary) SetBefore(path string, rules int, train, validation, test *model.Metrics) {
	s.Before = &Before{Model: path, Rules: rules, Errors: Errors{Train: *train}}
	if validation != nil {
		s.Before.Errors.Validation = *validation
	}
	if test != nil {
		s.Before.Errors.Test = *test
	}
	s.Before.Figures, s.Before.ClassFigures, _ = figuresOf(s.Before.Errors)
}
