package optim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// SolverOptions are the options of all solvers together; each solver uses some of them ([Uses]). A zero means the
// solver's default ([Defaults]).
type SolverOptions struct {
	LearningRate float64 `json:"learning_rate,omitempty"` // alpha > 0, the initial step size
	FinalLR      float64 `json:"final_lr,omitempty"`      // > 0, what AdaBound's bounds converge to
	Beta1        float64 `json:"beta1,omitempty"`         // decay of the first moment, in (0,1)
	Beta2        float64 `json:"beta2,omitempty"`         // decay of the second moment, in (0,1)
	Epsilon      float64 `json:"epsilon,omitempty"`       // > 0, keeps the divisor from zero
	Momentum     float64 `json:"momentum,omitempty"`      // mu of classical momentum, in [0,1)
	Rho          float64 `json:"rho,omitempty"`           // decay of RMSProp's mean square, in (0,1)
}

// optionNames are the names of the options in configuration and messages, in the order of the fields.
var optionNames = []string{"learning_rate", "final_lr", "beta1", "beta2", "epsilon", "momentum", "rho"}

// Option returns a pointer to the option of that name, as [Uses] spells it (learning_rate, final_lr, beta1, beta2,
// epsilon, momentum, rho); nil if there is none.
func (o *SolverOptions) Option(name string) *float64 {
	switch name {
	case "learning_rate":
		return &o.LearningRate
	case "final_lr":
		return &o.FinalLR
	case "beta1":
		return &o.Beta1
	case "beta2":
		return &o.Beta2
	case "epsilon":
		return &o.Epsilon
	case "momentum":
		return &o.Momentum
	case "rho":
		return &o.Rho
	}
	return nil
}

// Uses lists the names of the options that a solver uses; nil for an unknown solver.
func Uses(solver string) []string {
	if m, ok := lookup(solver); ok {
		return slices.Clone(m.uses)
	}
	return nil
}

// Defaults returns a solver's defaults, zero in the options it does not use; all zero for an unknown solver.
func Defaults(solver string) SolverOptions {
	m, _ := lookup(solver)
	return m.defaults
}

// Resolve returns o with the solver's defaults in place of zeros: the options that NewSolver would run with.
// It refuses, as ErrOption, an unknown solver, an option that is set but not used by the solver, and values out of
// range: not finite, negative, or a decay or momentum of 1 and more. The error joins all faults of options, each an
// *OptionError.
func Resolve(solver string, o SolverOptions) (SolverOptions, error) {
	m, ok := lookup(solver)
	if !ok {
		return SolverOptions{}, fmt.Errorf("%w: unknown solver %q (have %s)", ErrOption, solver, strings.Join(Solvers(), ", "))
	}
	var faults []error
	fail := func(name, format string, a ...any) {
		faults = append(faults, &OptionError{name, fmt.Sprintf("%g: ", *o.Option(name)) + fmt.Sprintf(format, a...)})
	}
	for _, name := range optionNames {
		v := o.Option(name)
		switch {
		case *v == 0:
			*v = *m.defaults.Option(name)
		case !slices.Contains(m.uses, name):
			fail(name, "solver %s does not use it (used by %s)", solver, strings.Join(users(name), ", "))
		case !(*v > 0 && *v < upperBound(name)): // also true of NaN
			fail(name, "must be above 0 and below %g", upperBound(name))
		}
	}
	if faults != nil {
		return SolverOptions{}, errors.Join(faults...)
	}
	return o, nil
}

// upperBound is the least value that is too large for an option.
func upperBound(name string) float64 {
	switch name {
	case "beta1", "beta2", "momentum", "rho":
		return 1
	}
	return math.Inf(1)
}

// users lists the solvers that use an option.
func users(option string) []string {
	var names []string
	for _, m := range methods {
		if slices.Contains(m.uses, option) {
			names = append(names, m.name)
		}
	}
	return names
}
