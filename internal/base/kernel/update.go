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

// MaskWords returns the number of random words per sample for a mask of R rules: one
// for four rules.
func MaskWords(R int) int { return (R + 3) / 4 }

// ExpandMask writes a mask [B,R] of ones and zeros from random words [B,MaskWords(R)]:
// rule r of a sample is kept, one, if bits 16 (r mod 4) and the following 15 of word r/4
// are below threshold, at most 2^16. A sample without a kept rule gets all ones.
func ExpandMask(mask []float64, words []uint64, threshold uint64, B, R int) {
	n := B * MaskWords(R)
	_ = words[n-1]
	use.expandMask(cut(mask, B*R), words[:n], threshold, B, R)
}

func expandMask(mask []float64, words []uint64, threshold uint64, B, R int) {
	for b := range B {
		row, drawn := mask[b*R:(b+1)*R], words[b*MaskWords(R):(b+1)*MaskWords(R)]
		var some uint64
		for i, w := range drawn {
			rest := row[4*i:]
			if len(rest) >= 4 {
				k0, k1, k2, k3 := below(w, threshold), below(w>>16, threshold), below(w>>32, threshold), below(w>>48, threshold)
				rest[0], rest[1], rest[2], rest[3] = one(k0), one(k1), one(k2), one(k3)
				some |= k0 | k1 | k2 | k3
				continue
			}
			for j := range rest {
				k := below(w>>(16*j), threshold)
				rest[j] = one(k)
				some |= k
			}
		}
		if some == 0 {
			for r := range row {
				row[r] = 1
			}
		}
	}
}

// below returns 1 if the lowest 16 bits are below the threshold, else 0: the sign bit of
// the difference, without a branch.
func below(bits, threshold uint64) uint64 { return (bits&0xffff - threshold) >> 63 }

// one returns float64(k) for k of 0 or 1, without a conversion.
func one(k uint64) float64 { return math.Float64frombits(-k & 0x3ff0000000000000) }

// Shrink writes to g [n,R], which may have no rows, the gradient of a penalty of the means of the rows of v [n,R] and
// of the deviations from them,
//
//	g[i,r] = by mean[i] + deviation (v[i,r] - mean[i])
//
// and returns the sums of the squares of the means and of the deviations.
func Shrink(g, v []float64, by, deviation float64, R int) (means, deviations float64) {
	n := len(v) / R
	if n == 0 {
		return 0, 0
	}
	return use.shrink(cut(g, n*R), cut(v, n*R), by, deviation, n, R)
}

func shrink(g, v []float64, by, deviation float64, n, R int) (means, deviations float64) {
	for i := range n {
		row, out := v[i*R:][:R], g[i*R:][:R]
		mean := 0.0
		for _, x := range row {
			mean += x
		}
		mean /= float64(R)
		means += float64(mean * mean)
		for r, x := range row {
			off := x - mean
			deviations += float64(off * off)
			out[r] = float64(by*mean) + float64(deviation*off)
		}
	}
	return means, deviations
}
