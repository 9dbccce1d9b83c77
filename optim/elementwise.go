package optim

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"gorgonia.org/gorgonia"
)

// elementwise is the solver that [Elementwise] returns. The first step allocates the moments.
type elementwise struct {
	method  Updater
	names   []string // of the moments
	step    int
	moments [][][]float64 // by parameter, then by moment
	sizes   []int         // elements by parameter
	params  []Parameter   // of the current step
	shares  []float64     // of the current step, by parameter, of a sharer under a schedule
}

// sharer is an Updater that can make a share of a step itself.
type sharer interface {
	Updater

	// updateShares is Update for a share of the step of each parameter; nil: all of it.
	updateShares(k int, params []Parameter, shares []float64)
}

// Updater is a method that updates each element of a parameter by its gradient and by running averages of it, the moments.
type Updater interface {
	Method

	// Update makes step k >= 1 in place, of values and moments. The gradients are finite; the moments are zero at k = 1.
	// It does not allocate.
	Update(k int, params []Parameter)
}

// Elementwise returns the solver of a method with moments of these names, at least one: it checks parameters and gradients,
// and saves and restores the moments.
func Elementwise(m Updater, moment string, others ...string) Solver {
	return &elementwise{method: m, names: append([]string{moment}, others...)}
}

// biasCorrection is 1 / (1 - beta^k), the factor that makes a running average of k terms, started at zero, unbiased.
func biasCorrection(beta float64, k int) float64 { return 1 / (1 - math.Pow(beta, float64(k))) }

func (s *elementwise) Step(model []gorgonia.ValueGrad) error {
	var err error
	if s.params, err = bind(s.params, model, s.sizes); err != nil {
		return err
	}
	if s.step == 0 {
		s.allocate()
	}
	for i := range s.params {
		s.params[i].Moments = s.moments[i]
	}
	s.step++
	if m, ok := s.method.(sharer); ok {
		m.updateShares(s.step, s.params, s.shares)
	} else {
		s.method.Update(s.step, s.params)
	}
	return nil
}

// allocate makes the moments of the bound parameters, all zero.
func (s *elementwise) allocate() {
	s.sizes = sizesOf(s.params)
	s.moments = make([][][]float64, len(s.params))
	for i, p := range s.params {
		s.moments[i] = make([][]float64, len(s.names))
		for j := range s.moments[i] {
			s.moments[i][j] = make([]float64, len(p.Value))
		}
	}
}

func (s *elementwise) State() State {
	st := State{Solver: s.method.Name(), Step: s.step, Moments: make(map[string][][]float64, len(s.names))}
	for j, name := range s.names {
		st.Moments[name] = make([][]float64, len(s.moments))
		for i := range s.moments {
			st.Moments[name][i] = slices.Clone(s.moments[i][j])
		}
	}
	return st
}

func (s *elementwise) Restore(st State) error {
	if err := s.accepts(st); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	s.step, s.moments, s.sizes = st.Step, make([][][]float64, len(st.Moments[s.names[0]])), nil
	for i := range s.moments {
		s.moments[i] = make([][]float64, len(s.names))
		for j, name := range s.names {
			s.moments[i][j] = slices.Clone(st.Moments[name][i])
		}
		s.sizes = append(s.sizes, len(s.moments[i][0]))
	}
	return nil
}

// accepts returns an error if st cannot be a state of this solver.
func (s *elementwise) accepts(st State) error {
	if st.Solver != s.method.Name() {
		return fmt.Errorf("state of solver %q, this is %s", st.Solver, s.method.Name())
	}
	if st.Step < 0 {
		return fmt.Errorf("step is %d", st.Step)
	}
	if st.StepSize != 0 || st.Losses != nil {
		return fmt.Errorf("solver %s has neither a step size nor losses in its state", s.method.Name())
	}
	for name := range st.Moments {
		if !slices.Contains(s.names, name) {
			return fmt.Errorf("solver %s has no moment %q", s.method.Name(), name)
		}
	}
	first := s.names[0]
	if params := len(st.Moments[first]); (st.Step > 0) != (params > 0) {
		return fmt.Errorf("moments of %d parameters at step %d", params, st.Step)
	}
	for _, name := range s.names {
		moment, ok := st.Moments[name]
		if !ok {
			return fmt.Errorf("moment %q is missing", name)
		}
		if err := sameSizes(moment, st.Moments[first]); err != nil {
			return fmt.Errorf("moment %q: %w of moment %q", name, err, first)
		}
		if i, j, ok := firstNotFinite(moment); ok {
			return fmt.Errorf("moment %q of parameter %d is %g at element %d", name, i, moment[i][j], j)
		}
	}
	if s.step > 0 && st.Step > 0 {
		if err := sameSizes(st.Moments[first], column(s.moments, 0)); err != nil {
			return fmt.Errorf("%w of this solver", err)
		}
	}
	return nil
}

