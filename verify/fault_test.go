package verify

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// doubled is a shape without logarithms whose derivative by a is twice as large.
type doubled struct{ membership.Triangular }

func (d doubled) Gradients(dst [][]float64, x, p []float64) {
	d.Triangular.Gradients(dst, x, p)
	for i := range dst[0] {
		dst[0][i] *= 2
	}
}

// lowered has grades that Expr does not have.
type lowered struct{ membership.Triangular }

func (l lowered) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return b.Square(l.Triangular.Expr(b, x, p))
}

type wrongLoss struct{ loss.Huber }

func (wrongLoss) Name() string                    { return "mine" }
func (w wrongLoss) Gradient(y, t float64) float64 { return 2 * w.Huber.Gradient(y, t) }

type wrongPenalty struct{ penalty.Slopes }

func (wrongPenalty) Name() string { return "mine" }
func (w wrongPenalty) Gradient(dst, v []float64, R int) {
	w.Slopes.Gradient(dst, v, R)
	for i := range dst {
		dst[i] *= 2
	}
}

type wrongNorm struct{ inference.Minimum }

func (wrongNorm) Name() string { return "mine" }
func (w wrongNorm) Gradient(dst, mu []float64) {
	w.Minimum.Gradient(dst, mu)
	for m := range dst {
		dst[m] *= 2
	}
}

// TestFault: a wrong method is named in three lines, with the part of the model that has it and its routes.
func TestFault(t *testing.T) {
	plain := []Case{{R: 1, M: 1, B: 3}, {R: 3, M: 3, B: 12}, Case{R: 3, M: 3, B: 8}.with(false, 0.05)}
	add := func(c Case) []Case { return append(slices.Clone(plain), c) }
	for name, c := range map[string]struct {
		shape membership.Function
		cases []Case
		want  [3]string // the beginning of each line
	}{
		"shape": {doubled{}, plain, [3]string{"triangular: the routes give different derivatives by a", "a[r=",
			"closed form and fused (Gradients) stand alone"}},
		"expression": {lowered{}, plain, [3]string{"triangular: the routes give different values (prediction)", "prediction[n=",
			"autodiff (Expr) stands alone"}},
		"loss": {membership.Triangular{}, add(Case{R: 3, M: 3, B: 8, Loss: wrongLoss{loss.Huber{Delta: 1}}, Penalties: plain[2].Penalties}),
			[3]string{"loss mine: the routes give different derivatives by w", "w[r=", "closed form and fused (Gradient) stand alone"}},
		"penalty": {membership.Triangular{}, add(Case{R: 3, M: 3, B: 8, Penalties: []penalty.Penalty{wrongPenalty{penalty.Slopes{Lambda: 0.3}}}}),
			[3]string{"penalty mine: the routes give different derivatives by w",
				"w[r=", "closed form (Gradient) stands alone"}}, // fused has a kernel
		"t-norm": {membership.Triangular{}, add(Case{R: 3, M: 3, B: 12, Width: 2, TNorm: wrongNorm{}}),
			[3]string{"t-norm mine: the routes give different derivatives by ", "", "closed form and fused (Gradient) stand alone"}},
	} {
		r := testenv.Must(Shapes([]membership.Function{c.shape}, c.cases, seeded(3)))
		if lines := r.Failures(); len(lines) != 3 || r.Passed || r.Err() == nil ||
			!slices.EqualFunc(lines, c.want[:], strings.HasPrefix) {
			t.Errorf("%s:\n%s", name, strings.Join(lines, "\n"))
		}
	}
}

