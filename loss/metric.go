package loss

// Metric computes a figure from the loss of weighted samples.
type Metric struct {
	Name string

	// Scaled tells that the figure has the unit of the errors: errors twice as large double it.
	Scaled bool

	// Of returns the figure from the weighted sum of the losses and the sum of the
	// weights, which is greater than 0.
	Of func(sum, weight float64) float64
}

// MetricOf returns the metric of a loss of C outputs: where it is a sum over the outputs, the
// metric of their weighted mean.
func MetricOf(l Loss, C int) Metric {
	m, outputs := l.Metric(), 1.0
	switch l := l.(type) {
	case *sum:
		outputs = l.of(C)
	case OfOutput:
		outputs = float64(C)
	}
	if outputs == 1 {
		return m
	}
	return Metric{m.Name, m.Scaled, func(sum, weight float64) float64 { return m.Of(sum, weight*outputs) }}
}

// mean returns the metric sum / weight.
func mean(name string, scaled bool) Metric {
	return Metric{name, scaled, func(sum, weight float64) float64 { return sum / weight }}
}

// deviance returns the mean deviance of a loss that is half the unit deviance.
func deviance(name string, scaled bool) Metric {
	return Metric{name, scaled, func(sum, weight float64) float64 { return 2 * (sum / weight) }}
}
