package optim

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/interval"
)

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
