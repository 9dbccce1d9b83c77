package optim

import "github.com/tskgraph/tskgraph/interval"

// SGD is stochastic gradient descent with classical momentum (Polyak, "Some methods of speeding up the convergence of
// iteration methods", 1964). Elementwise:
//
//	v     = mu v + g
//	theta = theta - alpha v
//
// The default mu = 0 is plain gradient descent. The gradient is that of a sum over the batch, so a learning rate for
// a mean must be divided by the batch size.
type SGD struct {
	LearningRate float64 // alpha > 0; 0: 0.001
	Momentum     float64 // mu, in [0,1)
}

func init() { Register(func() Method { return new(SGD) }) }

func (*SGD) Name() string { return "sgd" }

func (o *SGD) Options() []Option {
	return []Option{
		learningRate(&o.LearningRate, 0.001),
		{"momentum", "share of the last step that is kept, 0 to 1", interval.From(0).Below(1), 0, &o.Momentum},
	}
}

func (o *SGD) Start() Solver { return Elementwise(o, "v") }

func (o *SGD) Update(_ int, params []Parameter) {
	mu, alpha := o.Momentum, o.LearningRate
	for _, p := range params {
		n := len(p.Value)
		value, grad, v := p.Value, p.Grad[:n], p.Moments[0][:n]
		for i, g := range grad {
			v[i] = float64(mu*v[i]) + g
			value[i] -= float64(alpha * v[i])
		}
	}
}
