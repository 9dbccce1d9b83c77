package membership

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestConformance holds every registered shape to what it claims.
func TestConformance(t *testing.T) {
	if len(Names()) == 0 {
		t.Fatal("no shape is registered")
	}
	for _, name := range Names() {
		f, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			if err := describes(f); err != nil {
				t.Error(err)
			}
			for claim, check := range map[string]func(Function, draw) error{
				"placement": placed, "expression": sameByExpression, "logarithm": sameLogarithm,
				"gradients": gradientsAgree, "gradients of logarithms": logGradientsAgree, "projection": projects, "partition": partitions,
			} {
				t.Run(claim, rapid.MakeCheck(func(t *rapid.T) {
					if err := check(f, randomly(t, f)); err != nil {
						t.Fatal(err)
					}
				}))
			}
		})
	}
}

// draw is a membership function, points around it, and where it was placed.
type draw struct {
	p, x           []float64
	center, spread float64
}

// randomly draws a function as Place makes it, or one from anywhere in the
// domain, and points about it: at random, at its positions, and at its kinks.
func randomly(t *rapid.T, f Function) draw {
	d := draw{
		center: rapid.Float64Range(-5, 5).Draw(t, "center"),
		spread: rapid.Float64Range(0.05, 5).Draw(t, "spread"),
	}
	d.p = f.Place(d.center, d.spread)
	if rapid.Bool().Draw(t, "anywhere") {
		for j, param := range f.Params() {
			d.p[j] = d.anywhere(t, param)
		}
		if s, ok := f.(Projector); ok {
			s.Project(columnsOf(d.p))
		}
	}
	for range 8 {
		d.x = append(d.x, d.center+d.spread*rapid.Float64Range(-12, 12).Draw(t, "x"))
	}
	for j, param := range f.Params() {
		if param.Kind == Position {
			d.x = append(d.x, d.p[j])
		}
	}
	if k, ok := f.(Kinked); ok {
		d.x = append(d.x, k.Kinks(d.p)...)
	}
	return d
}

// anywhere draws a value of the parameter's kind.
func (d draw) anywhere(t *rapid.T, param Param) float64 {
	from := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, param.Name) }
	switch param.Kind {
	case Position:
		return d.center + d.spread*from(-5, 5)
	case Spread:
		return d.spread * math.Exp(from(-2, 2))
	case Slope:
		return from(-10, 10) / d.spread
	case Exponent:
		return from(MinExponent, 10)
	}
	panic("no values are known of this kind")
}

// unit is one unit of a kind of parameter, for a function of this spread.
func (d draw) unit(k Kind) float64 {
	switch k {
	case Slope:
		return 1 / d.spread
	case Exponent:
		return 1
	}
	return d.spread
}

func describes(f Function) error {
	seen := map[string]bool{}
	for _, p := range f.Params() {
		if p.Name == "" || p.Meaning == "" || seen[p.Name] {
			return fmt.Errorf("parameter %q: name and meaning are needed, the name once", p.Name)
		}
		seen[p.Name] = true
	}
	if n := len(f.Place(0, 1)); n != len(f.Params()) || n == 0 {
		return fmt.Errorf("Place gives %d parameters, Params describes %d", n, len(f.Params()))
	}
	return nil
}

// placed: a function placed at a center has a high grade there and a positive one
// five spreads away; grades lie in [0, 1], however far away.
func placed(f Function, d draw) error {
	p := f.Place(d.center, d.spread)
	g := []float64{d.center, d.center - 5*d.spread, d.center + 5*d.spread}
	f.Grades(g, g, p) // in place
	if !(g[0] > 0.5 && g[1] > 0 && g[2] > 0) {
		return fmt.Errorf("grade %v at the center, %v and %v five spreads away", g[0], g[1], g[2])
	}
	x := append(slices.Clone(d.x), 1e9, -1e9, 1e300, -1e300)
	g = make([]float64, len(x))
	f.Grades(g, x, d.p)
	for i, v := range g {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("grade %v at %v", v, x[i])
		}
	}
	return nil
}

