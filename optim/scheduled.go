package optim

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

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

// Step is described at Solver.
func (s *scheduled) Step(model []gorgonia.ValueGrad) error {
	if len(s.before) != len(model) {
		s.before, s.shares = make([][]float64, len(model)), make([]float64, len(model))
	}
	for i, vg := range model {
		value, err := denseValue(vg)
		if err != nil {
			continue // Step of the solver returns the error
		}
		s.before[i] = append(s.before[i][:0], value.Float64s()...)
		if s.shares[i] = s.share(s.step+1, vg); !numeric.Finite(s.shares[i]) {
			return fmt.Errorf("%w: the schedule is %g for %s at step %d", ErrOption, s.shares[i], label(i, vg), s.step+1)
		}
	}
	if err := s.Solver.Step(model); err != nil {
		return err
	}
	s.step++
	for i, share := range s.shares {
		if share == 1 {
			continue
		}
		value, _ := denseValue(model[i]) // Step has accepted it
		now := value.Float64s()
		for j, v := range s.before[i] {
			now[j] = v + float64(share*(now[j]-v))
		}
	}
	return nil
}

// Restore is described at Solver.
func (s *scheduled) Restore(st State) error {
	if err := s.Solver.Restore(st); err != nil {
		return err
	}
	s.step = st.Step
	return nil
}
