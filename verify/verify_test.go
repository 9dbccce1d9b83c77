package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// registered returns the registered shapes, two of them under the race detector, which is
// slow and only needs concurrent runs.
func registered(t testing.TB) []membership.Function {
	t.Helper()
	var shapes []membership.Function
	names := membership.Names()
	if testenv.Race {
		names = []string{"gaussian", "trapezoid"}
	}
	for _, name := range names {
		f := testenv.Must(membership.Lookup(name))
		shapes = append(shapes, f)
	}
	return shapes
}

// engineTolerance is the largest relative difference of the two engines, which compute the
// same network and only round differently.
const engineTolerance = 1e-10

// TestShapes checks that all routes agree for every registered shape, exact ones to 1e-9
// and finite differences to at most 1e-6, and that no block is always zero. Each shape is
// checked on a different fourth of the cases of losses, since these do not depend on the
// shape, and on a different sixteenth of all cases, by make matrix on all of them.
func TestShapes(t *testing.T) {
	for i, shape := range registered(t) {
		t.Run(shape.Name(), func(t *testing.T) {
			t.Parallel()
			cases := slices.Concat(shapeCases(), curveCases())
			for k, c := range lossCases() {
				if k%4 == i%4 {
					cases = append(cases, c)
				}
			}
			r := testenv.Must(Shapes([]membership.Function{shape}, testenv.Draw(cases, 16, 16, i), seeded(1)))
			for _, line := range r.Failures() {
				t.Error(line)
			}
			for _, c := range r.Checks {
				differences := strings.Contains(c.Pair, "finite difference")
				if c.norm == 0 || !differences && c.MaxRelErr > Tolerance || c.MaxRelErr > Conclusive {
					t.Errorf("%+v", c)
				}
				if c.Pair == "autodiff / fused" && c.MaxRelErr > engineTolerance {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}

// TestMutants checks that every mutant is caught, with its route identified, of every seventh shape, by make matrix of every one.
func TestMutants(t *testing.T) {
	for _, shape := range testenv.Draw(registered(t), 7, 7, 1) {
		t.Run(shape.Name(), func(t *testing.T) {
			t.Parallel()
			catchMutants(t, shape, 20)
		})
	}
}

// TestUnchangedMutantsPass checks that mutants without their mistake pass.
func TestUnchangedMutantsPass(t *testing.T) {
	testenv.SkipRace(t)
	for _, shape := range testenv.Draw(registered(t), 7, 6, 1) {
		same := func(v float64) float64 { return v }
		controls := []route{
			assembly{},
			assembly{replaced: "loss", by: func(b *layers.Builder, n *nodes) { n.addLoss(b) }},
			assembly{replaced: "curves", by: func(b *layers.Builder, n *nodes) { n.outputs = n.withCurves(b, n.Curve) }},
			withShape(autodiff, withExpr(shape, func(right formula) formula { return right })),
			withShape(finiteDifference{}, withGrades(shape, same, same)),
			altered{autodiff, func(*problem) {}},
		}
		if g, ok := shape.(membership.Gradients); ok {
			controls = append(controls, withShape(closedForm{}, changed(shape, func(w *wrongShape) { w.gradients = g.Gradients })),
				closedForm{change: func(*steps) {}})
		}
		for _, c := range append(mutantCases()[:3], Case{R: 3, M: 3, B: 8, Curves: OwnCurves}.withAll()) {
			p, _, err := drawProblem(shape, c, seeded(3))
			testenv.OK(t, err)
			for i, control := range controls {
				checks := testenv.Must(compareAll(p, []route{autodiff, control}))
				for _, c := range checks {
					if !c.Passed {
						t.Errorf("%s, control %d: %s", shape.Name(), i, c.Mismatch)
					}
				}
			}
		}
	}
}

// catchMutants tries the mutants of a shape, at least as many as given.
func catchMutants(t *testing.T, shape membership.Function, atLeast int) {
	t.Helper()
	trials, err := tryMutants(shape, seeded(2))
	if err != nil || len(trials) < atLeast {
		t.Fatalf("%d mutants, %v", len(trials), err)
	}
	for _, trial := range trials {
		if !trial.Caught {
			t.Errorf("%+v", trial)
		}
	}
}

// TestUncaughtMutant checks that a mutant without a mistake is not caught.
func TestUncaughtMutant(t *testing.T) {
	p, _, err := drawProblem(membership.Gaussian{}, mutantCases()[0], seeded(1))
	testenv.OK(t, err)
	s := testenv.Must(solve(p))
	trial, err := try(mutant{"nothing", "nowhere", autodiff}, []solved{s})
	if err != nil || trial.Caught || trial.By != "" {
		t.Errorf("%+v, %v", trial, err)
	}
}

// TestFormulas checks that formulas of every kind pass, including narrow ones and those
// with constants, and that the mutants of three are caught, one of them except by make matrix: a smooth one, a clamped one and
// one of bounded support.
func TestFormulas(t *testing.T) {
	if testenv.Race {
		t.Skip("TestShapes runs the same code")
	}
	mutated := testenv.Draw([]string{"relu(1-abs(x-c)/s)", "1/(1+((x-c)/s)^2)", "clamp(exp(-((x-c)/s)^2), -1, 1)"}, 3, 3, 1)
	for _, expr := range testenv.Draw([]string{
		"1/(1+((x-c)/s)^2)", "exp(-0.5*((x-c)/s)^2)", "tanh(exp(-((x-c)/s)^2))", "sigmoid(2-((x-c)/s)^2)",
		"clamp(exp(-((x-c)/s)^2), -1, 1)", "min(exp(-(x-c)/s), 1)*min(1, exp((x-c)/s))", "max(1/(1+((x-c)/s)^2), 0.5^2)",
		"relu(1-abs(x-c)/s)", "relu(1-abs(x-c)/(10*s))", "(1+cos(pi*clamp((x-c)/(4*s), -1, 1)))/2", "sqrt(1/(1+((x-c)/s)^4))",
	}, 4, 4, 0) {
		t.Run(expr, func(t *testing.T) {
			t.Parallel()
			shape, err := membership.Formula{Name: "f", Expr: expr, Params: []membership.FormulaParam{
				{Name: "c", Init: "center"}, {Name: "s", Init: "spread"},
			}}.Shape()
			testenv.OK(t, err)
			shapes := []membership.Function{shape}
			r := testenv.Must(Shapes(shapes, Cases()[:16], seeded(1)))
			if slices.Contains(mutated, expr) {
				catchMutants(t, shape, 10)
			}
			if err := r.Err(); err != nil {
				t.Errorf("%v\n%s", err, strings.Join(r.Failures(), "\n"))
			}
		})
	}
}

// wrongSigma is the Gaussian with a square missing in Gradients.
type wrongSigma struct{ membership.Gaussian }

func (w wrongSigma) Gradients(dst [][]float64, x, p []float64) {
	w.Gaussian.Gradients(dst, x, p)
	for i, v := range x {
		dst[1][i] /= (v - p[0]) / p[1]
	}
}

// TestWrongClosedForm checks that a mistake in a shape is reported with shape, parameter,
// index, the value by every route, and the route that stands alone.
func TestWrongClosedForm(t *testing.T) {
	r := testenv.Must(Shapes([]membership.Function{wrongSigma{}}, Cases()[:16], seeded(1)))
	line := regexp.MustCompile(`^sigma\[r=\d+,m=\d+\]: autodiff (\S+), fused (\S+), paper (\S+), closed form (\S+), finite difference (\S+)$`)
	failures := r.Failures()
	if len(failures) != 3 || r.Passed || r.Err() == nil {
		t.Fatalf("a wrong closed form: %q", failures)
	}
	if m := line.FindStringSubmatch(failures[1]); m == nil || m[1] != m[2] || m[1] == m[4] ||
		failures[0] != "gaussian: the routes give different derivatives by sigma" || failures[2] != "closed form (Gradients) stands alone" {
		t.Errorf("%q", failures)
	}
	for _, c := range r.Checks {
		if wrong := c.Parameter == "sigma" && strings.Contains(c.Pair, "closed form"); c.Passed == wrong {
			t.Errorf("%s, %s: passed %v", c.Parameter, c.Pair, c.Passed)
		}
	}
}

// TestModel checks rules initialised by clustering of real data.
func TestModel(t *testing.T) {
	testenv.SkipRace(t)
	d, _, err := data.Builtin("friedman1")
	testenv.OK(t, err)
	c := testenv.Must(rules.KMeans(t.Context(), rules.Samples{X: d.X, Y: d.Y}, 5, seeded(1)))
	for _, shape := range testenv.Draw(registered(t), 5, 4, 2) {
		r := testenv.Must(Model(rules.New(shape, c), nil, d.X, d.Y, nil, seeded(1)))
		for _, line := range r.Failures() {
			t.Error(line)
		}
	}
}

// TestReach checks that exactly the samples within reach of a kink are skipped.
func TestReach(t *testing.T) {
	rb := rules.New(membership.Trapezoid{}, &rules.Clusters{Centers: [][]float64{{0, 0}}, Spreads: [][]float64{{1, 1}}, Targets: []float64{0}})
	for _, kink := range []float64{-10, -0.5, 0.5, 10} {
		for distance, want := range map[float64]bool{0: false, 1e-4: false, -1e-4: false, 0.1: true, -0.1: true} {
			testenv.Equal(t, comparableAt(rb, []float64{3, kink + distance}, []float64{1}), want, "%v from the kink %v: comparable", distance, kink)
		}
	}
	rb.Shape = membership.Gaussian{}
	rb.Antecedents = [][][]float64{{{0, 0}}, {{0.01, 0.01}}}
	if comparableAt(rb, []float64{-10, 1}, []float64{1}) || !comparableAt(rb, []float64{-0.1, 0.1}, []float64{1}) {
		t.Error("grades that underflow")
	}
}

// TestCrosses checks changes of sign at zeros and at poles.
func TestCrosses(t *testing.T) {
	for name, f := range map[string]struct {
		value func(float64) []float64
		want  bool
	}{
		"zero":     {func(t float64) []float64 { return []float64{5, t - 0.3} }, true},
		"infinity": {func(t float64) []float64 { return []float64{100 / (t - 0.3)} }, false},
		"neither":  {func(t float64) []float64 { return []float64{1 + t} }, false},
		"there":    {func(t float64) []float64 { return make([]float64, int(2*t)) }, true},
		"far away": {func(t float64) []float64 { return slices.Repeat([]float64{9}, int(2*t)) }, false},
	} {
		testenv.Equal(t, crosses(f.value, 0, 1), f.want, "%s", name)
	}
}

// TestGates checks that the cases contain samples whose kept rules are all zero, and
// samples that no rule covers.
func TestGates(t *testing.T) {
	p, _, err := drawProblem(membership.Trapezoid{}, mutantCases()[2], seeded(1))
	testenv.OK(t, err)
	_, covered, _ := p.RuleBase.Forward(p.X, p.Mask)
	all := p.RuleBase.FiringLevels(p.X, nil)
	rescued := 0
	for n, mask := range p.Mask {
		kept := 0.0
		for r, keep := range mask {
			kept += keep * all[n][r]
		}
		if covered[n] && kept == 0 {
			rescued++
		}
	}
	if rescued == 0 || !slices.Contains(covered, false) || !slices.Contains(covered, true) {
		t.Errorf("%d samples rescued, covered: %v", rescued, covered)
	}
}

// TestDerivative checks that the estimated error bounds the true one and is small.
func TestDerivative(t *testing.T) {
	for name, f := range map[string]struct {
		at       func(float64) float64
		v, slope float64
		error    float64 // at most
	}{
		"exp":   {math.Exp, 1, math.E, 1e-9},
		"sin":   {func(v float64) float64 { return math.Sin(100 * v) }, 0.1, 100 * math.Cos(10), 1e-8},
		"large": {func(v float64) float64 { return v * v }, 1e6, 2e6, 1e-3},
		"flat":  {func(float64) float64 { return 7 }, 0, 0, 1e-9},
	} {
		v := f.v
		d, e := derivative(func() float64 { return f.at(v) }, &v, stepFor(v))
		if math.Abs(d-f.slope) > e || e > f.error || v != f.v {
			t.Errorf("%s: %v +- %.1g, want %v", name, d, e, f.slope)
		}
	}
	v := 1e-7 // a kink within the steps
	if _, e := derivative(func() float64 { return math.Abs(v) }, &v, 1e-4); e < 1e-3 {
		t.Errorf("a kink is not detected: error %v", e)
	}
}

func TestNotANumber(t *testing.T) {
	p, _, err := drawProblem(membership.Gaussian{}, mutantCases()[0], seeded(1))
	testenv.OK(t, err)
	checks, err := compareAll(p, []route{autodiff, altered{closedForm{},
		func(p *problem) { p.Target = slices.Repeat([]float64{math.NaN()}, len(p.X)) }}})
	testenv.OK(t, err)
	r := &Report{Passed: true}
	r.add(checks, 0)
	if c := r.find("gaussian", "loss", "autodiff / closed form"); c.Passed || !math.IsInf(c.MaxRelErr, 1) {
		t.Errorf("%+v", c)
	}
	if text, err := json.Marshal(r); err != nil || !strings.Contains(string(text), `"max_rel_err":null`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestNothingToCompare(t *testing.T) {
	p, _, err := drawProblem(membership.Gaussian{}, mutantCases()[0], seeded(1))
	testenv.OK(t, err)
	p.X, p.Target, p.Weight, p.Mask = nil, nil, nil, nil
	testenv.FailsWith(t, testenv.Err(compareAll(p, allRoutes())), "gaussian")
}

func ExampleShapes() {
	gaussian := []membership.Function{membership.Gaussian{}}
	r, err := Shapes(gaussian, Cases()[:16], rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range r.Checks {
		if c.Pair == "closed form / finite difference" {
			fmt.Println(c.Parameter, c.MaxRelErr < 1e-7, c.Passed)
		}
	}
	// Output:
	// prediction true true
	// loss true true
	// c true true
	// sigma true true
	// w true true
}
