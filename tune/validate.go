package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
)

// validate refuses values that occur twice, and each that the base cannot be
// trained with.
func (sp Space) validate(base tskgraph.Recipe) error {
	base = base.Candidates(math.MaxInt)[0]
	b, err := settingsOf(base)
	if err != nil {
		return err
	}
	one := single{sp, base, b}
	return firstError(
		checkList("tune.rules", sp.Rules, one.rules),
		checkList("tune.membership", sp.shapes(), one.membership),
		checkList("tune.antecedents", sp.Antecedents, one.antecedents),
		checkList("tune.droprule", sp.DropRule, one.dropRule),
		checkList("tune.l2", sp.L2, one.l2),
		checkList("tune.uniform", sp.Uniform, one.uniform),
		checkList("tune.iterations", sp.Iterations, one.iterations),
		checkList("tune.learning_rate", sp.LearningRate, one.learningRate),
	)
}

// single says what keeps the base from being trained with one setting changed.
type single struct {
	space    Space
	base     tskgraph.Recipe
	settings Settings // the base's
}

func (o single) with(change func(s *Settings)) error {
	change(&o.settings)
	return o.space.apply(o.base, o.settings).Validate()
}

func (o single) rules(v int) error { return o.with(func(s *Settings) { s.Rules = v }) }
func (o single) membership(v string) error {
	return o.with(func(s *Settings) { s.Membership = v })
}
func (o single) dropRule(v float64) error { return o.with(func(s *Settings) { s.DropRule = v }) }
func (o single) antecedents(v float64) error {
	return o.with(func(s *Settings) { s.Antecedents = v })
}
func (o single) uniform(v float64) error { return o.with(func(s *Settings) { s.Uniform = v }) }
func (o single) l2(v float64) error      { return o.with(func(s *Settings) { s.L2 = v }) }
func (o single) iterations(v int) error  { return o.with(func(s *Settings) { s.Iterations = v }) }

func (o single) learningRate(v float64) error {
	if v == 0 {
		return errors.New("0: must be above 0") // the solver would take its default
	}
	return o.with(func(s *Settings) { s.pace(v) })
}

// possible returns the values of a list that are valid.
func possible[T any](list []T, valid func(T) error) []T {
	return slices.DeleteFunc(list, func(v T) bool { return valid(v) != nil })
}

func checkList[T comparable](key string, list []T, valid func(T) error) error {
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			return &tskgraph.RecipeError{Key: key, Message: fmt.Sprintf("%v is there twice", v)}
		}
		if err := valid(v); err != nil {
			return &tskgraph.RecipeError{Key: key, Message: strings.ReplaceAll(err.Error(), "\n", "; ")}
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
