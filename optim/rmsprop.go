package optim

import "math"

// RMSProp divides the gradient by a running root mean square of it (Tieleman and Hinton, "Neural networks for machine
// learning", lecture 6.5, 2012). Elementwise, without bias correction:
//
//	v     = rho v + (1-rho) g^2
//	theta = theta - alpha g / (sqrt(v) + epsilon)
type RMSProp struct {
	LearningRate float64 // alpha > 0; 0: 0.001
	Rho          float64 // in (0,1); 0: 0.9
	Epsilon      float64 // > 0; 0: 1e-8
}

func init() { Register(func() Method { return new(RMSProp) }) }

func (*RMSProp) Name() string { return "rmsprop" }

func (o *RMSProp) Options() []Option {
	return []Option{
		learningRate(&o.LearningRate, 0.001),
		{"rho", "decay of the mean squared gradient, 0 to 1", decay, 0.9, &o.Rho},
		epsilon(&o.Epsilon, 1e-8),
	}
}

func (o *RMSProp) Start() Solver { return Elementwise(o, "v") }

func (o *RMSProp) Update(_ int, params []Parameter) {
	rho, alpha, eps := o.Rho, o.LearningRate, o.Epsilon
	for _, p := range params {
		n := len(p.Value)
		value, grad, v := p.Value, p.Grad[:n], p.Moments[0][:n]
		for i, g := range grad {
			v[i] = float64(rho*v[i]) + float64((1-rho)*g*g)
			value[i] -= alpha * g / (math.Sqrt(v[i]) + eps)
		}
	}
}
