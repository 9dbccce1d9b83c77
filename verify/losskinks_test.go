package verify

import (
	"math"
	"slices"
	"testing"

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

// TestKinksOfLossAndPenalty checks that finite differences are conclusive for a loss and a
// penalty that declare their kinks.
func TestKinksOfLossAndPenalty(t *testing.T) {
	silentLoss := struct{ loss.OfOutput }{loss.Absolute{}}
	silentPenalty := struct{ penalty.OfMatrix }{lasso{penalty.Slopes{Lambda: 0.5}}}
	failures := func(l loss.Loss, p penalty.Penalty) (failed int) {
		for seed := range uint64(6) {
			c := Case{R: 2, M: 1, B: 400, Loss: l}
			if l == nil {
				c = Case{R: 32, M: 13, B: 2, Penalties: []penalty.Penalty{p}}
			}
			r, err := Shapes([]membership.Function{membership.Gaussian{}}, []Case{c}, seeded(seed))
			if err != nil {
				t.Fatal(err)
			}
			failed += len(r.Failures())
		}
		return failed
	}
	if a, b := failures(loss.Absolute{}, nil), failures(nil, lasso{penalty.Slopes{Lambda: 0.5}}); a+b > 0 {
		t.Errorf("%d and %d checks fail", a, b)
	}
	if a, b := failures(silentLoss, nil), failures(nil, silentPenalty); a == 0 || b == 0 {
		t.Errorf("with undeclared kinks, %d and %d checks fail: the test proves nothing", a, b)
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
