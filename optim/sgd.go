package optim

// sgd is stochastic gradient descent with classical momentum (Polyak, "Some methods of speeding up the convergence of
// iteration methods", 1964). Elementwise:
//
//	v     = mu v + g
//	theta = theta - alpha v
//
// The default mu = 0 is plain gradient descent. The gradient is that of a sum over the batch, so a learning rate for
// a mean must be divided by the batch size.
var sgd = method{
	name:     "sgd",
	uses:     []string{"learning_rate", "momentum"},
	defaults: SolverOptions{LearningRate: 0.001},
	moments:  []string{"v"},
	update: func(o *SolverOptions, _ step, p parameter, moments [][]float64) {
		n := len(p.value)
		value, grad, v := p.value, p.grad[:n], moments[0][:n]
		mu, alpha := o.Momentum, o.LearningRate
		for i, g := range grad {
			v[i] = float64(mu*v[i]) + g
			value[i] -= float64(alpha * v[i])
		}
	},
}
