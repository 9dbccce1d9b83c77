package certify

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// precision is a format of numbers: an operation has a relative error of at most unit and, where it underflows, an absolute one of least;
// a function one of 16 units in the last place.
type precision struct {
	bits        int
	unit, least float64
	single      bool // numbers of the model file, and z-scores, are rounded, too
}

// precisions are those of [Rounding] claims.
var precisions = [...]precision{{64, 0x1p-53, 0x1p-1022, false}, {32, 0x1p-24, 0x1p-126, true}}

// functions is the relative error of functions in units.
const functions = 32

// slack is what bounds of errors leave out: products of errors, and how they are rounded themselves.
const slack = 1.01

// approx is a value v that is computed with an error of at most off.
type approx struct {
	v   span
	off float64
}

// size returns the largest absolute value.
func (x span) size() float64 { return max(math.Abs(x.lo), math.Abs(x.hi)) }

// of returns the error of a number of the model file.
func (p precision) of(v float64) float64 {
	if !p.single {
		return 0
	}
	return math.Abs(v)*p.unit + p.least
}

// rounded adds the error of an operation with a result v, computed with another error.
func (p precision) rounded(v span, off float64) float64 {
	if v.isZero() && off == 0 {
		return 0
	}
	return off + p.unit*(v.size()+off) + p.least
}

// run computes a formula.
func (p precision) run(f *export.Program, arguments ...approx) approx {
	v := arguments
	for _, s := range f.Steps {
		if s.Op == export.Const {
			v = append(v, approx{point(s.Value), p.of(s.Value)})
			continue
		}
		v = append(v, p.step(s.Op, v[s.X], v[s.Y]))
	}
	return v[f.Result]
}

// step computes an operation.
func (p precision) step(op export.Op, x, y approx) approx {
	v := step(op, dual{v: x.v}, dual{v: y.v}).v
	off := math.Inf(1)
	switch op {
	case export.Add, export.Sub:
		off = p.rounded(v, x.off+y.off)
	case export.Mul:
		off = p.rounded(v, x.v.size()*y.off+y.v.size()*x.off+x.off*y.off)
	case export.Div:
		if least := max(y.v.lo, -y.v.hi) - y.off; least > 0 {
			off = p.rounded(v, (x.off+v.size()*y.off)/least)
		}
	case export.Min, export.Max:
		off = max(x.off, y.off)
	default:
		off = p.function(op, x, v)
	}
	if off != off { // zero times an infinity
		off = math.Inf(1)
	}
	return approx{v, off}
}

// function returns the error of an operation of one operand with a result v.
func (p precision) function(op export.Op, x approx, v span) float64 {
	f := functions * p.unit
	switch op {
	case export.Neg, export.Abs:
		return x.off
	case export.Relu:
		if x.v.hi+x.off <= 0 {
			return 0
		}
		return x.off
	case export.Square:
		return p.rounded(v, x.off*(2*x.v.size()+x.off))
	case export.Exp:
		return v.hi*math.Expm1(x.off)*(1+2*f) + f*v.hi + p.least
	case export.Log:
		if least := x.v.lo - x.off; least > 0 {
			return x.off/least*(1+f) + f*v.size() + p.least
		}
	case export.Sqrt:
		return min(math.Sqrt(x.off), x.off/v.lo)*(1+f) + f*v.size() + p.least
	case export.Sigmoid:
		return x.off/4 + f*v.hi + p.least
	case export.Tanh, export.Cos:
		return x.off + f
	}
	return math.Inf(1)
}

// power returns the transform of a z-score.
func (p precision) power(of *model.Power, z approx) approx {
	u := power(of, z.v)
	exponent := 0.0
	if z.v.hi > 0 {
		exponent = of.Lambda
	}
	if z.v.lo < 0 {
		exponent = max(exponent, 2-of.Lambda)
	}
	l := math.Log1p(z.v.size())
	grows := max(1, math.Exp(exponent*l))
	off := l*grows*p.unit*(20*functions+l*(2*math.Abs(of.Lambda)+4)) + 3*p.unit*math.Abs(of.Mean)
	if !(z.off < 1e-3) {
		return approx{u.v, math.Inf(1)}
	}
	return approx{u.v, slack * (off/of.SD + u.d.size()*z.off + 4*p.unit*u.v.size() + p.least)}
}

// ramp returns the error of a ramp. A step is decided as in real numbers: rows for which it is not are no part of a claim.
func (p precision) ramp(u approx, at []float64) float64 {
	off := p.rise(u, at[0], at[1]) + p.rise(u, at[2], at[3])
	if off > 0 {
		off += 2 * p.unit
	}
	return min(1, off)
}

// rise returns the error of a rise.
func (p precision) rise(u approx, from, to float64) float64 {
	ends := p.of(from) + p.of(to)
	wide := to - from
	switch less := wide - ends - p.unit*wide; {
	case from == to, u.v.hi+u.off+ends <= from, u.v.lo-u.off-ends >= to:
		return 0
	case less < wide/2:
		return 1
	default:
		return min(1, slack*(u.off+2*ends+3*p.unit*wide)/less)
	}
}

// curve returns the error of a curve, and its largest value: that of each of its pieces that may be taken, and of taking a neighbour.
func (p precision) curve(knots, values []float64, z approx) (off, size float64) {
	near, steepest := z.off, 0.0
	for _, k := range knots {
		near = max(near, z.off+p.of(k))
	}
	for q := range knots[1:] {
		low, high, rise := knots[q], knots[q+1], math.Abs(values[q+1]-values[q])
		size = max(size, math.Abs(values[q]), math.Abs(values[q+1]))
		if z.v.hi+near < low && q > 0 || z.v.lo-near > high && q+2 < len(knots) {
			continue
		}
		ends := p.of(low) + p.of(high)
		wide := high - low
		if less := wide - ends - p.unit*wide; less < wide/2 {
			return math.Inf(1), size
		} else if rise > 0 {
			steepest = max(steepest, rise/wide)
			off = max(off, rise*min(1, (z.off+2*ends+4*p.unit*wide)/less))
		}
	}
	return off + steepest*near + 8*p.unit*size, size
}
