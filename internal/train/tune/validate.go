package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// validate refuses values that occur twice, and each that the base cannot be
// trained with. The error is an *[recipe.Error].
func (sp Space) validate(base tskgraph.Recipe, classes bool) error {
	base = base.Candidates(math.MaxInt, classes)[0]
	s, err := settingsOf(base)
	if err != nil {
		return err
	}
	for _, k := range listed() {
		list := sp[k.Own()]
		fail := func(format string, a ...any) error {
			return &tskgraph.RecipeError{Key: listName(k.Own()), Message: fmt.Sprintf(format, a...)}
		}
		for i, v := range list {
			if slices.ContainsFunc(list[:i], equals(v)) {
				return fail("%s is there twice", recipe.Text(v))
			}
			if err := validValue(base, s, k, v); err != nil {
				return fail("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
			}
		}
	}
	return nil
}

// validValue reports what keeps the base, whose settings are s, from being trained with
// another value of a key.
func validValue(base tskgraph.Recipe, s recipe.Setting, k recipe.Key, v any) error {
	if v == 0.0 && !k.Limits.Has(0) {
		return errors.New("0: must be above 0") // the optimizer would use its default
	}
	return valid(base, with(s, k, v))
}
