// Package membershiptest tests a shape of membership function: the requirements of
// package membership and the properties that its optional methods claim. One line
// tests a shape of any module:
//
//	func TestQuartic(t *testing.T) { membershiptest.Run(t, Quartic{}) }
//
// Run draws functions of the shape and points around them with package rapid, whose
// flags apply: -rapid.checks=N sets the number of draws per claim, -rapid.seed
// repeats a run.
package membershiptest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"pgregory.net/rapid"
)

// Run tests a shape in one subtest per claim:
//
//   - description: the shape has a name, every parameter a name of its own and a
//     meaning, Place returns one value per parameter;
//   - placement: the grade is above 1/2 at the center of a placed function and
//     positive five spreads away; every grade lies in [0, 1];
//   - expression: Expr and Grades agree;
//   - logarithm: LogGrades is finite, agrees with Grades and with LogExpr
//     ([membership.LogFunction]);
//   - gradients: the closed form agrees with central differences of Grades, and
//     is zero at the kinks ([membership.Gradients], [membership.Kinked]);
//   - gradients of logarithms: times the grade they are the gradients
//     ([membership.LogGradients]);
//   - projection: it moves parameters into the domain and does not change those
//     within ([membership.Projector]);
//   - partition: the functions cover the range in increasing order
//     ([membership.Partitioner]);
//   - interval: grade and slope at the borders of an interval; open sides have the grade
//     one and do not change in training ([membership.Between]);
//   - borders: grades on both sides of a border add up to one, with equal parameters
//     ([membership.Bordered]).
//
// A claim about methods that the shape does not have holds. The first claim that does not is the last one
// tested: later ones depend on it. Of a wrong derivative three lines say by which parameter, what each
// method gives, and which one stands alone.
func Run(t *testing.T, f membership.Function) {
	holds := t.Run("description", func(t *testing.T) {
		if err := described(f); err != nil {
			t.Fatal(err)
		}
	})
	for i := 0; holds && i < len(claims); i++ {
		holds = t.Run(claims[i].name, func(t *testing.T) { claims[i].check(t, f) })
	}
}

// claim is a property of a shape. holds returns an error if a function and points around
// it contradict it.
type claim struct {
	name  string
	holds func(f membership.Function, d draw) error
}

var claims = []claim{
	{"placement", placed},
	{"expression", expressed},
	{"logarithm", logarithmAgrees},
	{"gradients", gradientsAgree},
	{"gradients of logarithms", logGradientsAgree},
	{"projection", projected},
	{"partition", partitioned},
	{"interval", covers},
	{"borders", bordered},
}

// check draws functions of the shape and fails the test if one contradicts the claim.
func (c claim) check(t rapid.TB, f membership.Function) {
	t.Helper()
	var fault error // of the simplest draw
	drawing := &silent{TB: t}
	rapid.Check(drawing, func(t *rapid.T) {
		if err := c.holds(f, drawn(t, f)); err != nil {
			fault = err
			t.Fatal(err)
		}
	})
	switch {
	case fault != nil:
		t.Fatal(fault)
	case drawing.failed:
		t.Fatal(drawing.says) // a panic of the shape
	}
}

// silent is a test that keeps the first error and prints nothing: rapid lists everything that it drew.
type silent struct {
	rapid.TB
	says   string
	failed bool
}

func (s *silent) Log(...any)          {}
func (s *silent) Logf(string, ...any) {}
func (s *silent) Fail()               { s.failed = true }
func (s *silent) FailNow()            { s.failed = true }
func (s *silent) Failed() bool        { return s.failed }
func (s *silent) Errorf(format string, args ...any) {
	if !s.failed {
		s.failed, s.says = true, fmt.Sprintf(format, args...)
	}
}

// draw is a membership function, the center and spread of its placement, and points
// around it.
type draw struct {
	p, x           []float64
	center, spread float64
}

// drawn returns a function by Place or from anywhere in the domain, and points around it:
// at random, at its positions, and at its kinks.
func drawn(t *rapid.T, f membership.Function) draw {
	d := draw{
		center: rapid.Float64Range(-5, 5).Draw(t, "center"),
		spread: rapid.Float64Range(0.05, 5).Draw(t, "spread"),
	}
	d.p = f.Place(d.center, d.spread)
	if rapid.Bool().Draw(t, "anywhere") {
		for j, param := range f.Params() {
			d.p[j] = d.anywhere(t, param)
		}
		if s, ok := f.(membership.Projector); ok {
			s.Project(columns(d.p))
		}
	}
	for range 8 {
		d.x = append(d.x, d.center+d.spread*rapid.Float64Range(-12, 12).Draw(t, "x"))
	}
	for j, param := range f.Params() {
		if param.Kind == membership.Position {
			d.x = append(d.x, d.p[j])
		}
	}
	if k, ok := f.(membership.Kinked); ok {
		d.x = append(d.x, k.Kinks(d.p)...)
	}
	return d
}

// anywhere draws a value of the parameter's kind.
func (d draw) anywhere(t *rapid.T, param membership.Param) float64 {
	from := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, param.Name) }
	switch param.Kind {
	case membership.Position:
		return d.center + d.spread*from(-5, 5)
	case membership.Spread:
		return d.spread * math.Exp(from(-2, 2))
	case membership.Slope:
		return from(-10, 10) / d.spread
	case membership.Exponent:
		return from(membership.MinExponent, 10)
	}
	return from(-10, 10)
}

// unit returns the unit of a kind of parameter for a function with this spread.
func (d draw) unit(k membership.Kind) float64 {
	switch k {
	case membership.Slope:
		return 1 / d.spread
	case membership.Exponent, membership.Number:
		return 1
	}
	return d.spread
}

// closeTo reports whether x is within a step of a position, but not on it: a leg or a
// flank may then be shorter than a step.
func (d draw) closeTo(f membership.Function, x float64) bool {
	for j, param := range f.Params() {
		if param.Kind == membership.Position && x != d.p[j] && math.Abs(x-d.p[j]) < 3e-4*d.spread {
			return true
		}
	}
	return false
}

// touches reports whether x is within 1e-20 of a position, but not on it: an expression may
// give a step a width that short.
func (d draw) touches(x float64) bool {
	return slices.ContainsFunc(d.p, func(p float64) bool { return x != p && math.Abs(x-p) < 1e-20 })
}

// columns returns p as the parameters [P][1] of one function, sharing its memory.
func columns(p []float64) [][]float64 {
	c := make([][]float64, len(p))
	for j := range p {
		c[j] = p[j : j+1]
	}
	return c
}
