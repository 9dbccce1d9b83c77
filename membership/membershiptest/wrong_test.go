package membershiptest

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// TestWrongShapesAreCaught runs every claim on shapes that contradict it.
func TestWrongShapesAreCaught(t *testing.T) {
	quietly(t)
	for _, c := range claims {
		if len(wrongShapes[c.name]) == 0 {
			t.Errorf("%s: no wrong shape", c.name)
		}
		for i, w := range wrongShapes[c.name] {
			if got := failure(t, c, w.shape); !strings.Contains(got, w.says) {
				t.Errorf("%s says of wrong shape %d: %q, not %q", c.name, i, got, w.says)
			}
		}
	}
	twins := changed(membership.Gaussian{}, func(w *wrong) {
		w.params = func() []membership.Param { return slices.Repeat(membership.Gaussian{}.Params()[:1], 2) }
	})
	tooMany := changed(membership.Gaussian{}, func(w *wrong) {
		w.place = func(center, spread float64) []float64 { return []float64{center, spread, 0} }
	})
	for _, w := range []wrongShape{
		{nameless{}, "no name"}, {twins, "unique name"}, {tooMany, "Place returns 3 parameters, Params 2"},
		{uselessLog{}, "requires LogFunction"},
	} {
		testenv.FailsWith(t, described(w.shape), w.says, "the description of %T", w.shape)
	}
}

// TestDisagreement: three lines, and no others, say which method is wrong. The function and the point are fixed: at others, such as
// those where the derivative is nearly zero, differences are not accurate enough to decide, and no method stands alone.
func TestDisagreement(t *testing.T) {
	quietly(t)
	d := draw{p: []float64{0.3, 1.2}, x: []float64{1.1}, center: 0.3, spread: 1.2}
	gaussian := altered{Function: membership.Gaussian{}, derivative: 1, expression: 1, grade: 1}
	for f, want := range map[membership.Function][3]string{
		gaussian:    {"gaussian: wrong d/dsigma at ", "Gradients ", "Gradients stands alone"},
		gradeLeftIn: {"cauchy: wrong d/dc at ", "Gradients ", "LogGradients times the grade stands alone"},
	} {
		holds := gradientsAgree
		if f == gradeLeftIn {
			holds = logGradientsAgree
		}
		at := claim{holds: func(f membership.Function, _ draw) error { return holds(f, d) }}
		lines := strings.Split(strings.TrimSpace(failure(t, at, f)), "\n")
		if len(lines) != 3 || !slices.EqualFunc(lines, want[:], strings.HasPrefix) || !strings.Contains(lines[1], ", differences of Grades ") {
			t.Errorf("%q, want %q", lines, want)
		}
	}
	outside := changed(membership.Gaussian{}, func(w *wrong) { // writes a derivative by a parameter that it does not have
		w.gradients = func(dst [][]float64, _, _ []float64) { dst[2][0] = 1 }
	})
	if got := failure(t, claims[3], outside); !strings.Contains(got, "panic") {
		t.Errorf("a shape that panics: %q", got)
	}
}

// TestEveryShapeIsHeld alters every registered shape, one method at a time, and expects a
// claim to fail.
func TestEveryShapeIsHeld(t *testing.T) {
	quietly(t)
	for _, name := range membership.Names() {
		f := testenv.Must(membership.Lookup(name))
		right := altered{Function: f, derivative: -1, expression: 1, grade: 1}
		low, other := right, right
		low.grade, other.expression = 0.5, 0.999
		faults := map[string][]altered{"placement": {low}, "expression": {other}}
		for j := range f.Params() {
			steep := right
			steep.derivative = j
			faults["gradients"] = append(faults["gradients"], steep)
		}
		for _, c := range claims {
			testenv.Equal(t, failure(t, c, right), "", "%s, unaltered: %s", name, c.name)
			for _, a := range faults[c.name] {
				if failure(t, c, a) == "" {
					t.Errorf("%s: %s does not catch %+v", name, c.name, a)
				}
			}
		}
	}
}

// quietly shortens the failures that a test provokes, keeps them off the disk, and fixes the draws: a few wrong shapes fail at rare ones.
func quietly(t *testing.T) {
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.shrinktime": "1ms", "rapid.seed": "1"} {
		f := flag.Lookup(name)
		before := f.Value.String()
		testenv.OK(t, f.Value.Set(value))
		t.Cleanup(func() {
			testenv.OK(t, f.Value.Set(before))
		})
	}
}

// failure returns the errors of a claim for a shape; "" if it holds.
func failure(t *testing.T, c claim, f membership.Function) string {
	r := &recorder{T: t}
	done := make(chan struct{})
	go func() { // FailNow ends the goroutine
		defer close(done)
		c.check(r, f)
	}()
	<-done
	return r.errors.String()
}

// recorder is a test that records its errors instead of failing.
type recorder struct {
	*testing.T
	errors strings.Builder
	failed bool
}

func (r *recorder) Log(args ...any)                 {}
func (r *recorder) Logf(format string, args ...any) {}
func (r *recorder) Fail()                           { r.failed = true }
func (r *recorder) Failed() bool                    { return r.failed }
func (r *recorder) FailNow()                        { r.Fail(); runtime.Goexit() }
func (r *recorder) Error(args ...any)               { fmt.Fprintln(&r.errors, args...); r.Fail() }
func (r *recorder) Errorf(s string, args ...any)    { r.Error(fmt.Sprintf(s, args...)) }
func (r *recorder) Fatal(args ...any)               { r.Error(args...); r.FailNow() }
func (r *recorder) Fatalf(s string, args ...any)    { r.Errorf(s, args...); r.FailNow() }
