package optim

import "github.com/tskgraph/tskgraph/internal/kernel"

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
	update: func(o *SolverOptions, s step, p parameter, moments [][]float64) {
		gk := float64((1 - o.Beta2) * float64(s.k))
		kernel.AdaBound(p.value, p.grad, moments[0], moments[1], kernel.AdaBoundStep{
			Alpha: o.LearningRate, Epsilon: o.Epsilon, Beta1: o.Beta1, Beta2: o.Beta2,
			Correction1: s.c1, Correction2: s.c2,
			Lower: o.FinalLR * (1 - 1/(gk+1)), Upper: o.FinalLR * (1 + 1/gk),
		})
	},
}
