package loss

import "slices"

// Joint returns a loss as a function of all outputs: an OfOutputs as it is, and of an
// OfOutput the sum over the outputs,
//
//	L(y, t) = sum_c weight_c L(y_c, t_c)
//
// with weights [C]; nil: all one.
func Joint(l Loss, weights []float64) OfOutputs {
	if all, ok := l.(OfOutputs); ok {
		return all
	}
	return &sum{l.(OfOutput), weights}
}

// sum is an OfOutput summed over the outputs.
type sum struct {
	OfOutput
	weights []float64 // [C]; nil: all one
}

func (s *sum) weight(c int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[c]
}

// of returns the sum of the weights of C outputs.
func (s *sum) of(C int) float64 {
	total := 0.0
	for c := range C {
		total += s.weight(c)
	}
	return total
}

func (s *sum) Value(y, t []float64) float64 {
	total := 0.0
	for c, v := range y {
		total += float64(s.weight(c) * s.OfOutput.Value(v, t[c]))
	}
	return total
}

func (s *sum) Gradient(dst, y, t []float64) {
	for c, v := range y {
		dst[c] = s.weight(c) * s.OfOutput.Gradient(v, t[c])
	}
}

func (s *sum) Expr(b Builder, y, t Term, _ int) Term {
	each := s.OfOutput.Expr(b, y, t)
	if s.weights == nil {
		return each
	}
	return b.Mul(each, b.Row(slices.Clone(s.weights), y))
}

// Kinks returns those of the loss of one output.
func (s *sum) Kinks(t float64) []float64 {
	if l, ok := s.OfOutput.(Kinked); ok {
		return l.Kinks(t)
	}
	return nil
}

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
