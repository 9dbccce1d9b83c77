package penalty

import "github.com/tskgraph/tskgraph/internal/kernel"

// Agreement penalises the disagreement of the rules that fire for a sample:
//
//	P = sum_n weight_n Alpha/2 D_n    D_n = sum_r fbar_r (y_r - y)^2    y = sum_r fbar_r y_r
//
// D is the ambiguity of Krogh and Vedelsby (NIPS 1994): for the squared loss, Alpha = 1
// trains every rule on its own, since sum_r fbar_r (y_r - t)^2 = (y - t)^2 + D, and
// Alpha = 0 trains only their weighted sum. Values between them combine both, as in Yen,
// Wang and Gillespie (IEEE Transactions on Fuzzy Systems 6(4), 1998).
type Agreement struct{ Alpha float64 }

func init() { Register(Agreement{Alpha: 0.3}) }

// Name returns "agreement".
func (Agreement) Name() string { return "agreement" }

// Weight returns Alpha.
func (a Agreement) Weight() float64 { return a.Alpha }

// Value computes the formula above.
func (a Agreement) Value(s Samples) float64 {
	sum := 0.0
	for n, weight := range s.Weight {
		levels, outputs := s.sample(n)
		y := prediction(levels, outputs)
		for r, f := range levels {
			d := outputs[r] - y
			sum += float64(weight * f * d * d)
		}
	}
	return a.Alpha / 2 * sum
}

// prediction returns y.
func prediction(levels, outputs []float64) float64 {
	y := 0.0
	for r, f := range levels {
		y += float64(f * outputs[r])
	}
	return y
}

// Gradient computes weight_n Alpha/2 (y_r - y)^2 and weight_n Alpha fbar_r (y_r - y). The
// derivatives through y vanish, since the levels of a covered sample sum to one.
func (a Agreement) Gradient(byLevels, byOutputs []float64, s Samples) {
	for n, weight := range s.Weight {
		levels, outputs := s.sample(n)
		y, by := prediction(levels, outputs), weight*a.Alpha
		for r, f := range levels {
			d := outputs[r] - y
			byLevels[n*s.R+r] = by / 2 * d * d
			byOutputs[n*s.R+r] = by * f * d
		}
	}
}

// Forward returns the value. memory holds D and the rounding error of y, [B] each.
func (a Agreement) Forward(memory []float64, s Samples) float64 {
	B := len(s.Weight)
	return a.Alpha / 2 * kernel.Ambiguity(memory[:B], memory[B:2*B], s.Levels, s.Outputs, s.Prediction, s.Weight, B, s.R)
}

// Backward adds the gradients.
func (a Agreement) Backward(byFiring, byOutputs, memory, factor, scale []float64, s Samples) {
	B := len(s.Weight)
	kernel.AmbiguityBackward(byFiring, byOutputs, s.Levels, factor, s.Outputs, s.Prediction, memory[:B], memory[B:2*B], s.Weight, scale, a.Alpha, B, s.R)
}

// Expr returns the rules' terms of the formula on terms.
func (a Agreement) Expr(b Builder, levels, outputs Term, R int) Term {
	y := b.Mul(b.Const(float64(R)), b.RowMeans(b.Mul(levels, outputs)))
	return a.from(b, levels, outputs, y)
}

// from returns Alpha/2 fbar_r (y_r - y)^2.
func (a Agreement) from(b Builder, levels, outputs, y Term) Term {
	return b.Mul(b.Const(a.Alpha/2), b.Mul(levels, b.Square(b.Sub(outputs, y))))
}

// Mutant returns a penalty of the differences from the mean of the rules.
func (a Agreement) Mutant() (wrong string, p Penalty) {
	return "mean of the rules, not the prediction", unweighted{a}
}

// unweighted is [Agreement] with y = 1/R sum_r y_r, a mutant.
type unweighted struct{ Agreement }

// Expr returns the wrong formula on terms.
func (u unweighted) Expr(b Builder, levels, outputs Term, _ int) Term {
	return u.from(b, levels, outputs, b.RowMeans(outputs))
}
