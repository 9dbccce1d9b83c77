package optim

import (
	"math"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// Pace returns the share of the solver's step that parameter p makes at step k, counted from 1.
type Pace func(k int, p gorgonia.ValueGrad) float64

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

// Paced returns a solver that scales the steps of s by a pace: the learning rates then depend on step and parameter. The
// state is that of s.
func Paced(s Solver, pace Pace) Solver { return &paced{Solver: s, pace: pace} }

type paced struct {
	Solver
	pace   Pace
	step   int
	before [][]float64 // values before the step, by parameter
}

// Step is described at Solver.
func (p *paced) Step(model []gorgonia.ValueGrad) error {
	if len(p.before) != len(model) {
		p.before = make([][]float64, len(model))
	}
	for i, vg := range model {
		if value, err := denseValue(vg); err == nil { // else Step of the solver returns the error
			p.before[i] = append(p.before[i][:0], value.Float64s()...)
		}
	}
	if err := p.Solver.Step(model); err != nil {
		return err
	}
	p.step++
	for i, vg := range model {
		share := p.pace(p.step, vg)
		if share == 1 {
			continue
		}
		value, _ := denseValue(vg) // Step has accepted it
		now := value.Float64s()
		for j, v := range p.before[i] {
			now[j] = v + float64(share*(now[j]-v))
		}
	}
	return nil
}

// Restore is described at Solver.
func (p *paced) Restore(st State) error {
	if err := p.Solver.Restore(st); err != nil {
		return err
	}
	p.step = st.Step
	return nil
}
