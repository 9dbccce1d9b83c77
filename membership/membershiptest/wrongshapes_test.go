package membershiptest

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
)

// Shapes with one error each.

// wrongSign returns the second derivative negated.
type wrongSign struct{ membership.Gaussian }

func (w wrongSign) Gradients(dst [][]float64, x, p []float64) {
	w.Gaussian.Gradients(dst, x, p)
	for i := range x {
		dst[1][i] = -dst[1][i]
	}
}

// swapped returns the derivatives in the wrong order.
type swapped struct{ membership.Gaussian }

func (s swapped) Gradients(dst [][]float64, x, p []float64) {
	s.Gaussian.Gradients([][]float64{dst[1], dst[0]}, x, p)
}

// otherExpr returns the expression of a wider bell.
type otherExpr struct{ membership.Gaussian }

func (o otherExpr) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return b.Exp(b.Neg(b.Square(b.Div(b.Sub(x, p[0]), p[1]))))
}

// otherLog returns twice the logarithm.
type otherLog struct{ membership.Gaussian }

func (o otherLog) LogExpr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return b.Mul(b.Const(2), o.Gaussian.LogExpr(b, x, p))
}

// tooHigh has grades above one.
type tooHigh struct{ membership.Gaussian }

func (g tooHigh) Grades(dst, x, p []float64) {
	for i := range x {
		dst[i] = 1.5
	}
}

// shortLegs reaches only three spreads far.
type shortLegs struct{ membership.Triangular }

func (shortLegs) Place(center, spread float64) []float64 {
	return []float64{center - 3*spread, center, center + 3*spread}
}

// oneLeg omits the right leg in the derivative by b.
type oneLeg struct{ membership.Triangular }

func (o oneLeg) Gradients(dst [][]float64, x, p []float64) {
	o.Triangular.Gradients(dst, x, p)
	for i, v := range x {
		if v > p[1] {
			dst[1][i] = 0
		}
	}
}

// noKink has a derivative at its kink.
type noKink struct{ membership.Laplace }

func (noKink) Gradients(dst [][]float64, x, p []float64) {
	for i, v := range x {
		d := math.Exp(-math.Abs(v-p[0])/p[1]) / p[1]
		dst[0][i] = math.Copysign(d, v-p[0])
		dst[1][i] = d * math.Abs(v-p[0]) / p[1]
	}
}

// noFactor lacks the factor 2 in the derivative by b.
type noFactor struct{ membership.GBell }

func (g noFactor) Gradients(dst [][]float64, x, p []float64) {
	g.GBell.Gradients(dst, x, p)
	for i := range x {
		dst[1][i] /= 2
	}
}

// gradeLeftIn returns the derivative of the grade instead of that of its logarithm.
type gradeLeftIn struct{ membership.Cauchy }

func (g gradeLeftIn) LogGradients(dst [][]float64, x, p []float64) { g.Gradients(dst, x, p) }

// overflow raises to the power before it takes the logarithm.
type overflow struct{ membership.GBell }

func (overflow) LogGrades(dst, x, p []float64) {
	for i, v := range x {
		dst[i] = -math.Log1p(math.Pow(math.Abs((v-p[2])/p[0]), 2*p[1]))
	}
}

// unsorted rotates its parameters with each projection.
type unsorted struct{ membership.Triangular }

func (unsorted) Project(p [][]float64) {
	for i := range p[0] {
		p[0][i], p[1][i], p[2][i] = p[1][i], p[2][i], p[0][i]
	}
}

// restless moves parameters within the domain.
type restless struct{ membership.Triangular }

func (r restless) Project(p [][]float64) {
	r.Triangular.Project(p)
	for i, v := range p[2] {
		p[2][i] = math.Ceil(v)
	}
}

// notInPlace reads its input after overwriting it.
type notInPlace struct{ membership.Gaussian }

func (g notInPlace) Grades(dst, x, p []float64) {
	clear(dst)
	g.Gaussian.Grades(dst, x, p)
}

// oneTooFew divides a range into one function less than requested.
type oneTooFew struct{ membership.Trapezoid }

func (o oneTooFew) Partition(low, high float64, n int) [][]float64 {
	return o.Trapezoid.Partition(low, high, n)[1:]
}

// descending divides a range from the highest to the lowest function.
type descending struct{ membership.Trapezoid }

func (d descending) Partition(low, high float64, n int) [][]float64 {
	p := d.Trapezoid.Partition(low, high, n)
	slices.Reverse(p)
	return p
}

// gap covers the lower half of the range only.
type gap struct{ membership.Trapezoid }

func (g gap) Partition(low, high float64, n int) [][]float64 {
	return g.Trapezoid.Partition(low, (low+high)/2, n)
}

// nameless has no name.
type nameless struct{ membership.Gaussian }

func (nameless) Name() string { return "" }

// twins has two parameters with the same name.
type twins struct{ membership.Gaussian }

