package certify

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

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