func sameByExpression(f Function, d draw) error {
	g := make([]float64, len(d.x))
	f.Grades(g, d.x, d.p)
	for i, x := range d.x {
		if e := Evaluate(f, x, d.p); math.Abs(e-g[i]) > 1e-13 {
			return fmt.Errorf("at %v: Expr gives %v, Grades %v", x, e, g[i])
		}
	}
	return nil
}

// sameLogarithm compares logarithms by their absolute error, too: it is the
// relative error of the grade. Far away they are finite.
func sameLogarithm(f Function, d draw) error {
	l, ok := f.(LogFunction)
	if !ok {
		return nil
	}
	x := append(slices.Clone(d.x), 1e9, -1e9)
	g, z := make([]float64, len(x)), slices.Clone(x)
	f.Grades(g, x, d.p)
	l.LogGrades(z, z, d.p) // in place
	for i, x := range x {
		if !(math.Abs(math.Exp(z[i])-g[i]) <= 1e-13) || math.IsInf(z[i], 0) {
			return fmt.Errorf("at %v: LogGrades gives %v with exponential %v, Grades %v", x, z[i], math.Exp(z[i]), g[i])
		}
		if e := EvaluateLog(l, x, d.p); !(math.Abs(e-z[i]) <= 1e-12*math.Abs(z[i])+1e-15) {
			return fmt.Errorf("at %v: LogExpr gives %v, LogGrades %v", x, e, z[i])
		}
	}
	return nil
}

// gradientsAgree holds the closed form against central differences, within an
// error that these estimate themselves, and demands zero at a kink.
func gradientsAgree(f Function, d draw) error {
	c, ok := f.(Gradients)
	if !ok {
		return nil
	}
	var kinks []float64
	if k, ok := f.(Kinked); ok {
		kinks = k.Kinks(d.p)
	}
	got := make([][]float64, len(d.p))
	for j := range got {
		got[j] = make([]float64, len(d.x))
	}
	c.Gradients(got, d.x, d.p)
	for i, x := range d.x {
		for j, param := range f.Params() {
			if slices.Contains(kinks, x) {
				if got[j][i] != 0 {
					return fmt.Errorf("%s: d/d%s = %v at the kink %v, want 0 (p = %v)", f.Name(), param.Name, got[j][i], x, d.p)
				}
				continue
			}
			unit := d.unit(param.Kind)
			if d.closeTo(f, x) {
				continue
			}
			want, within, smooth := difference(f, x, d.p, j, unit)
			if smooth && !(math.Abs(got[j][i]-want) <= within+1e-7/unit) {
				return fmt.Errorf("%s: d/d%s = %v at %v, finite difference %v (p = %v)", f.Name(), param.Name, got[j][i], x, want, d.p)
			}
		}
	}
	return nil
}

// logGradientsAgree: the derivative of log mu times mu is that of mu.
func logGradientsAgree(f Function, d draw) error {
	l, ok := f.(LogGradients)
	if !ok {
		return nil
	}
	mu := make([]float64, len(d.x))
	f.Grades(mu, d.x, d.p)
	got, want := make([][]float64, len(d.p)), make([][]float64, len(d.p))
	for j := range got {
		got[j], want[j] = make([]float64, len(d.x)), make([]float64, len(d.x))
	}
	l.LogGradients(got, d.x, d.p)
	f.(Gradients).Gradients(want, d.x, d.p)
	for j, param := range f.Params() {
		for i, x := range d.x {
			if g, w := mu[i]*got[j][i], want[j][i]; !(math.Abs(g-w) <= 1e-12*math.Abs(w)+1e-300) {
				return fmt.Errorf("%s: dlog/d%s = %v at %v, times the grade %v, want %v (p = %v)", f.Name(), param.Name, got[j][i], x, g, w, d.p)
			}
		}
	}
	return nil
}

