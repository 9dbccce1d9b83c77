package certify

import "math"

// span is an interval of real numbers with both ends. Operations round outwards, so that the result has every result of numbers of the
// operands: a sum, a difference, a product or a quotient by 2 units in the last place at most, a function of [math] by a relative
// 2^-48, which is more than its error in any library. A sum of zero and a product with zero are exact, and stay so. An end that is not a
// number belongs to no proof.
type span struct{ lo, hi float64 }

var (
	zero = span{}
	one  = span{1, 1}
	all  = span{math.Inf(-1), math.Inf(1)}
)

const (
	ulp      = 0x1p-52
	tiny     = 0x1p-1074
	ulpOf    = 0x1p-48   // relative error of functions
	tinyOf   = 0x1p-1022 // and absolute
	widening = 1e-9      // of claims, relative: what another checker rounds away
)

func point(v float64) span { return span{v, v} }

// down and up return a number at least one unit in the last place away; an exact zero stays.
func down(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) {
		return v
	}
	return v - (float64(math.Abs(v)*ulp) + tiny)
}

func up(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) {
		return v
	}
	return v + (float64(math.Abs(v)*ulp) + tiny)
}

// loosened returns the interval of values of a function of math at the ends.
func loosened(lo, hi float64) span {
	return span{lo - (float64(math.Abs(lo)*ulpOf) + tinyOf), hi + (float64(math.Abs(hi)*ulpOf) + tinyOf)}
}

func add(x, y span) span { return span{down(x.lo + y.lo), up(x.hi + y.hi)} }
func sub(x, y span) span { return span{down(x.lo - y.hi), up(x.hi - y.lo)} }
func neg(x span) span    { return span{-x.hi, -x.lo} }

func (x span) isZero() bool { return x.lo == 0 && x.hi == 0 }

// downward and upward round a product of numbers that are not zero, which may underflow.
func mul(x, y span) span {
	if x.isZero() || y.isZero() {
		return zero
	}
	a, b, c, d := times(x.lo, y.lo), times(x.lo, y.hi), times(x.hi, y.lo), times(x.hi, y.hi)
	lo, hi := min(a, b, c, d), max(a, b, c, d)
	return span{belowProduct(lo), aboveProduct(hi)}
}

// times is a product in which zero times an infinity, which is an end that no number reaches, is zero.
func times(x, y float64) float64 {
	if x == 0 || y == 0 {
		return 0
	}
	return x * y
}

// belowProduct and aboveProduct are down and up of a product, of which zero may be an underflow.
func belowProduct(v float64) float64 {
	if math.IsInf(v, 0) {
		return v
	}
	return v - (float64(math.Abs(v)*ulp) + tiny)
}

func aboveProduct(v float64) float64 {
	if math.IsInf(v, 0) {
		return v
	}
	return v + (float64(math.Abs(v)*ulp) + tiny)
}

func div(x, y span) span {
	if !(y.lo > 0 || y.hi < 0) {
		return all
	}
	if x.isZero() {
		return zero
	}
	a, b, c, d := x.lo/y.lo, x.lo/y.hi, x.hi/y.lo, x.hi/y.hi
	return span{belowProduct(min(a, b, c, d)), aboveProduct(max(a, b, c, d))}
}

// by is the product with a number.
func by(x span, v float64) span { return mul(x, point(v)) }

func square(x span) span {
	a, b := float64(x.lo*x.lo), float64(x.hi*x.hi)
	if x.lo <= 0 && x.hi >= 0 {
		return span{0, aboveProduct(max(a, b))}
	}
	return span{max(0, belowProduct(min(a, b))), aboveProduct(max(a, b))}
}

func exp(x span) span {
	s := loosened(math.Exp(x.lo), math.Exp(x.hi))
	return span{max(0, s.lo), s.hi}
}

// log is that of what is positive of x.
func log(x span) span {
	s := loosened(math.Log(max(0, x.lo)), math.Log(max(0, x.hi)))
	if math.IsInf(s.lo, -1) || s.lo != s.lo {
		s.lo = math.Inf(-1)
	}
	return s
}

func sqrt(x span) span {
	s := loosened(math.Sqrt(max(0, x.lo)), math.Sqrt(max(0, x.hi)))
	return span{max(0, s.lo), s.hi}
}

func sigmoid(x span) span {
	s := loosened(logistic(x.lo), logistic(x.hi))
	return span{max(0, s.lo), min(1, s.hi)}
}

func logistic(x float64) float64 {
	far := math.Exp(-math.Abs(x))
	if x < 0 {
		return far / (1 + far)
	}
	return 1 / (1 + far)
}

func tanh(x span) span {
	s := loosened(math.Tanh(x.lo), math.Tanh(x.hi))
	return span{max(-1, s.lo), min(1, s.hi)}
}

// cos is exact to its extremes, which it has at multiples of pi.
func cos(x span) span {
	if !(x.hi-x.lo < 3) || math.Abs(x.lo) > 1e6 {
		return span{-1, 1}
	}
	a, b := math.Cos(x.lo), math.Cos(x.hi)
	s := loosened(min(a, b), max(a, b))
	first, last := math.Floor(x.lo/math.Pi-1e-9), math.Floor(x.hi/math.Pi+1e-9)
	for k := first + 1; k <= last; k++ {
		if math.Mod(k, 2) == 0 {
			s.hi = 1
		} else {
			s.lo = -1
		}
	}
	return span{max(-1, s.lo), min(1, s.hi)}
}

func lesser(x, y span) span  { return span{min(x.lo, y.lo), min(x.hi, y.hi)} }
func greater(x, y span) span { return span{max(x.lo, y.lo), max(x.hi, y.hi)} }

func abs(x span) span {
	if x.lo <= 0 && x.hi >= 0 {
		return span{0, max(-x.lo, x.hi)}
	}
	return span{min(math.Abs(x.lo), math.Abs(x.hi)), max(math.Abs(x.lo), math.Abs(x.hi))}
}

// hull is the least interval with both.
func hull(x, y span) span { return span{min(x.lo, y.lo), max(x.hi, y.hi)} }

// meet is the common part of two intervals that hold the same value; an end that is not a number gives way.
func meet(x, y span) span {
	if !(x.lo >= y.lo) && y.lo == y.lo {
		x.lo = y.lo
	}
	if !(x.hi <= y.hi) && y.hi == y.hi {
		x.hi = y.hi
	}
	return x
}

func (x span) width() float64 { return x.hi - x.lo }
func (x span) mid() float64   { return x.lo + float64(0.5*(x.hi-x.lo)) }
func (x span) within(lo, hi float64) bool {
	return x.lo >= lo && x.hi <= hi
}
