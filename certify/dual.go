package certify

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// dual is a value and its derivative by one variable.
type dual struct{ v, d span }

// choice is the dual of whichever of two is the value: first if the value is x for certain, second if it is y.
func choice(v span, first, second bool, x, y dual) dual {
	switch {
	case first:
		return dual{v, x.d}
	case second:
		return dual{v, y.d}
	}
	return dual{v, hull(x.d, y.d)}
}

// step computes an operation of a formula.
func step(op export.Op, x, y dual) dual {
	switch op {
	case export.Add:
		return dual{add(x.v, y.v), add(x.d, y.d)}
	case export.Sub:
		return dual{sub(x.v, y.v), sub(x.d, y.d)}
	case export.Mul:
		return dual{mul(x.v, y.v), add(mul(x.d, y.v), mul(x.v, y.d))}
	case export.Div:
		q := div(x.v, y.v)
		return dual{q, div(sub(x.d, mul(q, y.d)), y.v)}
	case export.Min:
		return choice(lesser(x.v, y.v), x.v.hi <= y.v.lo, y.v.hi <= x.v.lo, x, y)
	case export.Max:
		return choice(greater(x.v, y.v), x.v.lo >= y.v.hi, y.v.lo >= x.v.hi, x, y)
	}
	return function(op, x)
}

// function computes an operation of one operand.
func function(op export.Op, x dual) dual {
	switch op {
	case export.Neg:
		return dual{neg(x.v), neg(x.d)}
	case export.Square:
		return dual{square(x.v), by(mul(x.v, x.d), 2)}
	case export.Exp:
		e := exp(x.v)
		return dual{e, mul(e, x.d)}
	case export.Log:
		return dual{log(x.v), div(x.d, x.v)}
	case export.Sqrt:
		root := sqrt(x.v)
		return dual{root, div(x.d, by(root, 2))}
	case export.Abs:
		return choice(abs(x.v), x.v.lo >= 0, x.v.hi <= 0, x, dual{d: neg(x.d)})
	case export.Relu:
		return choice(greater(x.v, zero), x.v.lo >= 0 && x.v.hi > 0, x.v.hi <= 0, x, dual{})
	case export.Tanh:
		t := tanh(x.v)
		return dual{t, mul(sub(one, square(t)), x.d)}
	case export.Cos:
		quarter := add(x.v, span{-math.Pi / 2 * (1 + ulpOf), -math.Pi / 2 * (1 - ulpOf)})
		return dual{cos(x.v), mul(neg(cos(quarter)), x.d)}
	}
	s := sigmoid(x.v)
	return dual{s, mul(mul(s, sub(one, s)), x.d)}
}

// run computes a formula of arguments of which some depend on the variable. memory is overwritten.
func run(p *export.Program, memory []dual, arguments ...dual) dual {
	v := append(memory[:0], arguments...)
	for _, s := range p.Steps {
		if s.Op == export.Const {
			v = append(v, dual{v: point(s.Value)})
			continue
		}
		v = append(v, step(s.Op, v[s.X], v[s.Y]))
	}
	return v[p.Result]
}

// power returns the transform of a z-score in a range, with its derivative
//
//	psi'(z) = (z+1)^(lambda-1)  z >= 0;  (1-z)^(1-lambda)  z < 0
//
// over SD, zero where the transform is limited.
func power(p *model.Power, z span) dual {
	lo, hi := yeoJohnson(point(z.lo), p.Lambda), yeoJohnson(point(z.hi), p.Lambda)
	u := div(sub(span{lo.lo, hi.hi}, point(p.Mean)), point(p.SD))
	a, b := powerSlope(point(z.lo), p.Lambda), powerSlope(point(z.hi), p.Lambda)
	slope := hull(a, b)
	if z.lo < 0 && z.hi > 0 {
		slope = hull(slope, one) // at zero, from which it rises or falls on each side
	}
	slope = div(slope, point(p.SD))
	limited := span{max(-export.PowerLimit, min(export.PowerLimit, u.lo)), max(-export.PowerLimit, min(export.PowerLimit, u.hi))}
	if limited != u {
		slope = hull(slope, zero)
	}
	return dual{limited, slope}
}

// yeoJohnson returns psi of a z-score.
func yeoJohnson(z span, lambda float64) span {
	if z.lo < 0 {
		return neg(yeoJohnson(neg(z), 2-lambda))
	}
	v := math.Log1p(z.lo)
	if lambda == 0 {
		return loosened(v, v)
	}
	exponent := by(loosened(v, v), lambda)
	e := loosened(math.Expm1(exponent.lo), math.Expm1(exponent.hi))
	return div(e, point(lambda))
}

func powerSlope(z span, lambda float64) span {
	if z.lo < 0 {
		return powerSlope(neg(z), 2-lambda)
	}
	return exp(mul(log(add(one, z)), sub(point(lambda), one)))
}
