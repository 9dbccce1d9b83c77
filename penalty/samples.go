package penalty

// OfSamples is a penalty of what the rules say on each sample:
//
//	P = sum_n weight_n p(fbar(x_n), y(x_n))
//
// It has the sample weights of the data part of the loss, so that its effect does not
// depend on whether the loss is a sum or a mean.
type OfSamples interface {
	Penalty

	// Value returns P, at least 0. p is smooth.
	Value(s Samples) float64

	// Gradient writes dP/dfbar and dP/dy, [B,R] each, at levels that sum to one.
	Gradient(byLevels, byOutputs []float64, s Samples)

	// Expr returns terms [B,R], of which row n sums to p of sample n, as an expression on
	// the terms levels and outputs [B,R].
	Expr(b Builder, levels, outputs Term, R int) Term
}

// Samples are the samples of a mini-batch as the rules see them.
type Samples struct {
	R          int
	Levels     []float64 // [B,R], the normalised firing levels with DropRule's masks; zero for an uncovered sample
	Outputs    []float64 // [B,R], y_r(x_n)
	Prediction []float64 // [B], sum_r fbar_r y_r
	Weight     []float64 // [B], the weights in the loss; zero for an uncovered sample
}

// sample returns the levels and outputs of sample n, [R] each.
func (s Samples) sample(n int) (levels, outputs []float64) {
	return s.Levels[n*s.R : (n+1)*s.R], s.Outputs[n*s.R : (n+1)*s.R]
}

// SamplesKernel is implemented by penalties of samples that compute in place. The methods
// do not allocate.
type SamplesKernel interface {
	// Forward returns P. It stores in memory [2B] what Backward needs.
	Forward(memory []float64, s Samples) float64

	// Backward adds dP/dy to byOutputs and scale factor_r (u_r - sum_i fbar_i u_i), with
	// u = dP/dfbar, to byFiring, [B,R] each; factor is [B,R], scale is [B].
	Backward(byFiring, byOutputs, memory, factor, scale []float64, s Samples)
}

// OnSamples returns the penalties of samples with nonzero weights.
func OnSamples(all []Penalty) []OfSamples {
	return nonzero(all, func(OfSamples) bool { return true })
}
