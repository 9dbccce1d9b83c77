package numeric

// Positive returns max(v, 0), which is a call in WebAssembly, by a branch.
func Positive(v float64) float64 {
	if v <= 0 {
		return 0
	}
	return v
}
