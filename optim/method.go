package optim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/interval"
)

// Method is an update rule with its options: a pointer to a struct such as [AdaBound], of which a zero field stands for
// the default.
//
// To add a method, write one file, in this package or in a module of your own: the struct, its methods, and a call of
// [Register] in the file's init. Its name and options become a choice and keys of config.yaml. Package optimtest tests it.
type Method interface {
	// Name is the name used in configurations and saved states, e.g. "adabound".
	Name() string

	// Options describes the options, in order, the first of them [LearningRate]. Each points to its field.
	Options() []Option

	// Start returns a solver with the options as they are, complete and within their limits, its state at zero. [New]
	// calls it; most methods return [Elementwise].
	Start() Solver
}

// Option is an option of a [Method].
type Option struct {
	Name    string             // in configurations and messages, e.g. "learning_rate"; all methods that have it share it and the next two
	Doc     string             // what it means, for people
	Limits  *interval.Interval // of its values
	Default float64            // what a zero stands for
	Value   *float64
}

// constructor returns a method with all options zero.
type constructor func() Method

// Name returns the name of the method.
func (c constructor) Name() string { return c().Name() }

var methods = registry.New[constructor]("optim", "solver")

// Register adds a method, which construct returns with all options zero, to those that [Lookup] finds. Call it in the init
// function of the method's file; it panics if the name is already registered.
func Register(construct func() Method) { methods.Register(construct) }

// Solvers lists the names of all methods, sorted.
func Solvers() []string { return methods.Names() }

// Lookup returns the method of that name, complete: with the options of v and the defaults of the others. It refuses, as
// ErrOption, an unknown name, options that the method does not have, and values beyond their limits. The error joins all
// faults of options, each an *OptionError.
func Lookup(name string, v Values) (Method, error) {
	construct, err := methods.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrOption, strings.TrimPrefix(err.Error(), "optim: "))
	}
	m := construct()
	for _, o := range m.Options() {
		*o.Value = v[o.Name]
	}
	if err := errors.Join(foreign(m, v), complete(m)); err != nil {
		return nil, err
	}
	return m, nil
}

// New sets the zero options of m to their defaults and returns its solver, with its state at zero. The solver reads its
// options from m, which must not change from then on. New refuses, as ErrOption, a nil method and options beyond their
// limits; the error joins all faults of options, each an *OptionError.
func New(m Method) (Solver, error) {
	if m == nil {
		return nil, fmt.Errorf("%w: the method is nil", ErrOption)
	}
	if err := complete(m); err != nil {
		return nil, err
	}
	return m.Start(), nil
}

// complete sets the zero options of m to their defaults, and joins an *OptionError for each that is beyond its limits.
func complete(m Method) error {
	var faults []error
	for _, o := range m.Options() {
		if *o.Value == 0 {
			*o.Value = o.Default
		}
		if o.Limits.Has(*o.Value) {
			continue
		}
		limits := o.Limits.String()
		if !numeric.Finite(*o.Value) {
			limits = "finite and " + limits
		}
		faults = append(faults, &OptionError{o.Name, fmt.Sprintf("%g: must be %s", *o.Value, limits)})
	}
	return errors.Join(faults...)
}

// foreign joins an *OptionError for each value that is not of an option of m.
func foreign(m Method, v Values) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if v[name] == 0 || slices.ContainsFunc(m.Options(), func(o Option) bool { return o.Name == name }) {
			continue
		}
		message := fmt.Sprintf("%g: no solver has such an option", v[name])
		if users := users(name); users != nil {
			message = fmt.Sprintf("%g: solver %s does not use it (used by %s)", v[name], m.Name(), strings.Join(users, ", "))
		}
		faults = append(faults, &OptionError{name, message})
	}
	return errors.Join(faults...)
}

// LearningRate names the option that every solver has.
const LearningRate = "learning_rate"

// SolverOption is an option of one or several solvers: a row of a table of configuration.
type SolverOption struct {
	Name     string             // e.g. "learning_rate"
	Doc      string             // what it means
	Limits   *interval.Interval // of its values
	Solvers  []string           // that have it, sorted
	Defaults []float64          // of these solvers
}

// OptionsOfSolvers lists the options of all solvers: those of the first solver in their order, then the others by name.
func OptionsOfSolvers() []SolverOption {
	var all []SolverOption
	first := 0 // options of the first solver
	for _, construct := range methods.All() {
		solver := construct.Name()
		for _, o := range construct().Options() {
			i := slices.IndexFunc(all, func(s SolverOption) bool { return s.Name == o.Name })
			if i < 0 {
				i = len(all)
				all = append(all, SolverOption{Name: o.Name, Doc: o.Doc, Limits: o.Limits})
			}
			all[i].Solvers, all[i].Defaults = append(all[i].Solvers, solver), append(all[i].Defaults, o.Default)
		}
		if first == 0 {
			first = len(all)
		}
	}
	slices.SortFunc(all[first:], func(a, b SolverOption) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// users lists the solvers that have an option.
func users(option string) []string {
	for _, o := range OptionsOfSolvers() {
		if o.Name == option {
			return o.Solvers
		}
	}
	return nil
}

// Limits of options.
var (
	positive = interval.Above(0)          // of rates and divisors
	decay    = interval.Above(0).Below(1) // of running averages
)

// Options that several solvers have.

func learningRate(v *float64, preset float64) Option {
	return Option{LearningRate, "step size, in scaled units", positive, preset, v}
}

func beta1(v *float64, preset float64) Option {
	return Option{"beta1", "decay of the mean gradient, 0 to 1", decay, preset, v}
}

func beta2(v *float64, preset float64) Option {
	return Option{"beta2", "decay of the mean squared gradient, 0 to 1", decay, preset, v}
}

func epsilon(v *float64, preset float64) Option {
	return Option{"epsilon", "added to the divisor, which keeps it above zero", positive, preset, v}
}

// Values are options of a solver by name, e.g. "learning_rate". An option that is absent or zero has the solver's default.
type Values map[string]float64

// Set sets an option; zero removes it. Copies of the values that were made before keep theirs.
func (v *Values) Set(name string, value float64) {
	changed := maps.Clone(*v)
	if changed == nil {
		changed = Values{}
	}
	if changed[name] = value; value == 0 {
		delete(changed, name)
	}
	*v = changed
}

// ValuesOf returns the values of all options of m.
func ValuesOf(m Method) Values {
	v := Values{}
	for _, o := range m.Options() {
		v[o.Name] = *o.Value
	}
	return v
}

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