// column returns moment j of each parameter.
func column(moments [][][]float64, j int) [][]float64 {
	c := make([][]float64, len(moments))
	for i := range moments {
		c[i] = moments[i][j]
	}
	return c
}

// Schedule returns the share of the solver's step that parameter p makes at step k, counted from 1: a finite number.
type Schedule func(k int, p gorgonia.ValueGrad) float64

// Cosine returns the share of the first step size at step k of K of a cosine schedule, from 1 at the first step down to
// almost 0 at the last (Loshchilov and Hutter, "SGDR: stochastic gradient descent with warm restarts",
// ICLR 2017, without restarts):
//
//	(1 + cos(pi (k-1)/K)) / 2
//
// From step K+1 on it is 0.
func Cosine(k, K int) float64 {
	if k > K {
		return 0
	}
	return (1 + numeric.Cos(math.Pi*float64(k-1)/float64(K))) / 2
}

// Scheduled returns a solver that scales the steps of s by a schedule: the learning rates then depend on step and parameter.
// The state is that of s, and so is the ability of a [LossSolver]. Without a schedule it is s itself.
//
// Step refuses, as ErrOption, a share that is not finite.
func Scheduled(s Solver, share Schedule) Solver {
	if s == nil || share == nil {
		return s
	}
	scaled := &scheduled{Solver: s, share: share}
	if observer, ok := s.(LossSolver); ok {
		return scheduledLoss{scaled, observer}
	}
	return scaled
}

type scheduled struct {
	Solver
	share  Schedule
	step   int
	shares []float64   // of the step, by parameter, and so is before
	before [][]float64 // values before it
}

// scheduledLoss is that of a [LossSolver].
type scheduledLoss struct {
	*scheduled
	observer LossSolver
}

// Observe is described at LossSolver.
func (s scheduledLoss) Observe(loss float64) { s.observer.Observe(loss) }

func (s *scheduled) Step(model []gorgonia.ValueGrad) error {
	if len(s.before) != len(model) {
		s.before, s.shares = make([][]float64, len(model)), make([]float64, len(model))
	}
	e, shares := s.Solver.(*elementwise)
	if shares {
		_, shares = e.method.(sharer)
	}
	for i, vg := range model {
		value, err := denseValue(vg)
		if err != nil {
			continue // Step of the solver returns the error
		}
		if !shares {
			s.before[i] = append(s.before[i][:0], value.Float64s()...)
		}
		if s.shares[i] = s.share(s.step+1, vg); !numeric.Finite(s.shares[i]) {
			return fmt.Errorf("%w: the schedule is %g for %s at step %d", ErrOption, s.shares[i], label(i, vg), s.step+1)
		}
	}
	if shares {
		e.shares = s.shares
	}
	if err := s.Solver.Step(model); err != nil {
		return err
	}
	if s.step++; shares {
		return nil
	}
	for i, share := range s.shares {
		if share == 1 {
			continue
		}
		value, _ := denseValue(model[i]) // Step has accepted it
		now, before := value.Float64s(), s.before[i]
		now = now[:len(before)]
		for j, v := range before {
			now[j] = v + float64(share*(now[j]-v))
		}
	}
	return nil
}

func (s *scheduled) Restore(st State) error {
	if err := s.Solver.Restore(st); err != nil {
		return err
	}
	s.step = st.Step
	return nil
}
