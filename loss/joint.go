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
