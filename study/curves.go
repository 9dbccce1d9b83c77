package study

// AverageCurve returns the test RMSE after each iteration, averaged over the
// repeats; nil if it was not measured.
func (rs *Results) AverageCurve(dataset, membership, algorithm string) []float64 {
	runs := rs.of(dataset, membership, algorithm)
	if len(runs) == 0 || runs[0].Curve == nil {
		return nil
	}
	average := make([]float64, len(runs[0].Curve))
	for _, r := range runs {
		for k, v := range r.Curve {
			average[k] += v / float64(len(runs))
		}
	}
	return average
}

// Improvement returns by how many percent a curve lies below a reference, at each
// iteration; nil if either is.
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
