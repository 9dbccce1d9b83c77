package optim

import "math"

// adaBound is Adam with its learning rates clipped to bounds that close in on final_lr (Luo, Xiong, Liu and Sun,
// "Adaptive gradient methods with dynamic bound of learning rate", ICLR 2019), as Algorithm 1 of the paper prints it,
// with bias correction. Elementwise, for k = 1, 2, ... and gamma = 1 - beta2:
//
//	m     = beta1 m + (1-beta1) g          mhat = m / (1 - beta1^k)
//	v     = beta2 v + (1-beta2) g^2        vhat = v / (1 - beta2^k)
//	lower = final_lr (1 - 1/(gamma k + 1))
//	upper = final_lr (1 + 1/(gamma k))
//	rate  = max(lower, min(upper, alpha / (sqrt(vhat) + epsilon)))
//	theta = theta - rate mhat
//
// The paper writes final_lr as the literal 0.01, and vhat_t where vhat_k is meant. With the defaults the bounds run
// from [1e-5, 10] at k = 1 to [0.0033, 0.03] at k = 500. A parameter whose gradient has always been zero does not move.
var adaBound = method{
	name:     "adabound",
	uses:     []string{"learning_rate", "final_lr", "beta1", "beta2", "epsilon"},
	defaults: SolverOptions{LearningRate: 0.01, FinalLR: 0.01, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8},
	moments:  []string{"m", "v"},
	update: func(o *SolverOptions, k int, p parameter, moments [][]float64) {
		n := len(p.value)
		value, grad, m, v := p.value, p.grad[:n], moments[0][:n], moments[1][:n]
		alpha, eps := o.LearningRate, o.Epsilon
		b1, b2, a1, a2 := o.Beta1, o.Beta2, 1-o.Beta1, 1-o.Beta2
		c1, c2 := biasCorrection(b1, k), biasCorrection(b2, k)
		gk := a2 * float64(k)
		lower, upper := o.FinalLR*(1-1/(gk+1)), o.FinalLR*(1+1/gk)
		for i, g := range grad {
			mi, vi := b1*m[i]+a1*g, b2*v[i]+a2*g*g
			m[i], v[i] = mi, vi
			rate := alpha / (math.Sqrt(vi*c2) + eps)
			value[i] -= max(lower, min(upper, rate)) * mi * c1
		}
	},
}

// biasCorrection is 1 / (1 - beta^k): what turns the running average of k terms that started at zero into an unbiased one.
func biasCorrection(beta float64, k int) float64 { return 1 / (1 - math.Pow(beta, float64(k))) }
