package kernel

// Exp writes e^x to dst, element by element; dst may be x and must be as long. The
// error is below 1 ulp with AVX2, and at most 3 ulp in Go, see [numeric.Exps]. e^x is +Inf for x >= 709.79,
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
