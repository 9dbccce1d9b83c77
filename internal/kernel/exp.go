package kernel

import "math"

// Exp writes e^x to dst, element by element; dst may be x and must be as long. The
// error is below 1 ulp with AVX2, and at most 3 ulp in Go. e^x is +Inf for x >= 709.79,
// subnormal below -708.4, zero below -745.14, and NaN for NaN.
func Exp(dst, x []float64) {
	if len(x) > 0 {
		callExp(cut(dst, len(x)), x)
	}
}

// Log writes the natural logarithm of x to dst, element by element; dst may be x and
// must be as long. The error is below 1 ulp, also for subnormal x. The logarithm of
// zero is -Inf, that of a negative number NaN.
func Log(dst, x []float64) {
	if len(x) > 0 {
		callLog(cut(dst, len(x)), x)
	}
}

func exp(dst, x []float64) {
	for i, v := range x {
		if v > 709 { // math.Exp overflows too early on amd64
			e := math.Exp(v / 2)
			dst[i] = e * e
			continue
		}
		dst[i] = math.Exp(v)
	}
}

func log(dst, x []float64) {
	for i, v := range x {
		if v > 0 && v < 0x1p-1022 { // math.Log is wrong for subnormal numbers on amd64
			dst[i] = math.Log(v*0x1p54) - 54*math.Ln2
			continue
		}
		dst[i] = math.Log(v)
	}
}
