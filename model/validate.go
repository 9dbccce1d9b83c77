package model

import (
	"errors"
	"fmt"
)

// ErrInvalid is wrapped by the errors of [Model.Validate].
var ErrInvalid = errors.New("model: invalid model")

// Validate checks that the model can predict: there are rules, as many numbers in them
// as they and the preprocessing need, and likewise for every member of a committee.
// A model that was never trained is refused. Predicting does so too; saving checks the
// values as well.
func (m *Model) Validate() error {
	if m == nil {
		return fmt.Errorf("%w: there is none", ErrInvalid)
	}
	if !m.Committee() {
		return m.checkRules()
	}
	for k, member := range m.Members {
		if member == nil {
			return fmt.Errorf("%w: members[%d] is missing", ErrInvalid, k)
		}
		if err := member.checkRules(); err != nil {
			return fmt.Errorf("members[%d]: %w", k, err)
		}
		if got, want := len(member.Features), len(m.Features); got != want {
			return fmt.Errorf("%w: members[%d] has %d features, the committee %d", ErrInvalid, k, got, want)
		}
	}
	return nil
}

func (m *Model) checkRules() error {
	if m.RuleBase == nil {
		return fmt.Errorf("%w: there are no rules: train it, or load it from a file", ErrInvalid)
	}
	if err := m.RuleBase.CheckSizes(); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
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
