package model

import (
	"errors"
	"fmt"
)

// ErrInvalid is wrapped by the errors of [Model.Validate].
var ErrInvalid = errors.New("model: invalid model")

func checkRules(m *Model) error {
	if m.RuleBase == nil {
		return fmt.Errorf("%w: no rules: train the model, or load it from a file", ErrInvalid)
	}
	if err := m.RuleBase.CheckSizes(); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if got, want := m.RuleBase.OutputCount(), m.OutputCount(); got != want {
		return fmt.Errorf("%w: the rules have %d outputs; the response needs %d", ErrInvalid, got, want)
	}
	if err := checkResponse(&m.Preprocessing); err != nil {
		return fmt.Errorf("%w: response.%w", ErrInvalid, err)
	}
	used, inputs := 0, len(m.Components)
	for _, f := range m.Features {
		if !f.Constant {
			used++
		}
	}
	for k, c := range m.Components {
		if len(c.Loadings) != used {
			return fmt.Errorf("%w: components[%d] has %d loadings; %d features are used", ErrInvalid, k, len(c.Loadings), used)
		}
	}
	if m.Components == nil {
		inputs = used
	}
	if got := m.RuleBase.Features(); got != inputs {
		return fmt.Errorf("%w: the rules are over %d inputs; the preprocessing gives %d", ErrInvalid, got, inputs)
	}
	return nil
}
