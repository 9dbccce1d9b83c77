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

// OrNil returns a pointer to v, or nil if v is NaN or infinite, which JSON cannot hold.
func OrNil(v float64) *float64 {
	if !Finite(v) {
		return nil
	}
	return &v
}

// OrNaN returns *v, or NaN if v is nil: the inverse of [OrNil] for finite values.
func OrNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
