package penalty

import "github.com/tskgraph/tskgraph/internal/base/kernel"

// Agreement penalises the disagreement of the rules that fire for a sample:
//
//	P = sum_n weight_n Alpha/2 D_n    D_n = sum_r fbar_r (y_r - y)^2    y = sum_r fbar_r y_r
//
// summed over the outputs. D is the ambiguity of Krogh and Vedelsby (NIPS 1994): for the
// squared loss, Alpha = 1 trains every rule on its own, since sum_r fbar_r (y_r - t)^2 =
// (y - t)^2 + D, and Alpha = 0 trains only their weighted sum. Values between them combine
// both, as in Yen, Wang and Gillespie (IEEE Transactions on Fuzzy Systems 6(4), 1998).
// [LossAgreement] does the same for other losses.
type Agreement struct{ Alpha float64 }

func init() { Register(Agreement{Alpha: 0.3}) }

// Name returns "agreement".
func (Agreement) Name() string { return "agreement" }

// Weight returns Alpha.
func (a Agreement) Weight() float64 { return a.Alpha }

// Value computes the formula above.
func (a Agreement) Value(s Samples) float64 {
	sum := 0.0
	for _, outputs := range s.Outputs {
		for n, weight := range s.Weight {
			levels, outputs := s.levels(n), outputs[n*s.R:(n+1)*s.R]
			y := prediction(levels, outputs)
			for r, f := range levels {
				d := outputs[r] - y
				sum += float64(weight * f * d * d)
			}
		}
	}
	return a.Alpha / 2 * sum
}

// Gradient computes weight_n Alpha/2 (y_r - y)^2 and weight_n Alpha fbar_r (y_r - y). The
// derivatives through y vanish, since the levels of a covered sample sum to one.
func (a Agreement) Gradient(byLevels []float64, byOutputs [][]float64, s Samples) {
	clear(byLevels)
	for c, all := range s.Outputs {
		for n, weight := range s.Weight {
			levels, outputs := s.levels(n), all[n*s.R:(n+1)*s.R]
			y, by := prediction(levels, outputs), weight*a.Alpha
			for r, f := range levels {
				d := outputs[r] - y
				byLevels[n*s.R+r] += float64(by / 2 * d * d)
				byOutputs[c][n*s.R+r] = by * f * d
			}
		}
	}
}

// Memory returns the length for D and the rounding error of y, [B] each, of every output.
func (Agreement) Memory(B, _, C int) int { return 2 * B * C }

// Forward returns the value.
func (a Agreement) Forward(memory []float64, s Samples) float64 {
	B, sum := len(s.Weight), 0.0
	for c, outputs := range s.Outputs {
		d := memory[2*B*c:]
		sum += float64(a.Alpha / 2 * kernel.Ambiguity(d[:B], d[B:2*B], s.Levels, outputs, s.Predictions[c], s.Weight, B, s.R))
	}
	return sum
}

// Backward adds the gradients.
func (a Agreement) Backward(byFiring []float64, byOutputs [][]float64, memory, factor, scale []float64, s Samples) {
	B := len(s.Weight)
	for c, outputs := range s.Outputs {
		d := memory[2*B*c:]
		kernel.AmbiguityBackward(byFiring, byOutputs[c], s.Levels, factor, outputs, s.Predictions[c], d[:B], d[B:2*B], s.Weight, scale, a.Alpha, B, s.R)
	}
}

// Expr returns the rules' terms of the formula on terms.
func (a Agreement) Expr(b Builder, s SampleTerms) Term {
	var sum Term
	for _, outputs := range s.Outputs {
		d := b.Mul(b.Const(a.Alpha/2), b.Mul(s.Levels, b.Square(b.Sub(outputs, s.prediction(b, outputs)))))
		if sum != nil {
			d = b.Add(sum, d)
		}
		sum = d
	}
	return sum
}