// difference returns the derivative by parameter j from central differences,
// extrapolated from two steps, and a bound of its error. smooth is false if there
// is a kink within the steps (the derivatives on either side then differ by as
// much at half the step) or the steps are too coarse for the slope.
func difference(f Function, x float64, p []float64, j int, unit float64) (value, within float64, smooth bool) {
	central := func(h float64) (slope, gap float64) {
		at := func(h float64) float64 {
			q, g := slices.Clone(p), []float64{0}
			q[j] += h
			f.Grades(g, []float64{x}, q)
			return g[0]
		}
		down, middle, up := at(-h), at(0), at(h)
		return (up - down) / (2 * h), math.Abs(up-2*middle+down) / h
	}
	d1, gap1 := central(1e-4 * unit)
	d2, gap2 := central(0.5e-4 * unit)
	smooth = gap2 < 0.6*gap1+0.5e-7/unit && math.Abs(d1) < steepest/unit
	return (4*d2 - d1) / 3, 2 * math.Abs(d1-d2), smooth
}

// steepest is a slope, in grades per unit, that changes the grade by 0.05 in one
// step of the differences.
const steepest = 500

// closeTo tells whether x is as near to a position as the steps are long, but not
// on it: a leg or a flank may then be shorter than a step.
func (d draw) closeTo(f Function, x float64) bool {
	for j, param := range f.Params() {
		if param.Kind == Position && x != d.p[j] && math.Abs(x-d.p[j]) < 3e-4*d.spread {
			return true
		}
	}
	return false
}

// projects: after projection of anything finite the grades are numbers in [0,
// 1], and projecting again changes nothing.
func projects(f Function, d draw) error {
	s, ok := f.(Projector)
	if !ok {
		return nil
	}
	for _, p := range [][]float64{slices.Clone(d.p), slices.Repeat(d.x[:1], len(d.p)), d.x[:len(d.p)], []float64{1e300, -1e300, 0, 1e9}[:len(d.p)]} {
		p = slices.Clone(p)
		s.Project(columnsOf(p))
		once := slices.Clone(p)
		s.Project(columnsOf(p))
		if !slices.Equal(once, p) {
			return fmt.Errorf("projected to %v, again to %v", once, p)
		}
		g := make([]float64, len(d.x))
		f.Grades(g, d.x, p)
		for i, v := range g {
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("grade %v at %v with projected parameters %v", v, d.x[i], p)
			}
		}
	}
	inside := slices.Clone(d.p)
	s.Project(columnsOf(inside))
	if !slices.Equal(inside, d.p) {
		return fmt.Errorf("%v is in the domain, but was moved to %v", d.p, inside)
	}
	return nil
}

// partitions: the functions are as many as asked for, in the domain, ascending, and
// cover all of the range but its ends.
func partitions(f Function, d draw) error {
	s, ok := f.(Partitioner)
	if !ok {
		return nil
	}
	low, high := d.center-d.spread, d.center+d.spread
	for n := 2; n <= 5; n++ {
		functions := s.Partition(low, high, n)
		if len(functions) != n {
			return fmt.Errorf("%d functions instead of %d", len(functions), n)
		}
		x := make([]float64, 99)
		for i := range x {
			x[i] = low + (high-low)*float64(i+1)/100
		}
		highest, before := make([]float64, len(x)), math.Inf(-1)
		for _, p := range functions {
			if s, ok := f.(Projector); ok {
				inside := slices.Clone(p)
				if s.Project(columnsOf(inside)); !slices.Equal(inside, p) {
					return fmt.Errorf("%v is outside the domain", p)
				}
			}
			g := make([]float64, len(x))
			f.Grades(g, x, p)
			mean, sum := 0.0, 0.0
			for i, v := range g {
				highest[i] = max(highest[i], v)
				mean, sum = mean+v*x[i], sum+v
			}
			if mean /= sum; !(mean > before) {
				return fmt.Errorf("function %v lies at %v, the one before at %v", p, mean, before)
			}
			before = mean
		}
		if i := slices.IndexFunc(highest, func(v float64) bool { return !(v > 0) }); i >= 0 {
			return fmt.Errorf("no function of %d covers %v, from %v to %v", n, x[i], low, high)
		}
	}
	return nil
}

