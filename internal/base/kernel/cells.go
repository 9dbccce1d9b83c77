package kernel

import "math"

// SumSquares returns the sum of the squares of x.
func SumSquares(x []float64) float64 { return use.sumSquares(x) }

func sumSquares(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

// Within reports whether |x[i]| < limit for every element; it is false for NaN.
func Within(x []float64, limit float64) bool { return use.within(x, limit) }

func within(x []float64, limit float64) bool {
	for _, v := range x {
		if !(math.Abs(v) < limit) {
			return false
		}
	}
	return true
}

// divide computes a/x.
func divide(dst []float64, a float64, x []float64) {
	for i, v := range x {
		dst[i] = a / v
	}
}
