package penalty

// OfSamples is a penalty of what the rules say on each sample:
//
//	P = sum_n weight_n p(fbar(x_n), y(x_n), t_n)
//
// of the normalised firing levels, the rule outputs and, perhaps, the targets. It has the
// sample weights of the data part of the loss, so that its effect does not depend on
// whether the loss is a sum or a mean.
type OfSamples interface {
	Penalty

	// Value returns P, at least 0.
	Value(s Samples) float64

	// Gradient writes dP/dfbar [B,R], at levels that sum to one, and, for each output,
	// dP/dy [B,R].
	Gradient(byLevels []float64, byOutputs [][]float64, s Samples)

	// Expr returns terms [B,R], of which row n sums to p of sample n, as an expression on
	// terms.
	Expr(b Builder, s SampleTerms) Term
}

// Samples are the samples of a mini-batch as the R rules see them, with C outputs.
type Samples struct {
	R           int
	Levels      []float64   // [B,R], the normalised firing levels with DropRule's masks; zero for an uncovered sample
	Outputs     [][]float64 // [C], [B,R] each: y_r(x_n)
	Predictions [][]float64 // [C], [B] each: sum_r fbar_r y_r
	Target      []float64   // [B,C]
	Weight      []float64   // [B], the weights in the loss; zero for an uncovered sample
}

// SampleTerms are [Samples] as terms.
type SampleTerms struct {
	R       int
	Levels  Term   // [B,R]
	Outputs []Term // [C], [B,R] each
	Targets []Term // [C], [B,R] each: the targets of an output, repeated along the rows
}

// levels returns the levels of sample n, [R].
func (s Samples) levels(n int) []float64 { return s.Levels[n*s.R : (n+1)*s.R] }

// target returns the targets of sample n, [C].
func (s Samples) target(n int) []float64 {
	C := len(s.Outputs)
	return s.Target[n*C : (n+1)*C]
}

// rule writes the outputs of rule r on sample n to dst [C].
func (s Samples) rule(dst []float64, n, r int) {
	for c, outputs := range s.Outputs {
		dst[c] = outputs[n*s.R+r]
	}
}

// predict writes sum_r fbar_r y_r of all outputs to dst [C].
func (s Samples) predict(dst []float64, n int) {
	for c, outputs := range s.Outputs {
		dst[c] = prediction(s.levels(n), outputs[n*s.R:(n+1)*s.R])
	}
}

// predicted writes the predictions on sample n to dst [C].
func (s Samples) predicted(dst []float64, n int) {
	for c, y := range s.Predictions {
		dst[c] = y[n]
	}
}

// prediction returns sum_r fbar_r y_r of one output, repeated along the rows.
func (s SampleTerms) prediction(b Builder, outputs Term) Term {
	return b.Mul(b.Const(float64(s.R)), b.RowMeans(b.Mul(s.Levels, outputs)))
}

// prediction returns sum_r fbar_r y_r of one output.
func prediction(levels, outputs []float64) float64 {
	y := 0.0
	for r, f := range levels {
		y += float64(f * outputs[r])
	}
	return y
}

// SamplesKernel is implemented by penalties of samples that compute in place. The methods
// do not allocate.
type SamplesKernel interface {
	// Memory returns the length of the memory for B samples of R rules with C outputs.
	Memory(B, R, C int) int

	// Forward returns P. It may store in memory what Backward needs.
	Forward(memory []float64, s Samples) float64

	// Backward adds dP/dy to byOutputs, [B,R] for each output, and scale factor_r (u_r -
	// sum_i fbar_i u_i), with u = dP/dfbar, to byFiring [B,R]; factor is [B,R], scale is [B].
	Backward(byFiring []float64, byOutputs [][]float64, memory, factor, scale []float64, s Samples)
}

// OnSamples returns the penalties of samples with nonzero weights.
func OnSamples(all []Penalty) []OfSamples {
	return nonzero(all, func(OfSamples) bool { return true })
}