// TestConformanceCatches feeds the harness shapes that are wrong in one place.
func TestConformanceCatches(t *testing.T) {
	d := draw{center: 0.3, spread: 1.2, p: []float64{0.3, 1.2}, x: []float64{-1, 0.1, 2}}
	for claim, err := range map[string]error{
		"a wrong sign":           gradientsAgree(wrongSign{}, d),
		"swapped parameters":     gradientsAgree(swapped{}, d),
		"a different expression": sameByExpression(otherExpr{}, d),
		"a different logarithm":  sameLogarithm(otherLog{}, d),
		"a grade above one":      placed(tooHigh{}, d),
		"a leg too short":        placed(shortLegs{}, draw{spread: 1, p: []float64{-1, 0, 1}}),
		"half a derivative at b": gradientsAgree(oneLeg{}, draw{spread: 1, p: []float64{-1, 0, 1}, x: []float64{0.5}}),
		"a derivative at a kink": gradientsAgree(noKink{}, draw{spread: 1, p: []float64{0, 1}, x: []float64{0}}),
		"a missing factor":       gradientsAgree(noFactor{}, draw{spread: 1, p: []float64{1, 2, 0}, x: []float64{0.5}}),
		"a grade left in":        logGradientsAgree(gradeLeftIn{}, d),
		"an overflow far away":   sameLogarithm(overflow{}, draw{p: []float64{1, 50, 0}, x: []float64{1}}),
		"an order that changes":  projects(unsorted{}, draw{p: []float64{2, 1, 3}, x: []float64{5, 4, 3, 2}}),
	} {
		if err == nil {
			t.Errorf("%s was not caught", claim)
		}
	}
}

type wrongSign struct{ Gaussian }

func (w wrongSign) Gradients(dst [][]float64, x, p []float64) {
	w.Gaussian.Gradients(dst, x, p)
	for i := range x {
		dst[1][i] = -dst[1][i]
	}
}

type swapped struct{ Gaussian }

func (s swapped) Gradients(dst [][]float64, x, p []float64) {
	s.Gaussian.Gradients([][]float64{dst[1], dst[0]}, x, p)
}

type otherExpr struct{ Gaussian }

func (o otherExpr) Expr(b Builder, x Term, p []Term) Term {
	return b.Exp(b.Neg(b.Square(b.Div(b.Sub(x, p[0]), p[1]))))
}

type otherLog struct{ Gaussian }

func (o otherLog) LogExpr(b Builder, x Term, p []Term) Term {
	return b.Mul(b.Const(2), o.Gaussian.LogExpr(b, x, p))
}

type tooHigh struct{ Gaussian }

func (g tooHigh) Grades(dst, x, p []float64) {
	for i := range x {
		dst[i] = 1.5
	}
}

type shortLegs struct{ Triangular }

func (shortLegs) Place(center, spread float64) []float64 {
	return []float64{center - 3*spread, center, center + 3*spread}
}

type oneLeg struct{ Triangular }

func (o oneLeg) Gradients(dst [][]float64, x, p []float64) {
	o.Triangular.Gradients(dst, x, p)
	for i, v := range x {
		if v > p[1] {
			dst[1][i] = 0
		}
	}
}

type noKink struct{ Laplace }

func (noKink) Gradients(dst [][]float64, x, p []float64) {
	for i, v := range x {
		d := math.Exp(-math.Abs(v-p[0])/p[1]) / p[1]
		dst[0][i] = math.Copysign(d, v-p[0])
		dst[1][i] = d * math.Abs(v-p[0]) / p[1]
	}
}

type noFactor struct{ GBell }

func (g noFactor) Gradients(dst [][]float64, x, p []float64) {
	g.GBell.Gradients(dst, x, p)
	for i := range x {
		dst[1][i] /= 2
	}
}

type gradeLeftIn struct{ Cauchy }

func (g gradeLeftIn) LogGradients(dst [][]float64, x, p []float64) { g.Gradients(dst, x, p) }

type overflow struct{ GBell }

func (overflow) LogGrades(dst, x, p []float64) {
	for i, v := range x {
		dst[i] = -math.Log1p(math.Pow(math.Abs((v-p[2])/p[0]), 2*p[1]))
	}
}

type unsorted struct{ Triangular }

func (unsorted) Project(p [][]float64) {
	for i := range p[0] {
		p[0][i], p[1][i], p[2][i] = p[1][i], p[2][i], p[0][i]
	}
}
