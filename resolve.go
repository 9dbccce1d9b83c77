package tskgraph

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// resolved is what the names in Options stand for.
type resolved struct {
	init       string              // never auto
	engine     string              // never auto
	solverUsed optim.SolverOptions // defaults filled in
}

// resolve checks the options. The error joins all faults, each an *OptionError.
func (o Options) resolve() (r resolved, err error) {
	faults := o.checkNumbers()
	add := func(key, message string) { faults = append(faults, &OptionError{key, message}) }
	if o.Model.Membership == nil {
		add("model.membership", "no shape: set one, such as membership.Gaussian{}")
		return resolved{}, errors.Join(faults...)
	}
	if r.init, err = o.Model.initialiser(); err != nil {
		faults = append(faults, err)
	}
	if r.engine, err = graph.Engine(o.Model.Engine, o.Model.Membership); err != nil {
		add("model.engine", strings.TrimPrefix(err.Error(), graph.ErrGraph.Error()+": "))
	}
	if r.solverUsed, err = o.Train.resolveSolver(); err != nil {
		faults = append(faults, err)
	} else if solver, _ := optim.NewSolver(o.Train.Optimizer, o.Train.Solver); o.Train.Batch != 0 {
		if _, ok := solver.(optim.LossSolver); ok {
			add("train.batch", fmt.Sprintf("%d: optimizer %s (train.optimizer) needs the loss on all samples: set it to 0", o.Train.Batch, o.Train.Optimizer))
		}
	}
	faults = append(faults, o.checkConsequents()...)
	faults = append(faults, o.checkRecipe()...)
	if faults == nil {
		faults = o.checkRace()
	}
	if faults != nil {
		return resolved{}, errors.Join(faults...)
	}
	return r, nil
}

// checkNumbers checks the numbers that every training has.
func (o Options) checkNumbers() (faults []error) {
	fail := func(key, format string, a ...any) {
		faults = append(faults, &OptionError{key, fmt.Sprintf(format, a...)})
	}
	for _, c := range []struct {
		key         string
		value       int
		least, most int
	}{
		{"model.rules", o.Model.Rules, o.leastRules(), maxRules},
		{"train.iterations", o.Train.Iterations, 1, maxCount}, {"train.batch", o.Train.Batch, 0, maxCount},
		{"train.patience", o.Train.Patience, 0, maxCount}, {"train.validate_every", o.Train.ValidateEvery, 1, maxCount},
		{"train.members", o.Train.Members, 0, maxMembers},
		{"prune.rounds", o.Prune.Rounds, 0, maxRounds}, {"data.pca", o.Model.PCA, 0, maxCount},
	} {
		if c.value < c.least {
			fail(c.key, "%d: must be at least %d", c.value, c.least)
		} else if c.value > c.most {
			fail(c.key, "%d: must be at most %d", c.value, c.most)
		}
	}
	if l := o.Train.L2; !(l >= 0) || math.IsInf(l, 0) {
		fail("train.l2", "%v: must be zero or more", l)
	}
	if p := o.Train.DropRule; !(p >= leastDropRule && p <= 1) {
		fail("train.droprule", "%v: the probability that a rule is kept must be above 0, at least %v, and at most 1", p, leastDropRule)
	}
	if g := o.Prune.Gamma; !(g >= 0) || math.IsInf(g, 0) {
		fail("prune.gamma", "%v: must be zero or more", g)
	}
	if t := o.Prune.Theta; !(t >= 0 && t <= 1) {
		fail("prune.theta", "%v: must be a similarity, from 0 to 1", t)
	}
	return faults
}

// initialiser returns the name of the initialiser, never auto; for a shape of bounded
// support auto is k-means++, whose clusters cover every sample.
func (o ModelOptions) initialiser() (string, error) {
	switch o.Init {
	case "fcm", "kmeans", "one-feature", "genfis", grid, SavedModel:
		return o.Init, nil
	case "auto":
		if bounded(o.Membership) {
			return "kmeans", nil
		}
		return "fcm", nil
	}
	if o.FromFile() {
		return o.Init, nil
	}
	return "", &OptionError{"model.init", fmt.Sprintf("unknown initialiser %q: choose auto, fcm, kmeans, one-feature, grid or genfis, or the file of a saved model, such as runs/no2-gaussian-001/model.json", o.Init)}
}

// checkConsequents checks how the consequents are found.
func (o Options) checkConsequents() (faults []error) {
	fail := func(key, format string, a ...any) {
		faults = append(faults, &OptionError{key, fmt.Sprintf(format, a...)})
	}
	switch o.Model.Consequents {
	case "gradient":
	case leastSquaresConsequents:
		if o.Train.Batch != 0 {
			fail("train.batch", "%d: least squares (model.consequents) are over all samples: set it to 0", o.Train.Batch)
		}
		if o.Train.DropRule != 1 {
			fail("train.droprule", "%v: least squares (model.consequents) are over all rules: set it to 1", o.Train.DropRule)
		}
	default:
		fail("model.consequents", "unknown choice %q: choose gradient or %s", o.Model.Consequents, leastSquaresConsequents)
	}
	return faults
}

// resolveSolver fills in the defaults of the optimizer.
func (o TrainOptions) resolveSolver() (optim.SolverOptions, error) {
	if !slices.Contains(optim.Solvers(), o.Optimizer) {
		return o.Solver, &OptionError{"train.optimizer", fmt.Sprintf("unknown optimizer %q: choose one of %s", o.Optimizer, strings.Join(optim.Solvers(), ", "))}
	}
	used, err := optim.Resolve(o.Optimizer, o.Solver)
	var faults []error
	for _, err := range parts(err) {
		if fault := new(optim.OptionError); errors.As(err, &fault) {
			err = &OptionError{"train." + fault.Option, fault.Message}
		}
		faults = append(faults, err)
	}
	return used, errors.Join(faults...)
}

// parts returns the errors that a joined error is made of.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, parts(e)...)
		}
		return all
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// leastRules is zero where a saved model or a grid may say how many there are.
func (o Options) leastRules() int {
	if o.Model.Init == SavedModel || o.Model.Init == grid || o.Model.FromFile() {
		return 0
	}
	return 1
}

// bounded reports whether a shape has bounded support: grade zero fifteen spreads
// from its center.
func bounded(f membership.Function) bool {
	g := []float64{-15, 15}
	f.Grades(g, g, f.Place(0, 1))
	return g[0] == 0 && g[1] == 0
}

// Validate checks the options, as [Train] does. The error joins all faults, each an
// *OptionError.
func (o Options) Validate() error {
	_, err := o.resolve()
	return err
}
