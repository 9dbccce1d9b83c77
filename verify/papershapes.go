package verify

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// equations are the equations of one shape.
type equations interface {
	// firing returns f_r(x) of the kept rules and zero for the others, up to a common
	// factor, which cancels in all equations.
	firing(rb *rules.RuleBase, x, keep []float64) []float64
	// add adds a sample's part of dL/dp, for all p of mu_{r,m}, to g.
	add(g rules.Parameters, rb *rules.RuleBase, r, m int, x []float64, F, f float64)
}

func equationsOf(shape membership.Function) equations {
	switch shape.Name() {
	case "gaussian":
		return paperGaussian{}
	case "trapezoid":
		return paperTrapezoid{}
	}
	return nil
}

type paperGaussian struct{}

// firing is (8) in (2), divided by the largest f_r of the kept rules.
func (paperGaussian) firing(rb *rules.RuleBase, x, keep []float64) []float64 {
	c, sigma := rb.Antecedents[0], rb.Antecedents[1]
	exponent, largest := make([]float64, len(keep)), math.Inf(-1)
	for r := range exponent {
		for m, v := range x {
			exponent[r] -= (v - c[r][m]) * (v - c[r][m]) / (2 * sigma[r][m] * sigma[r][m])
		}
		if keep[r] != 0 {
			largest = max(largest, exponent[r])
		}
	}
	f := make([]float64, len(keep))
	for r := range f {
		if keep[r] != 0 {
			f[r] = math.Exp(exponent[r] - largest)
		}
	}
	return f
}

func (paperGaussian) add(g rules.Parameters, rb *rules.RuleBase, r, m int, x []float64, F, f float64) {
	c, sigma := rb.Antecedents[0][r][m], rb.Antecedents[1][r][m]
	g.Antecedents[0][r][m] += F * f * (x[m] - c) / (sigma * sigma)                      // (9)
	g.Antecedents[1][r][m] += F * f * (x[m] - c) * (x[m] - c) / (sigma * sigma * sigma) // (10)
}

type paperTrapezoid struct{}

// grade is (13).
func (paperTrapezoid) grade(rb *rules.RuleBase, r, m int, x float64) float64 {
	a, b, c, d := rb.Antecedents[0][r][m], rb.Antecedents[1][r][m], rb.Antecedents[2][r][m], rb.Antecedents[3][r][m]
	switch {
	case x > a && x < b:
		return (x - a) / (b - a)
	case x >= b && x <= c:
		return 1
	case x > c && x < d:
		return (d - x) / (d - c)
	}
	return 0
}

func (t paperTrapezoid) firing(rb *rules.RuleBase, x, keep []float64) []float64 {
	f := make([]float64, len(keep))
	for r := range f {
		f[r] = keep[r]
		for m, v := range x {
			f[r] *= t.grade(rb, r, m, v) // (2)
		}
	}
	return f
}

func (t paperTrapezoid) add(g rules.Parameters, rb *rules.RuleBase, r, m int, x []float64, F, f float64) {
	a, b, c, d := rb.Antecedents[0][r][m], rb.Antecedents[1][r][m], rb.Antecedents[2][r][m], rb.Antecedents[3][r][m]
	others := 1.0 // f_r/mu
	for k, v := range x {
		if k != m {
			others *= t.grade(rb, r, k, v)
		}
	}
	switch {
	case x[m] > a && x[m] < b:
		g.Antecedents[0][r][m] += F * others * (x[m] - b) / ((b - a) * (b - a)) // (14)
		g.Antecedents[1][r][m] += F * f * -1 / (b - a)                          // (15)
	case x[m] > c && x[m] < d:
		g.Antecedents[2][r][m] += F * f * 1 / (d - c)                           // (16)
		g.Antecedents[3][r][m] += F * others * (x[m] - c) / ((d - c) * (d - c)) // (17)
	}
}
