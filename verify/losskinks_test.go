package verify

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

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
		p, _, err := Draw(membership.Gaussian{}, Case{R: 2, M: 1, B: 4, Loss: loss.Absolute{}, Penalties: penalties}, seeded(1))
		if err != nil {
			t.Fatal(err)
		}
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
		checks, err := Compare(p, []Route{ClosedForm{}, FiniteDifference{}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(checks, func(c Check) bool { return !c.Passed }) {
			t.Errorf("%d penalties: finite differences pass at a kink", len(penalties))
		}
	}
}

// TestKinksOfPenalty checks that finite differences are conclusive for a penalty that
// declares its kinks.
func TestKinksOfPenalty(t *testing.T) {
	racedetector.Skip(t)
	silent := struct{ penalty.OfMatrix }{lasso{penalty.Slopes{Lambda: 0.5}}}
	failures := func(p penalty.Penalty) (failed int) {
		for seed := range uint64(6) {
			c := Case{R: 32, M: 13, B: 2, Penalties: []penalty.Penalty{p}}
			r, err := Shapes([]membership.Function{membership.Gaussian{}}, []Case{c}, seeded(seed))
			if err != nil {
				t.Fatal(err)
			}
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
		if got := smoothSlope(lasso{}, slope, reach(rb.Consequents)); got != want {
			t.Errorf("slope %v: smooth %v", slope, got)
		}
	}
	if got := smoothPenalties(rb); !slices.Equal(got, penalty.All()) {
		t.Errorf("%v are smooth", got)
	}
}
