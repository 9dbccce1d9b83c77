package main

import (
	"math"

	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/optim"
)

// Lion moves every parameter by the learning rate, in the direction of the sign of a mean gradient (Chen et al., "Symbolic
// discovery of optimization algorithms", NeurIPS 2023). Elementwise:
//
//	theta = theta - alpha sign(beta1 m + (1-beta1) g)
//	m     = beta2 m + (1-beta2) g
type Lion struct {
	LearningRate float64 // alpha > 0; 0: 0.001
	Beta1        float64 // in (0,1); 0: 0.9
	Beta2        float64 // in (0,1); 0: 0.99
}

func init() { optim.Register(func() optim.Method { return new(Lion) }) }

// Name returns "lion".
func (*Lion) Name() string { return "lion" }

// Options returns the options: keys of config.yaml, such as train.learning_rate, which have the meaning and the limits that
// they have for other solvers.
func (l *Lion) Options() []optim.Option {
	decay := interval.Above(0).Below(1)
	return []optim.Option{
		{Name: optim.LearningRate, Doc: "step size", Limits: interval.Above(0), Default: 0.001, Value: &l.LearningRate},
		{Name: "beta1", Doc: "share of the mean gradient in the direction", Limits: decay, Default: 0.9, Value: &l.Beta1},
		{Name: "beta2", Doc: "decay of the mean gradient", Limits: decay, Default: 0.99, Value: &l.Beta2},
	}
}

// Start returns a solver that keeps the mean gradient m.
func (l *Lion) Start() optim.Solver { return optim.Elementwise(l, "m") }

// Update computes the formula above.
func (l *Lion) Update(_ int, params []optim.Parameter) {
	for _, p := range params {
		m := p.Moments[0]
		for i, g := range p.Grad {
			if mean := l.Beta1*m[i] + (1-l.Beta1)*g; mean != 0 {
				p.Value[i] -= math.Copysign(l.LearningRate, mean)
			}
			m[i] = l.Beta2*m[i] + (1-l.Beta2)*g
		}
	}
}
