package kernel

import "math"

// Log1p writes log(1+x) to dst, which may be x, for ordinary elements, and NaN for the others, which are the caller's:
// the assembly does the operations of numeric.Log1p, to the bit, where it takes its usual way. In Go none is ordinary.
func Log1p(dst, x []float64) {
	if len(x) > 0 {
		use.log1p(cut(dst, len(x)), x)
	}
}

// Expm1 writes e^x - 1 as numeric.Expm1 does, see [Log1p].
func Expm1(dst, x []float64) {
	if len(x) > 0 {
		use.expm1(cut(dst, len(x)), x)
	}
}

// leave leaves all elements to the caller.
func leave(dst, _ []float64) {
	for i := range dst {
		dst[i] = math.NaN()
	}
}
