package study

// Improvement returns by how many percent a curve lies below a reference at each
// iteration; nil if either is nil.
func Improvement(curve, reference []float64) []float64 {
	if curve == nil || reference == nil {
		return nil
	}
	percent := make([]float64, min(len(curve), len(reference)))
	for k := range percent {
		percent[k] = 100 * (reference[k] - curve[k]) / reference[k]
	}
	return percent
}
