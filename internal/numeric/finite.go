package numeric

import "math"

// Finite reports whether none of the values is NaN or infinite.
func Finite(values ...float64) bool {
	for _, v := range values {
		if !(math.Abs(v) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}
