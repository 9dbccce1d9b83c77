package membershiptest

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

// TestWrongShapesAreCaught runs every claim on shapes that contradict it.
func TestWrongShapesAreCaught(t *testing.T) {
	quietly(t)
	wrong := map[string]map[membership.Function]string{ // by claim: shapes and the expected errors
		"placement":               {tooHigh{}: "grade 1.5 at", shortLegs{}: "and 0 five spreads away"},
		"expression":              {otherExpr{}: "Expr gives", notInPlace{}: "in place"},
		"logarithm":               {otherLog{}: "LogExpr gives", overflow{}: "LogGrades gives -Inf"},
		"gradients":               {wrongSign{}: "d/dsigma", swapped{}: "d/d", oneLeg{}: "d/db", noKink{}: "at the kink", noFactor{}: "d/db"},
		"gradients of logarithms": {gradeLeftIn{}: "times the grade"},
		"projection":              {unsorted{}: "again to", restless{}: "is in the domain"},
		"partition":               {oneTooFew{}: "instead of", descending{}: "the one before at", gap{}: "covers"},
		"interval": {
			displaced{}: "at the border", blunt{}: "slope", heavyTail{}: "twenty spreads outside", sunken{}: "within, next to",
			closed{}: "on an open side", infinite{}: "low = -Inf", drifting{}: "d/d", crossed{}: "projected to",
			twoBorders{}: "2 parameters; Params describes 4",
		},
		"borders": {overlapping{}: "below and", steeper{}: "depends on the other border", swappedBorder{}: "of another kind",
			halfBorder{}: "do not divide", uneven{}: "above it"},
	}
	for _, c := range claims {
		if len(wrong[c.name]) == 0 {
			t.Errorf("%s: no wrong shape", c.name)
		}
		for f, says := range wrong[c.name] {
			if got := failure(t, c, f); !strings.Contains(got, says) {
				t.Errorf("%s says of %T: %q, not %q", c.name, f, got, says)
			}
		}
	}
	for f, says := range map[membership.Function]string{
		nameless{}: "no name", twins{}: "unique name", tooMany{}: "Place returns 3 parameters, Params 2", uselessLog{}: "requires LogFunction",
	} {
		if err := described(f); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("the description of %T: %v, not %q", f, err, says)
		}
	}
}

// TestDisagreement: three lines, and no others, say which method is wrong. The function and the point are fixed: at others, such as
// those where the derivative is nearly zero, differences are not accurate enough to decide, and no method stands alone.
func TestDisagreement(t *testing.T) {
	quietly(t)
	d := draw{p: []float64{0.3, 1.2}, x: []float64{1.1}, center: 0.3, spread: 1.2}
	gaussian := altered{Function: membership.Gaussian{}, derivative: 1, expression: 1, grade: 1}
	for f, want := range map[membership.Function][3]string{
		gaussian:      {"gaussian: wrong d/dsigma at ", "Gradients ", "Gradients stands alone"},
		gradeLeftIn{}: {"cauchy: wrong d/dc at ", "Gradients ", "LogGradients times the grade stands alone"},
	} {
		holds := gradientsAgree
		if _, ok := f.(gradeLeftIn); ok {
			holds = logGradientsAgree
		}
		at := claim{holds: func(f membership.Function, _ draw) error { return holds(f, d) }}
		lines := strings.Split(strings.TrimSpace(failure(t, at, f)), "\n")
		if len(lines) != 3 || !slices.EqualFunc(lines, want[:], strings.HasPrefix) || !strings.Contains(lines[1], ", differences of Grades ") {
			t.Errorf("%q, want %q", lines, want)
		}
	}
	if got := failure(t, claims[3], outside{}); !strings.Contains(got, "panic") {
		t.Errorf("a shape that panics: %q", got)
	}
}

// outside writes a derivative by a parameter that it does not have.
type outside struct{ membership.Gaussian }

func (outside) Gradients(dst [][]float64, _, _ []float64) { dst[2][0] = 1 }

// TestEveryShapeIsHeld alters every registered shape, one method at a time, and expects a
// claim to fail.
func TestEveryShapeIsHeld(t *testing.T) {
	quietly(t)
	for _, name := range membership.Names() {
		f, err := membership.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
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
			if got := failure(t, c, right); got != "" {
				t.Errorf("%s, unaltered: %s: %s", name, c.name, got)
			}
			for _, a := range faults[c.name] {
				if failure(t, c, a) == "" {
					t.Errorf("%s: %s does not catch %+v", name, c.name, a)
				}
			}
		}
	}
}

// quietly shortens the failures that a test provokes and keeps them off the disk.
func quietly(t *testing.T) {
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.shrinktime": "1ms"} {
		f := flag.Lookup(name)
		before := f.Value.String()
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := f.Value.Set(before); err != nil {
				t.Error(err)
			}
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
