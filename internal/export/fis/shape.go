package fis

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// standard returns the type of the format that equals a shape with parameters p, in the units of the
// column, and its parameters; "" if there is none. Octave's definitions count, since MATLAB agrees
// with them:
//
//   - gbellmf of Octave takes whole exponents only.
//   - dsigmf of Octave is zero where MATLAB's and dsigmoid are the absolute value, and loses all digits
//     far outside: it is not used.
func standard(shape string, p []float64) (kind string, params []float64) {
	switch shape {
	case membership.Gaussian{}.Name():
		return "gaussmf", []float64{p[1], p[0]}
	case membership.Gauss2{}.Name():
		return "gauss2mf", p
	case membership.Cauchy{}.Name():
		return "gbellmf", []float64{p[1], 1, p[0]}
	case membership.GBell{}.Name():
		if p[1] == math.Trunc(p[1]) {
			return "gbellmf", p
		}
	case membership.PSigmoid{}.Name():
		return "psigmf", p
	case membership.Sigmoid{}.Name():
		return "psigmf", []float64{1 / p[1], p[0], -1 / p[3], p[2]}
	case membership.Triangular{}.Name():
		return "trimf", p
	case membership.Trapezoid{}.Name():
		return "trapmf", p
	case membership.Pi{}.Name():
		return "pimf", p
	}
	return "", nil
}

// separate reports whether borders that must differ do so after they were rounded.
func separate(kind string, p []float64) bool {
	switch kind {
	case "trimf":
		return p[0] < p[1] && p[1] < p[2]
	case "trapmf", "pimf":
		return p[0] < p[1] && p[1] <= p[2] && p[2] < p[3]
	}
	return true
}
