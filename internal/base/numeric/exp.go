//go:build !purego && !js

package numeric

import "math"

// Exps writes e^x to dst, element by element; dst may be x and is as long.
func Exps(dst, x []float64) {
	for i, v := range x {
		if v > 709 { // math.Exp overflows too early on amd64
			e := math.Exp(v / 2)
			dst[i] = e * e
			continue
		}
		dst[i] = math.Exp(v)
	}
}

// Exp returns e^x, by math.Exp; with the build tag purego and in WebAssembly, by operations that are the same on all
// processors.
func Exp(x float64) float64 { return math.Exp(x) }

// Logs writes the natural logarithm of x to dst, element by element; dst may be x and is as long.
func Logs(dst, x []float64) {
	for i, v := range x {
		if v > 0 && v < 0x1p-1022 { // math.Log is wrong for subnormal numbers on amd64
			dst[i] = math.Log(v*0x1p54) - 54*math.Ln2
			continue
		}
		dst[i] = math.Log(v)
	}
}
