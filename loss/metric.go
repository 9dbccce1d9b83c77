package loss

// Metric computes a figure from the loss of weighted samples.
type Metric struct {
	Name string

	// Of returns the figure from the weighted sum of the losses and the sum of the
	// weights, which is greater than 0.
	Of func(sum, weight float64) float64
}

// mean returns the metric sum / weight.
func mean(name string) Metric {
	return Metric{name, func(sum, weight float64) float64 { return sum / weight }}
}

// deviance returns the mean deviance of a loss that is half the unit deviance.
func deviance(name string) Metric {
	return Metric{name, func(sum, weight float64) float64 { return 2 * (sum / weight) }}
}
