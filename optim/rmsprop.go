package optim

import "math"

// rmsProp divides the gradient by a running root mean square of it (Tieleman and Hinton, "Neural networks for machine
// learning", lecture 6.5, 2012). Elementwise, without bias correction:
//
//	v     = rho v + (1-rho) g^2
//	theta = theta - alpha g / (sqrt(v) + epsilon)
var rmsProp = method{
	name:     "rmsprop",
	uses:     []string{"learning_rate", "rho", "epsilon"},
	defaults: SolverOptions{LearningRate: 0.001, Rho: 0.9, Epsilon: 1e-8},
	moments:  []string{"v"},
	update: func(o *SolverOptions, _ step, p parameter, moments [][]float64) {
		n := len(p.value)
		value, grad, v := p.value, p.grad[:n], moments[0][:n]
		rho, alpha, eps := o.Rho, o.LearningRate, o.Epsilon
		for i, g := range grad {
			v[i] = float64(rho*v[i]) + float64((1-rho)*g*g)
			value[i] -= alpha * g / (math.Sqrt(v[i]) + eps)
		}
	},
}
