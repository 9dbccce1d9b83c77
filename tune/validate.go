package tune

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph"
)

// validate refuses values that occur twice, and each that the base cannot be
// trained with.
func (sp Space) validate(base tskgraph.Options) error {
	b, err := settingsOf(base)
	if err != nil {
		return err
	}
	var names []string
	for _, f := range sp.Membership {
		names = append(names, f.Name())
	}
	return firstError(
		checkList("tune.rules", sp.Rules, func(v int) error { s := b; s.Rules = v; return sp.apply(base, s).Validate() }),
		checkList("tune.membership", names, func(v string) error { s := b; s.Membership = v; return sp.apply(base, s).Validate() }),
		checkList("tune.droprule", sp.DropRule, func(v float64) error { s := b; s.DropRule = v; return sp.apply(base, s).Validate() }),
		checkList("tune.l2", sp.L2, func(v float64) error { s := b; s.L2 = v; return sp.apply(base, s).Validate() }),
		checkList("tune.iterations", sp.Iterations, func(v int) error { s := b; s.Iterations = v; return sp.apply(base, s).Validate() }),
		checkList("tune.learning_rate", sp.LearningRate, func(v float64) error {
			if v == 0 {
				return fmt.Errorf("0: must be above 0") // the solver would take its default
			}
			s := b
			s.LearningRate = v
			return sp.apply(base, s).Validate()
		}),
	)
}

func checkList[T comparable](key string, list []T, valid func(T) error) error {
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			return &tskgraph.OptionError{Key: key, Message: fmt.Sprintf("%v is there twice", v)}
		}
		if err := valid(v); err != nil {
			return &tskgraph.OptionError{Key: key, Message: err.Error()}
		}
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
