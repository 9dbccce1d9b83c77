package optim

import "math"

// Adam is Algorithm 1 of Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, with their defaults.
// Elementwise, for k = 1, 2, ...:
//
//	m     = beta1 m + (1-beta1) g          mhat = m / (1 - beta1^k)
//	v     = beta2 v + (1-beta2) g^2        vhat = v / (1 - beta2^k)
//	theta = theta - alpha mhat / (sqrt(vhat) + epsilon)
type Adam struct {
	LearningRate float64 // alpha > 0; 0: 0.001
	Beta1        float64 // in (0,1); 0: 0.9
	Beta2        float64 // in (0,1); 0: 0.999
	Epsilon      float64 // > 0; 0: 1e-8
}

func init() { Register(func() Method { return new(Adam) }) }

func (*Adam) Name() string { return "adam" }

func (o *Adam) Options() []Option {
	return []Option{learningRate(&o.LearningRate, 0.001), beta1(&o.Beta1, 0.9), beta2(&o.Beta2, 0.999), epsilon(&o.Epsilon, 1e-8)}
}

func (o *Adam) Start() Solver { return Elementwise(o, "m", "v") }

func (o *Adam) Update(k int, params []Parameter) {
	alpha, eps := o.LearningRate, o.Epsilon
	b1, b2, a1, a2 := o.Beta1, o.Beta2, 1-o.Beta1, 1-o.Beta2
	c1, c2 := biasCorrection(o.Beta1, k), biasCorrection(o.Beta2, k)
	for _, p := range params {
		n := len(p.Value)
		value, grad, m, v := p.Value, p.Grad[:n], p.Moments[0][:n], p.Moments[1][:n]
		for i, g := range grad {
			mi, vi := float64(b1*m[i])+float64(a1*g), float64(b2*v[i])+float64(a2*g*g)
			m[i], v[i] = mi, vi
			value[i] -= alpha * mi * c1 / (math.Sqrt(vi*c2) + eps)
		}
	}
}
