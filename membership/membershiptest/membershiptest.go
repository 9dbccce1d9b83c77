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
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/membership"
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
