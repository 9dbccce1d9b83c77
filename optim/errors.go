package optim

import (
	"errors"
	"fmt"
)

// OptionError is a fault of an option of a solver. It wraps ErrOption.
type OptionError struct {
	Option  string // its name, e.g. "learning_rate"
	Message string // begins with its value
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("%v: %s is %s", ErrOption, e.Option, e.Message)
}

// Unwrap returns ErrOption.
func (e *OptionError) Unwrap() error { return ErrOption }

// The errors of this package wrap one of these; test with errors.Is.
var (
	// ErrDiverged: a loss, gradient, parameter or validation RMSE is not finite, or the loss has blown up.
	ErrDiverged = errors.New("optim: training diverged")
	// ErrOption: an option is unknown, out of range, or set although it would have no effect.
	ErrOption = errors.New("optim: invalid option")
	// ErrData: the training data are empty, ragged, not finite or negatively weighted.
	ErrData = errors.New("optim: invalid data")
	// ErrParameter: a parameter or its gradient cannot be updated in place.
	ErrParameter = errors.New("optim: invalid parameter")
	// ErrState: a saved state does not belong to the solver or sampler it is restored into.
	ErrState = errors.New("optim: invalid state")
)
