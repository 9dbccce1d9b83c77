package membershiptest

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
)

// expression is the type of Expr and LogExpr.
type expression = func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term

// wrong is a shape with all optional methods; those that Function lacks do nothing.
type wrong struct {
	membership.Function
	params                  func() []membership.Param
	place                   func(center, spread float64) []float64
	grades, logGrades       func(dst, x, p []float64)
	gradients, logGradients func(dst [][]float64, x, p []float64)
	expr, logExpr           expression
	kinks                   func(p []float64) []float64
	project                 func(p [][]float64)
	partition               func(low, high float64, n int) [][]float64
	between                 func(low, high, spread float64) []float64
	borders                 func() (lower, upper []int)
}

func (w *wrong) Params() []membership.Param                     { return w.params() }
func (w *wrong) Place(center, spread float64) []float64         { return w.place(center, spread) }
func (w *wrong) Grades(dst, x, p []float64)                     { w.grades(dst, x, p) }
func (w *wrong) LogGrades(dst, x, p []float64)                  { w.logGrades(dst, x, p) }
func (w *wrong) Gradients(dst [][]float64, x, p []float64)      { w.gradients(dst, x, p) }
func (w *wrong) LogGradients(dst [][]float64, x, p []float64)   { w.logGradients(dst, x, p) }
func (w *wrong) Kinks(p []float64) []float64                    { return w.kinks(p) }
func (w *wrong) Project(p [][]float64)                          { w.project(p) }
func (w *wrong) Partition(low, high float64, n int) [][]float64 { return w.partition(low, high, n) }
func (w *wrong) Between(low, high, spread float64) []float64    { return w.between(low, high, spread) }
func (w *wrong) Borders() (lower, upper []int)                  { return w.borders() }
func (w *wrong) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return w.expr(b, x, p)
}
func (w *wrong) LogExpr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return w.logExpr(b, x, p)
}

// changed returns a shape with other methods, which change sets.
func changed(f membership.Function, change func(w *wrong)) *wrong {
	w := &wrong{Function: f, params: f.Params, place: f.Place, grades: f.Grades, expr: f.Expr,
		gradients: func([][]float64, []float64, []float64) {}, logGradients: func([][]float64, []float64, []float64) {},
		kinks: func([]float64) []float64 { return nil }, project: func([][]float64) {}}
	if g, ok := f.(membership.Gradients); ok {
		w.gradients = g.Gradients
	}
	if l, ok := f.(membership.LogFunction); ok {
		w.logGrades, w.logExpr = l.LogGrades, l.LogExpr
	}
	if l, ok := f.(membership.LogGradients); ok {
		w.logGradients = l.LogGradients
	}
	if k, ok := f.(membership.Kinked); ok {
		w.kinks = k.Kinks
	}
	if p, ok := f.(membership.Projector); ok {
		w.project = p.Project
	}
	if b, ok := f.(membership.Bordered); ok {
		w.borders = b.Borders
	}
	if b, ok := f.(membership.Between); ok {
		w.between = b.Between
	}
	if p, ok := f.(membership.Partitioner); ok {
		w.partition = p.Partition
	}
	change(w)
	return w
}

// each changes every grade.
func (w *wrong) each(change func(v float64) float64) {
	right := w.grades
	w.grades = func(dst, x, p []float64) {
		right(dst, x, p)
		for i, v := range dst {
			dst[i] = change(v)
		}
	}
}

// derivative changes every derivative by parameter j at x.
func (w *wrong) derivative(j int, change func(d, x float64, p []float64) float64) {
	right := w.gradients
	w.gradients = func(dst [][]float64, x, p []float64) {
		right(dst, x, p)
		for i, v := range x {
			dst[j][i] = change(dst[j][i], v, p)
		}
	}
}

// wrongShape is a shape with one error, and what is said of it.
type wrongShape struct {
	shape membership.Function
	says  string
}

