package optim

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/interval"
)

// AdaBound is Adam with its learning rates clipped to bounds that converge to a final step size f (Luo, Xiong, Liu and
// Sun, "Adaptive gradient methods with dynamic bound of learning rate", ICLR 2019), as Algorithm 1 of the paper prints it,
// with bias correction. Elementwise, for k = 1, 2, ... and gamma = 1 - beta2:
//
//	m     = beta1 m + (1-beta1) g          mhat = m / (1 - beta1^k)
//	v     = beta2 v + (1-beta2) g^2        vhat = v / (1 - beta2^k)
//	lower = f (1 - 1/(gamma k + 1))
//	upper = f (1 + 1/(gamma k))
//	rate  = max(lower, min(upper, alpha / (sqrt(vhat) + epsilon)))
//	theta = theta - rate mhat
//
// The paper writes f as the literal 0.01, and vhat_t where vhat_k is meant. With the defaults the bounds run
// from [1e-5, 10] at k = 1 to [0.0033, 0.03] at k = 500. A parameter whose gradient has always been zero does not move.
//
// A step size f suits one scale of gradients: those of a loss that is a mean over the batch are B times as small as those
// of a sum, and the gradients of centres and biases differ. Relative makes final_lr a multiple of the rate that
// Adam would have for the mean element of each parameter (a tensor, such as all centres), to the power p:
//
//	f = final_lr (alpha / (sqrt(mean(vhat)) + epsilon))^p
//
// For p = 1 the bound follows the scale of the gradients and the learning rate; p = 0 is the paper. For p > 0 there is no
// lower bound: it would move the element with nearly all of the gradient of n elements, for which sqrt(vhat) is sqrt(n) times
// the root mean square, by up to final_lr sqrt(n) alpha in a step, where Adam moves it by alpha. The closer the bound, the
// further training would lead away from a minimum. Under a schedule or a
// learning rate of a group of parameters, see [Scheduled], f and the bounds are scaled as alpha is.
type AdaBound struct {
	LearningRate float64 // alpha > 0; 0: 0.01
	FinalLR      float64 // > 0; 0: 0.01
	Gamma        float64 // gamma > 0, the speed at which the bounds converge; 0: 1 - beta2
	Relative     float64 // p, in [0,1]
	Beta1        float64 // in (0,1); 0: 0.9
	Beta2        float64 // in (0,1); 0: 0.999
	Epsilon      float64 // > 0; 0: 1e-8
}

func init() { Register(func() Method { return new(AdaBound) }) }

func (*AdaBound) Name() string { return "adabound" }

func (o *AdaBound) Options() []Option {
	return []Option{
		learningRate(&o.LearningRate, 0.01),
		{"final_lr", "the step size to which AdaBound's bounds converge, see final_relative", positive, 0.01, &o.FinalLR},
		{"final_gamma", "speed at which AdaBound's bounds converge: after k updates they are final_lr divided and multiplied by " +
			"1 + 1/(final_gamma k); 0: 1 - beta2", interval.From(0), 0, &o.Gamma},
		{"final_relative", "what final_lr is: 0: a step size; 1: a multiple of Adam's mean step size of a group of parameters, " +
			"which is an upper bound alone; between: a weighted geometric mean of both", interval.From(0).To(1), 0, &o.Relative},
		beta1(&o.Beta1, 0.9), beta2(&o.Beta2, 0.999), epsilon(&o.Epsilon, 1e-8),
	}
}

func (o *AdaBound) Start() Solver { return Elementwise(o, "m", "v") }

func (o *AdaBound) Update(k int, params []Parameter) { o.updateShares(k, params, nil) }

func (o *AdaBound) updateShares(k int, params []Parameter, shares []float64) {
	gamma := o.Gamma
	if gamma == 0 {
		gamma = 1 - o.Beta2
	}
	gk := float64(gamma * float64(k))
	step := kernel.AdaBoundStep{
		Alpha: o.LearningRate, Epsilon: o.Epsilon, Beta1: o.Beta1, Beta2: o.Beta2,
		Correction1: biasCorrection(o.Beta1, k), Correction2: biasCorrection(o.Beta2, k),
	}
	correction := step.Correction1
	for i, p := range params {
		if shares != nil {
			step.Correction1 = correction * shares[i]
		}
		f := o.final(p, step.Correction2)
		if step.Upper = f * (1 + 1/gk); o.Relative == 0 {
			step.Lower = f * (1 - 1/(gk+1))
		}
		kernel.AdaBound(p.Value, p.Grad, p.Moments[0], p.Moments[1], step)
	}
}

// final returns f of a parameter whose second moment is that before the step.
func (o *AdaBound) final(p Parameter, correction float64) float64 {
	if o.Relative == 0 {
		return o.FinalLR
	}
	v, s0, s1, s2, s3 := p.Moments[1], 0.0, 0.0, 0.0, 0.0 // each addition to one sum would wait for the one before
	for ; len(v) >= 4; v = v[4:] {
		s0, s1, s2, s3 = s0+v[0], s1+v[1], s2+v[2], s3+v[3]
	}
	for _, v := range v {
		s0 += v
	}
	sum := s0 + s1 + (s2 + s3)
	mean := (float64(o.Beta2*sum) + float64((1-o.Beta2)*kernel.SumSquares(p.Grad))) / float64(len(p.Grad))
	return o.FinalLR * math.Pow(o.LearningRate/(math.Sqrt(mean*correction)+o.Epsilon), o.Relative)
}
