package optim

import "github.com/tskgraph/tskgraph/internal/kernel"

// AdaBound is Adam with its learning rates clipped to bounds that close in on FinalLR (Luo, Xiong, Liu and Sun,
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
type AdaBound struct {
	LearningRate float64 // alpha > 0; 0: 0.01
	FinalLR      float64 // > 0; 0: 0.01
	Beta1        float64 // in (0,1); 0: 0.9
	Beta2        float64 // in (0,1); 0: 0.999
	Epsilon      float64 // > 0; 0: 1e-8
}

func init() { register(func() Method { return new(AdaBound) }) }

// Name is described at Method.
func (*AdaBound) Name() string { return "adabound" }

// Options is described at Method.
func (o *AdaBound) Options() []Option {
	return []Option{
		learningRate(&o.LearningRate, 0.01),
		{"final_lr", "the step size to which AdaBound's bounds converge", positive, 0.01, &o.FinalLR},
		beta1(&o.Beta1, 0.9), beta2(&o.Beta2, 0.999), epsilon(&o.Epsilon, 1e-8),
	}
}

func (o *AdaBound) start() Solver { return newElementwise(o, "m", "v") }

func (o *AdaBound) update(k int, params []parameter) {
	gk := float64((1 - o.Beta2) * float64(k))
	step := kernel.AdaBoundStep{
		Alpha: o.LearningRate, Epsilon: o.Epsilon, Beta1: o.Beta1, Beta2: o.Beta2,
		Correction1: biasCorrection(o.Beta1, k), Correction2: biasCorrection(o.Beta2, k),
		Lower: o.FinalLR * (1 - 1/(gk+1)), Upper: o.FinalLR * (1 + 1/gk),
	}
	for _, p := range params {
		kernel.AdaBound(p.value, p.grad, p.moments[0], p.moments[1], step)
	}
}
