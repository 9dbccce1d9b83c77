package kernel

import "math"

// AdaBoundStep holds the constants of a step of AdaBound.
type AdaBoundStep struct {
	Alpha, Epsilon           float64
	Beta1, Beta2             float64
	Correction1, Correction2 float64 // 1 / (1 - beta^k)
	Lower, Upper             float64 // bounds of the rate
}

// AdaBound makes a step: it updates value and the moments m and v from grad, all of one
// length:
//
//	m     = beta1 m + (1-beta1) grad
//	v     = beta2 v + (1-beta2) grad^2
//	rate  = max(lower, min(upper, alpha / (sqrt(v correction2) + epsilon)))
//	value = value - rate m correction1
func AdaBound(value, grad, m, v []float64, s AdaBoundStep) {
	n := len(value)
	use.adaBound(value, grad[:n], m[:n], v[:n], s.Alpha, s.Epsilon, s.Beta1, 1-s.Beta1, s.Beta2, 1-s.Beta2,
		s.Correction1, s.Correction2, s.Lower, s.Upper)
}

func adaBound(value, grad, m, v []float64, alpha, epsilon, b1, a1, b2, a2, c1, c2, lower, upper float64) {
	grad, m, v = grad[:len(value)], m[:len(value)], v[:len(value)]
	for i, g := range grad {
		mi, vi := float64(b1*m[i])+float64(a1*g), float64(b2*v[i])+float64(a2*g*g)
		m[i], v[i] = mi, vi
		rate := alpha / (math.Sqrt(vi*c2) + epsilon)
		if !(rate >= lower && rate <= upper) { // rarely: max and min are calls in WebAssembly
			rate = max(lower, min(upper, rate))
		}
		value[i] -= float64(rate * mi * c1)
	}
}
