package optim

import "math"

// adam is Algorithm 1 of Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, with their defaults.
// Elementwise, for k = 1, 2, ...:
//
//	m     = beta1 m + (1-beta1) g          mhat = m / (1 - beta1^k)
//	v     = beta2 v + (1-beta2) g^2        vhat = v / (1 - beta2^k)
//	theta = theta - alpha mhat / (sqrt(vhat) + epsilon)
var adam = method{
	name:     "adam",
	uses:     []string{"learning_rate", "beta1", "beta2", "epsilon"},
	defaults: SolverOptions{LearningRate: 0.001, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8},
	moments:  []string{"m", "v"},
	update: func(o *SolverOptions, s step, p parameter, moments [][]float64) {
		n := len(p.value)
		value, grad, m, v := p.value, p.grad[:n], moments[0][:n], moments[1][:n]
		alpha, eps := o.LearningRate, o.Epsilon
		b1, b2, a1, a2 := o.Beta1, o.Beta2, 1-o.Beta1, 1-o.Beta2
		for i, g := range grad {
			mi, vi := float64(b1*m[i])+float64(a1*g), float64(b2*v[i])+float64(a2*g*g)
			m[i], v[i] = mi, vi
			value[i] -= alpha * mi * s.c1 / (math.Sqrt(vi*s.c2) + eps)
		}
	},
}