func (t twins) Params() []membership.Param {
	p := t.Gaussian.Params()
	p[1].Name = p[0].Name
	return p
}

// tooMany places one parameter more than it describes.
type tooMany struct{ membership.Gaussian }

func (t tooMany) Place(center, spread float64) []float64 {
	return append(t.Gaussian.Place(center, spread), 0)
}

// uselessLog has gradients of a logarithm without the logarithm.
type uselessLog struct{ membership.Triangular }

func (uselessLog) LogGradients(dst [][]float64, x, p []float64) {}

// displaced has the grade 1/2 half a spread outside.
type displaced struct{ membership.Sigmoid }

func (s displaced) Between(low, high, spread float64) []float64 {
	return s.Sigmoid.Between(low-spread/2, high+spread/2, spread)
}

// blunt has flanks of twice the width.
type blunt struct{ membership.Gauss2 }

func (b blunt) Between(low, high, spread float64) []float64 {
	return b.Gauss2.Between(low, high, 2*spread)
}

// heavyTail never falls below 1e-6.
type heavyTail struct{ membership.Sigmoid }

func (h heavyTail) Grades(dst, x, p []float64) {
	h.Sigmoid.Grades(dst, x, p)
	for i, v := range dst {
		dst[i] = max(v, 1e-6)
	}
}

// sunken is at most 0.8.
type sunken struct{ membership.Trapezoid }

func (s sunken) Grades(dst, x, p []float64) {
	s.Trapezoid.Grades(dst, x, p)
	for i, v := range dst {
		dst[i] = min(v, 0.8)
	}
}

// closed takes an open border for a distant one.
type closed struct{ membership.PSigmoid }

func (c closed) Between(low, high, spread float64) []float64 {
	return c.PSigmoid.Between(max(low, -1e3), min(high, 1e3), spread)
}

// infinite keeps an infinite border.
type infinite struct{ membership.Sigmoid }

func (i infinite) Between(low, high, spread float64) []float64 {
	p := i.Sigmoid.Between(low, high, spread)
	p[0], p[2] = low, high
	return p
}

// drifting moves its open borders.
type drifting struct{ membership.DSigmoid }

func (f drifting) Gradients(dst [][]float64, x, p []float64) {
	f.DSigmoid.Gradients(dst, x, p)
	for i := range x {
		dst[1][i] += 1e-3
	}
}

// crossed has shoulders in the wrong order.
type crossed struct{ membership.Pi }

func (c crossed) Between(low, high, spread float64) []float64 {
	p := c.Pi.Between(low, high, spread)
	p[1], p[2] = p[2], p[1]
	return p
}

// twoBorders returns the borders only.
type twoBorders struct{ membership.Gauss2 }

func (twoBorders) Between(low, high, spread float64) []float64 { return []float64{low, high} }

// overlapping calls the shoulders of Gauss2 borders.
type overlapping struct{ membership.Gauss2 }

func (overlapping) Borders() (lower, upper []int) { return []int{1, 0}, []int{3, 2} }

// steeper is steeper in a narrow interval.
type steeper struct{ membership.Sigmoid }

func (s steeper) Between(low, high, spread float64) []float64 {
	return s.Sigmoid.Between(low, high, min(spread, high-low))
}

// swappedBorder matches a position with a spread.
type swappedBorder struct{ membership.Sigmoid }

func (swappedBorder) Borders() (lower, upper []int) { return []int{0, 1}, []int{3, 2} }

// halfBorder omits the spreads.
type halfBorder struct{ membership.Sigmoid }

func (halfBorder) Borders() (lower, upper []int) { return []int{0}, []int{2} }

// uneven places borders that differ by a rounding error.
type uneven struct{ membership.Sigmoid }

func (u uneven) Between(low, high, spread float64) []float64 {
	p := u.Sigmoid.Between(low, high, spread)
	p[1] = math.Nextafter(p[1], 2*p[1])
	return p
}

// altered is any shape with a fault in its derivative by one parameter, its
// expression, or its grades. It keeps its kinks and its domain.
type altered struct {
	membership.Function
	derivative        int     // of this parameter, one percent too large; -1: none
	expression, grade float64 // factors
}

func (a altered) Gradients(dst [][]float64, x, p []float64) {
	a.Function.(membership.Gradients).Gradients(dst, x, p)
	if a.derivative >= 0 {
		for i := range x {
			dst[a.derivative][i] *= 1.01
		}
	}
}

func (a altered) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return b.Mul(b.Const(a.expression), a.Function.Expr(b, x, p))
}

func (a altered) Grades(dst, x, p []float64) {
	a.Function.Grades(dst, x, p)
	for i := range dst {
		dst[i] *= a.grade
	}
}

func (a altered) Kinks(p []float64) []float64 {
	if k, ok := a.Function.(membership.Kinked); ok {
		return k.Kinks(p)
	}
	return nil
}

func (a altered) Project(p [][]float64) {
	if s, ok := a.Function.(membership.Projector); ok {
		s.Project(p)
	}
}
