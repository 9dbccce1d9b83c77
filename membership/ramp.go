package membership

import "math"

// Ramp is an interval with straight flanks, the product of a rise and one minus another rise,
// with a <= b and c <= d:
//
//	mu(x; p) = R(x; a, b) (1 - R(x; c, d))
//
//	             0             x <= a
//	R(x; a, b) = (x-a)/(b-a)   a < x < b
//	             1             x >= b and x > a
//
// With a = b the rise is a step: R is one where x > a, zero elsewhere, so that "x is above t" and
// "x is at most t" exclude each other. An open border makes the function one-sided, and two
// functions add up to one where a, b of one equal c, d of the other: the grades along the paths of
// a tree are a partition of unity. Other than the legs of a [Trapezoid], the flanks may overlap.
//
// It has kinks at a, b, c and d; derivatives by the positions of a flank are zero at its ends, and
// everywhere if it is a step.
type Ramp struct{}

func init() { Register(Ramp{}) }

func (Ramp) Name() string { return "ramp" }

func (Ramp) Params() []Param {
	return []Param{
		{Name: "a", Meaning: "foot of the rise"},
		{Name: "b", Meaning: "top of the rise"},
		{Name: "c", Meaning: "top of the fall"},
		{Name: "d", Meaning: "foot of the fall"},
	}
}

// Place returns the long legs of the [Trapezoid].
func (Ramp) Place(center, spread float64) []float64 { return Trapezoid{}.Place(center, spread) }

// Between returns ramps whose middles are low and high. They do not depend on the distance
// between them, so that functions with a common border may share its parameters. An open
// border is a step.
func (Ramp) Between(low, high, spread float64) []float64 {
	a, b := rampAt(low, spread)
	c, d := rampAt(high, spread)
	return []float64{a, b, c, d}
}

// rampAt returns the ends of a ramp in whose middle, at t, it is as steep as a Gaussian.
func rampAt(t, spread float64) (from, to float64) {
	h := spread / halfWidth
	if math.IsInf(t, 0) {
		t, h = math.Copysign(far, t), 0
	}
	return t - h, t + h
}

// Borders returns a and b, c and d.
func (Ramp) Borders() (lower, upper []int) { return []int{0, 1}, []int{2, 3} }

// rise returns R(x; from, to).
func rise(x, from, to float64) float64 {
	switch {
	case !(x > from):
		return 0
	case x >= to:
		return 1
	}
	return (x - from) / (to - from)
}

// Grades computes the product.
func (Ramp) Grades(dst, x, p []float64) {
	a, b, c, d := p[0], p[1], p[2], p[3]
	for i, v := range x {
		dst[i] = rise(v, a, b) * (1 - rise(v, c, d))
	}
}

// Gradients computes, with R and S the rises from a to b and from c to d,
//
//	dmu/da = (1-S) (x-b)/(b-a)^2    dmu/db = (1-S) (a-x)/(b-a)^2    a < x < b
//	dmu/dc = R (d-x)/(d-c)^2        dmu/dd = R (x-c)/(d-c)^2        c < x < d
//
// and zero elsewhere.
func (Ramp) Gradients(dst [][]float64, x, p []float64) {
	a, b, c, d := p[0], p[1], p[2], p[3]
	left, right := 1/(b-a)/(b-a), 1/(d-c)/(d-c)
	byA, byB, byC, byD := dst[0][:len(x)], dst[1][:len(x)], dst[2][:len(x)], dst[3][:len(x)]
	for i, v := range x {
		l, r := (1-rise(v, c, d))*within(left, v, a, b), rise(v, a, b)*within(right, v, c, d)
		byA[i], byB[i] = (v-b)*l, (a-v)*l
		byC[i], byD[i] = (d-v)*r, (v-c)*r
	}
}

// Expr returns the product on terms.
func (Ramp) Expr(t Builder, x Term, p []Term) Term {
	fall := t.Sub(t.Const(1), riseTerm(t, x, p[2], p[3]))
	return t.Mul(riseTerm(t, x, p[0], p[1]), fall)
}

// leastRise is the width of a step in the expression, and mostRise the largest distance from
// its foot: their quotient is finite, in 32 bits, too.
const leastRise, mostRise = 1e-30, 1e8

// riseTerm returns rise on terms: the quotient of the distance from the foot, at least zero, and the width,
// at most one. At the ends of a ramp and at a step equal arguments pass the derivative to constants.
func riseTerm(t Builder, x, from, to Term) Term {
	distance := t.Min(t.Relu(t.Sub(x, from)), t.Const(mostRise))
	width := t.Max(t.Sub(to, from), t.Const(leastRise))
	return t.Min(t.Div(distance, width), t.Const(1))
}

// Kinks returns a, b, c and d.
func (Ramp) Kinks(p []float64) []float64 { return p[:4:4] }

// Project sorts the two ends of each ramp and widens those narrower than 1e-9, unless they are steps.
func (Ramp) Project(p [][]float64) {
	for _, flank := range [2][2][]float64{{p[0], p[1]}, {p[2], p[3]}} {
		from, to := flank[0], flank[1]
		for i, v := range from {
			if v != to[i] {
				from[i] = min(v, to[i])
				to[i] = max(v, to[i], legEnd(from[i]))
			}
		}
	}
}
