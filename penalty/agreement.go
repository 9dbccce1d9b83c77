package penalty

import (
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/loss"
)

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

func init() {
	Register(Agreement{Alpha: 0.3}, weight("agreement", 0, "penalty of rules that disagree where they fire together, 0 or more: "+
		"0 trains only their weighted sum, 1 every rule on its own", func(_ Penalty, v float64) Penalty { return Agreement{Alpha: v} }))
}

func (Agreement) Name() string      { return "agreement" }
func (a Agreement) Weight() float64 { return a.Alpha }

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

func (a Agreement) Forward(memory []float64, s Samples) float64 {
	B, sum := len(s.Weight), 0.0
	for c, outputs := range s.Outputs {
		d := memory[2*B*c:]
		sum += float64(a.Alpha / 2 * kernel.Ambiguity(d[:B], d[B:2*B], s.Levels, outputs, s.Predictions[c], s.Weight, B, s.R))
	}
	return sum
}

func (a Agreement) Backward(byFiring []float64, byOutputs [][]float64, memory, factor, scale []float64, s Samples) {
	B := len(s.Weight)
	for c, outputs := range s.Outputs {
		d := memory[2*B*c:]
		kernel.AmbiguityBackward(byFiring, byOutputs[c], s.Levels, factor, outputs, s.Predictions[c], d[:B], d[B:2*B], s.Weight, scale,
			a.Alpha, B, s.R)
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

// LossAgreement is [Agreement] for any convex loss L of the outputs:
//
//	P = sum_n weight_n Alpha [ sum_r fbar_r L(y_r, t_n) - L(y, t_n) ]    y = sum_r fbar_r y_r
//
// It is at least 0 by Jensen's inequality. Alpha = 1 trains every rule on its own, Alpha = 0
// only their weighted sum. For the squared loss it is Agreement. For the cross-entropy of
// classes it does not depend on the targets: it is Alpha sum_r fbar_r KL(p || p_r), the
// divergence of the rules' class probabilities p_r from those of their weighted sum, p
// (Heskes, Selecting weighting factors in logarithmic opinion pools, NIPS 1998).
type LossAgreement struct {
	Alpha float64
	Loss  loss.OfOutputs
}

// For returns the penalty of disagreement for a loss: the Agreement itself for the squared one and for that of quantiles, which
// then train in about half the time and err as much; else a LossAgreement.
func (a Agreement) For(l loss.Loss) Penalty {
	switch l.(type) {
	case loss.Squared, loss.Quantile:
		return a
	}
	return LossAgreement{a.Alpha, loss.Joint(l, nil)}
}

func (LossAgreement) Name() string      { return Agreement{}.Name() }
func (a LossAgreement) Weight() float64 { return a.Alpha }

func (a LossAgreement) Value(s Samples) float64 {
	sum, y := 0.0, make([]float64, len(s.Outputs))
	for n, weight := range s.Weight {
		s.predict(y, n)
		whole := a.Loss.Value(y, s.target(n))
		for r, f := range s.levels(n) {
			s.rule(y, n, r)
			sum += float64(weight * f * (a.Loss.Value(y, s.target(n)) - whole))
		}
	}
	return a.Alpha * sum
}

// Gradient computes, with the gradients g of L at y and g_r at y_r,
//
//	dP/dfbar_r = weight_n Alpha (L(y_r, t) - L(y, t) - g y_r)
//	dP/dy_r    = weight_n Alpha fbar_r (g_r - g)
func (a LossAgreement) Gradient(byLevels []float64, byOutputs [][]float64, s Samples) {
	C := len(s.Outputs)
	y, g, gr := make([]float64, C), make([]float64, C), make([]float64, C)
	for n, weight := range s.Weight {
		t, by := s.target(n), weight*a.Alpha
		s.predict(y, n)
		whole := a.Loss.Value(y, t)
		a.Loss.Gradient(g, y, t)
		for r, f := range s.levels(n) {
			s.rule(y, n, r)
			a.Loss.Gradient(gr, y, t)
			d := a.Loss.Value(y, t) - whole
			for c, v := range y {
				d -= float64(g[c] * v)
				byOutputs[c][n*s.R+r] = by * f * (gr[c] - g[c])
			}
			byLevels[n*s.R+r] = by * d
		}
	}
}

// Memory returns the length for the predictions, the outputs of a rule and their gradients,
// [C] each, and the derivatives by the levels of a sample, [R].
func (LossAgreement) Memory(_, R, C int) int { return 4*C + R }

func (a LossAgreement) Forward(memory []float64, s Samples) float64 {
	C, sum := len(s.Outputs), 0.0
	y := memory[:C]
	for n, weight := range s.Weight {
		if weight == 0 {
			continue
		}
		s.predicted(y, n)
		whole := a.Loss.Value(y, s.target(n))
		for r, f := range s.levels(n) {
			if f != 0 {
				s.rule(y, n, r)
				sum += float64(weight * f * (a.Loss.Value(y, s.target(n)) - whole))
			}
		}
	}
	return a.Alpha * sum
}

// Backward adds the gradients. That by the levels is computed as a product with y_r - y in
// place of y_r, which differ by the same number for all rules.
func (a LossAgreement) Backward(byFiring []float64, byOutputs [][]float64, memory, factor, scale []float64, s Samples) {
	C := len(s.Outputs)
	y, yr, g, gr, u := memory[:C], memory[C:2*C], memory[2*C:3*C], memory[3*C:4*C], memory[4*C:]
	for n, weight := range s.Weight {
		if weight == 0 {
			continue
		}
		levels, t, by, mean := s.levels(n), s.target(n), weight*a.Alpha, 0.0
		s.predicted(y, n)
		a.Loss.Gradient(g, y, t)
		for r, f := range levels {
			s.rule(yr, n, r)
			a.Loss.Gradient(gr, yr, t)
			u[r] = a.Loss.Value(yr, t)
			for c, v := range yr {
				u[r] -= float64(g[c] * (v - y[c]))
				byOutputs[c][n*s.R+r] += float64(by * f * (gr[c] - g[c]))
			}
			mean += float64(f * u[r])
		}
		for r := range levels {
			i := n*s.R + r
			byFiring[i] += float64(by * scale[n] * factor[i] * (u[r] - mean))
		}
	}
}

// Expr returns the rules' terms of the formula on terms.
func (a LossAgreement) Expr(b Builder, s SampleTerms) Term {
	predictions := make([]Term, len(s.Outputs))
	for c, outputs := range s.Outputs {
		predictions[c] = s.prediction(b, outputs)
	}
	of := func(outputs []Term) Term {
		return b.Rows(a.Loss.Expr(b, b.Columns(outputs), b.Columns(s.Targets), len(outputs)), s.R)
	}
	return b.Mul(b.Const(a.Alpha), b.Mul(s.Levels, b.Sub(of(s.Outputs), of(predictions))))
}
