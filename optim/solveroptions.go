package optim

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

// Values returns the options by name.
func (o SolverOptions) Values() Values {
	v := Values{}
	for _, name := range optionNames {
		v[name] = *o.Option(name)
	}
	return v
}

// Uses lists the names of the options that a solver uses; nil for an unknown solver.
func Uses(solver string) (names []string) {
	if m, err := Lookup(solver, nil); err == nil {
		for _, o := range m.Options() {
			names = append(names, o.Name)
		}
	}
	return names
}

// Defaults returns a solver's defaults, zero in the options it does not use; all zero for an unknown solver.
func Defaults(solver string) SolverOptions {
	o, _ := Resolve(solver, SolverOptions{})
	return o
}

// Resolve returns o with the solver's defaults in place of zeros: the options that NewSolver would run with. It refuses
// what [Lookup] refuses.
func Resolve(solver string, o SolverOptions) (SolverOptions, error) {
	m, err := Lookup(solver, o.Values())
	if err != nil {
		return SolverOptions{}, err
	}
	for _, option := range m.Options() {
		*o.Option(option.Name) = *option.Value
	}
	return o, nil
}

// NewSolver returns the solver of that name with its state at zero. Zero options take the solver's defaults.
func NewSolver(name string, o SolverOptions) (Solver, error) {
	m, err := Lookup(name, o.Values())
	if err != nil {
		return nil, err
	}
	return New(m)
}
