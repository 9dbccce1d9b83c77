//go:build !js

package numeric

// Positive returns max(v, 0).
func Positive(v float64) float64 { return max(v, 0) }