// wrongShapes are shapes with one error each, by the claim that catches it.
var wrongShapes = map[string][]wrongShape{
	"placement": {
		{changed(membership.Gaussian{}, func(w *wrong) { w.each(func(float64) float64 { return 1.5 }) }), "grade 1.5 at"},
		{changed(membership.Triangular{}, func(w *wrong) {
			w.place = func(center, spread float64) []float64 { return []float64{center - 3*spread, center, center + 3*spread} }
		}), "and 0 five spreads away"},
	},
	"expression": {
		{changed(membership.Gaussian{}, func(w *wrong) { // of a wider bell
			w.expr = func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				return b.Exp(b.Neg(b.Square(b.Div(b.Sub(x, p[0]), p[1]))))
			}
		}), "Expr gives"},
		{changed(membership.Gaussian{}, func(w *wrong) { // reads its input after overwriting it
			w.grades = func(dst, x, p []float64) { clear(dst); membership.Gaussian{}.Grades(dst, x, p) }
		}), "in place"},
	},
	"logarithm": {
		{changed(membership.Gaussian{}, func(w *wrong) {
			right := w.logExpr
			w.logExpr = func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
				return b.Mul(b.Const(2), right(b, x, p))
			}
		}), "LogExpr gives"},
		{changed(membership.GBell{}, func(w *wrong) { // raises to the power before it takes the logarithm
			w.logGrades = func(dst, x, p []float64) {
				for i, v := range x {
					dst[i] = -math.Log1p(math.Pow(math.Abs((v-p[2])/p[0]), 2*p[1]))
				}
			}
		}), "LogGrades gives -Inf"},
	},
	"gradients": {
		{changed(membership.Gaussian{}, func(w *wrong) { w.derivative(1, func(d, _ float64, _ []float64) float64 { return -d }) }), "d/dsigma"},
		{changed(membership.Gaussian{}, func(w *wrong) {
			w.gradients = func(dst [][]float64, x, p []float64) {
				membership.Gaussian{}.Gradients([][]float64{dst[1], dst[0]}, x, p)
			}
		}), "d/d"},
		{changed(membership.Triangular{}, func(w *wrong) { // omits the right leg
			w.derivative(1, func(d, x float64, p []float64) float64 {
				if x > p[1] {
					return 0
				}
				return d
			})
		}), "d/db"},
		{changed(membership.Laplace{}, func(w *wrong) {
			w.derivative(0, func(_, x float64, p []float64) float64 {
				return math.Copysign(math.Exp(-math.Abs(x-p[0])/p[1])/p[1], x-p[0])
			})
		}), "at the kink"},
		{changed(membership.GBell{}, func(w *wrong) { w.derivative(1, func(d, _ float64, _ []float64) float64 { return d / 2 }) }), "d/db"},
	},
	"gradients of logarithms": {{gradeLeftIn, "times the grade"}},
	"projection": {
		{changed(membership.Triangular{}, func(w *wrong) { // rotates its parameters with each projection
			w.project = func(p [][]float64) {
				for i := range p[0] {
					p[0][i], p[1][i], p[2][i] = p[1][i], p[2][i], p[0][i]
				}
			}
		}), "again to"},
		{changed(membership.Triangular{}, func(w *wrong) { // moves parameters within the domain
			right := w.project
			w.project = func(p [][]float64) {
				right(p)
				for i, v := range p[2] {
					p[2][i] = math.Ceil(v)
				}
			}
		}), "is in the domain"},
	},
	"partition": {
		{changed(membership.Trapezoid{}, func(w *wrong) {
			right := w.partition
			w.partition = func(low, high float64, n int) [][]float64 { return right(low, high, n)[1:] }
		}), "instead of"},
		{changed(membership.Trapezoid{}, func(w *wrong) {
			right := w.partition
			w.partition = func(low, high float64, n int) [][]float64 {
				p := right(low, high, n)
				slices.Reverse(p)
				return p
			}
		}), "the one before at"},
		{changed(membership.Trapezoid{}, func(w *wrong) { // covers the lower half of the range only
			right := w.partition
			w.partition = func(low, high float64, n int) [][]float64 { return right(low, (low+high)/2, n) }
		}), "covers"},
	},
	"interval": {
		{placedBy(membership.Sigmoid{}, func(right covering, low, high, spread float64) []float64 {
			return right(low-spread/2, high+spread/2, spread)
		}), "at the border"},
		{placedBy(membership.Gauss2{}, func(right covering, low, high, spread float64) []float64 { return right(low, high, 2*spread) }), "slope"},
		{changed(membership.Sigmoid{}, func(w *wrong) { w.each(func(v float64) float64 { return max(v, 1e-6) }) }), "twenty spreads outside"},
		{changed(membership.Trapezoid{}, func(w *wrong) { w.each(func(v float64) float64 { return min(v, 0.8) }) }), "within, next to"},
		{placedBy(membership.PSigmoid{}, func(right covering, low, high, spread float64) []float64 { // an open border is a distant one
			return right(max(low, -1e3), min(high, 1e3), spread)
		}), "on an open side"},
		{placedBy(membership.Sigmoid{}, func(right covering, low, high, spread float64) []float64 {
			p := right(low, high, spread)
			p[0], p[2] = low, high
			return p
		}), "low = -Inf"},
		{changed(membership.DSigmoid{}, func(w *wrong) { // moves its open borders
			w.derivative(1, func(d, _ float64, _ []float64) float64 { return d + 1e-3 })
		}), "d/d"},
		{placedBy(membership.Pi{}, func(right covering, low, high, spread float64) []float64 { // shoulders in the wrong order
			p := right(low, high, spread)
			p[1], p[2] = p[2], p[1]
			return p
		}), "projected to"},
		{placedBy(membership.Gauss2{}, func(_ covering, low, high, _ float64) []float64 { return []float64{low, high} }),
			"2 parameters; Params describes 4"},
	},
	"borders": {
		{borderedBy(membership.Gauss2{}, []int{1, 0}, []int{3, 2}), "below and"}, // its shoulders are no borders
		{placedBy(membership.Sigmoid{}, func(right covering, low, high, spread float64) []float64 { // steeper in a narrow interval
			return right(low, high, min(spread, high-low))
		}), "depends on the other border"},
		{borderedBy(membership.Sigmoid{}, []int{0, 1}, []int{3, 2}), "of another kind"}, // a position and a spread
		{borderedBy(membership.Sigmoid{}, []int{0}, []int{2}), "do not divide"},         // omits the spreads
		{placedBy(membership.Sigmoid{}, func(right covering, low, high, spread float64) []float64 { // borders differ by a rounding error
			p := right(low, high, spread)
			p[1] = math.Nextafter(p[1], 2*p[1])
			return p
		}), "above it"},
	},
}

// covering is the type of Between.
type covering = func(low, high, spread float64) []float64

// placedBy returns a shape with another Between, given the right one.
func placedBy(f membership.Function, between func(right covering, low, high, spread float64) []float64) *wrong {
	return changed(f, func(w *wrong) {
		right := w.between
		w.between = func(low, high, spread float64) []float64 { return between(right, low, high, spread) }
	})
}

// borderedBy returns a shape with other Borders.
func borderedBy(f membership.Function, lower, upper []int) *wrong {
	return changed(f, func(w *wrong) { w.borders = func() (l, u []int) { return lower, upper } })
}

// gradeLeftIn returns the derivative of the grade instead of that of its logarithm.
var gradeLeftIn = changed(membership.Cauchy{}, func(w *wrong) { w.logGradients = w.gradients })

// uselessLog has gradients of a logarithm without the logarithm.
type uselessLog struct{ membership.Triangular }

func (uselessLog) LogGradients(dst [][]float64, x, p []float64) {}

// nameless has no name.
type nameless struct{ membership.Gaussian }

func (nameless) Name() string { return "" }

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