// TestNothingToCheck: arguments without anything to check, and those that cannot be drawn or compared, are errors.
func TestNothingToCheck(t *testing.T) {
	gaussian, one := []membership.Function{membership.Gaussian{}}, []Case{{R: 2, M: 1, B: 4}}
	p, _, err := drawProblem(membership.Gaussian{}, one[0], seeded(1))
	testenv.OK(t, err)
	shapes := func(f []membership.Function, c []Case, rng *rand.Rand) error {
		_, err := Shapes(f, c, rng)
		return err
	}
	compare := func(p *problem, routes []route) error {
		_, err := compareAll(p, routes)
		return err
	}
	changed := func(change func(p *problem)) *problem {
		q := *p
		change(&q)
		return &q
	}
	model := func(x [][]float64, target []float64, rng *rand.Rand) error {
		_, err := Model(p.RuleBase, nil, x, target, nil, rng)
		return err
	}
	constraints := func(f membership.Function, update update) error {
		_, err := constraints(f, "fused", update, seeded(1))
		return err
	}
	for name, err := range map[string]error{
		"no shapes":        shapes(nil, one, seeded(1)),
		"no cases":         shapes(gaussian, nil, seeded(1)),
		"nil shape":        shapes([]membership.Function{nil}, one, seeded(1)),
		"empty case":       shapes(gaussian, []Case{{}}, seeded(1)),
		"no rng":           shapes(gaussian, one, nil),
		"wrong Place":      shapes([]membership.Function{placesOne{}}, one, seeded(1)),
		"panics":           shapes([]membership.Function{panics{}}, one, seeded(1)),
		"no problem":       compare(nil, allRoutes()),
		"no rulebase":      compare(&problem{}, allRoutes()),
		"no routes":        compare(p, nil),
		"nil route":        compare(p, []route{nil, closedForm{}}),
		"no mask":          compare(changed(func(p *problem) { p.Mask = nil }), allRoutes()),
		"no target":        compare(changed(func(p *problem) { p.Target = nil }), allRoutes()),
		"ragged":           compare(changed(func(p *problem) { p.X = [][]float64{{1}, {2}, {3}, {}} }), allRoutes()),
		"model, no rng":    model(p.X, p.Target, nil),
		"model, no rows":   model(nil, nil, seeded(1)),
		"model, no target": model(p.X, nil, seeded(1)),
		"no update":        constraints(membership.Gaussian{}, nil),
		"no shape":         constraints(nil, networkUpdate("fused")),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "verify: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// placesOne returns too few parameters.
type placesOne struct{ membership.Gaussian }

func (placesOne) Place(center, _ float64) []float64 { return []float64{center} }

// panics has an index that is out of range in its closed form.
type panics struct{ membership.Gaussian }

func (panics) Gradients(dst [][]float64, _, _ []float64) { dst[2][0] = 0 }

// lasso is a penalty of the slopes, Lambda sum |w|.
type lasso struct{ penalty.Slopes }

func (l lasso) Value(w []float64, _ int) float64 {
	sum := 0.0
	for _, v := range w {
		sum += l.Lambda * math.Abs(v)
	}
	return sum
}

func (l lasso) Gradient(dst, w []float64, _ int) {
	for i, v := range w {
		dst[i] = math.Copysign(l.Lambda, v)
	}
}

func (l lasso) Kernel(memory, w []float64, R int) (value, factor float64, direction []float64) {
	l.Gradient(memory, w, R)
	return l.Value(w, R), 1, memory
}

func (l lasso) Expr(b penalty.Builder, w penalty.Term, _ int) penalty.Term {
	return b.Mul(b.Const(l.Lambda), b.Sum(b.Abs(w)))
}

func (lasso) Kinks() []float64 { return []float64{0} }

// TestKinksOfLoss checks that a sample whose prediction is at a kink of the loss, or under an
// agreement the output of a rule, is not taken, and that it would make finite differences
// inconclusive.
func TestKinksOfLoss(t *testing.T) {
	silent := struct{ loss.OfOutput }{loss.Absolute{}}
	for _, penalties := range [][]penalty.Penalty{nil, {penalty.Agreement{Alpha: 1}}} {
		p, _, err := drawProblem(membership.Gaussian{}, Case{R: 2, M: 1, B: 4, Loss: loss.Absolute{}, Penalties: penalties}, seeded(1))
		testenv.OK(t, err)
		at, _, _ := p.RuleBase.Forward(p.X[:1], p.Mask[:1])
		if penalties != nil {
			at[0] = p.RuleBase.Consequent(1, p.X[0])
		}
		p.Target[0] = at[0] + 1e-7
		for l, taken := range map[loss.Loss]bool{loss.Absolute{}: false, silent: true} {
			if p.Loss = l; smoothAt(p, sample{p.X[0], p.Target[:1], 1}, p.Mask[0]) != taken {
				t.Errorf("%T, %d penalties: taken %v", l, len(penalties), !taken)
			}
		}
		checks := testenv.Must(compareAll(p, []route{closedForm{}, finiteDifference{}}))
		if !slices.ContainsFunc(checks, func(c Check) bool { return !c.Passed }) {
			t.Errorf("%d penalties: finite differences pass at a kink", len(penalties))
		}
	}
}

// TestKinksOfPenalty checks that finite differences are conclusive for a penalty that
// declares its kinks.
func TestKinksOfPenalty(t *testing.T) {
	testenv.SkipRace(t)
	silent := struct{ penalty.OfMatrix }{lasso{penalty.Slopes{Lambda: 0.5}}}
	failures := func(p penalty.Penalty) (failed int) {
		for seed := range uint64(3) {
			c := Case{R: 32, M: 13, B: 2, Penalties: []penalty.Penalty{p}}
			r := testenv.Must(Shapes([]membership.Function{membership.Gaussian{}}, []Case{c}, seeded(seed)))
			failed += len(r.Failures())
		}
		return failed
	}
	if n := failures(lasso{penalty.Slopes{Lambda: 0.5}}); n > 0 {
		t.Errorf("%d checks fail", n)
	}
	if failures(silent) == 0 {
		t.Error("no check fails with undeclared kinks: the test proves nothing")
	}
}

// TestSmoothPenalties checks that a penalty with a kink at the slopes of a model is omitted.
func TestSmoothPenalties(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{1}}, Targets: []float64{0}})
	for slope, want := range map[float64]bool{0: false, 1: true} {
		rb.Consequents[0][1] = slope
		testenv.Equal(t, smoothSlope(lasso{}, slope, reach(rb.Consequents)), want, "slope %v: smooth", slope)
	}
	testenv.Equal(t, smoothPenalties(rb), penalty.All(), "smooth")
}
