package graph

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
)

// plainMatrix and plainSamples hide the kernel of a penalty.
type (
	plainMatrix  struct{ penalty.OfMatrix }
	plainSamples struct{ penalty.OfSamples }
)

// logCosh is the loss log cosh(y - t).
type logCosh struct{ loss.Squared }

func (logCosh) Value(y, t float64) float64    { return math.Log(math.Cosh(y - t)) }
func (logCosh) Gradient(y, t float64) float64 { return math.Tanh(y - t) }
func (logCosh) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	e := b.Sub(y, t)
	return b.Log(b.Mul(b.Const(0.5), b.Add(b.Exp(e), b.Exp(b.Neg(e)))))
}

// TestLossesAndPenalties checks that both engines agree in value and gradient for any
// loss and any penalties, with and without kernels of their own.
func TestLossesAndPenalties(t *testing.T) {
	var without []penalty.Penalty
	for _, p := range penalty.All() {
		if of, ok := p.(penalty.OfMatrix); ok {
			without = append(without, plainMatrix{of})
		} else {
			without = append(without, plainSamples{p.(penalty.OfSamples)})
		}
	}
	for _, shape := range []string{"gaussian", "trapezoid"} {
		p := newProblem(t, shape, 5, 3, 8, true, 0)
		for _, l := range []loss.Loss{nil, logCosh{}} {
			p.penalties = penalty.All()
			want, wantGradient := p.with(t, autodiff, l)
			wantData, wantPenalty, _ := p.rb.Loss(p.x, p.target, p.mask, p.weight, l, p.penalties...)
			if math.Abs(want-wantData-wantPenalty) > 1e-12 {
				t.Errorf("%s: autodiff %v, plain %v", shape, want, wantData+wantPenalty)
			}
			for _, p.penalties = range [][]penalty.Penalty{penalty.All(), without} {
				got, gradient := p.with(t, fused, l)
				if math.Abs(got-want) > 1e-12 {
					t.Errorf("%s: fused %v, autodiff %v", shape, got, want)
				}
				for i, g := range gradient {
					if math.Abs(g-wantGradient[i]) > 1e-12 {
						t.Errorf("%s, %T: gradient [%d] fused %v, autodiff %v", shape, l, i, g, wantGradient[i])
					}
				}
			}
		}
	}
}

// with evaluates the problem with a loss and returns the loss and the gradient.
func (p *problem) with(t *testing.T, engine string, l loss.Loss) (float64, []float64) {
	t.Helper()
	n, err := New(p.rb, Options{Engine: engine, Batch: len(p.x), Loss: l, Penalties: p.penalties})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	data, penalised, _ := p.evaluate(t, n)
	g, err := n.Gradients()
	if err != nil {
		t.Fatal(err)
	}
	x, target, mask, weight := flat(p.x), p.target, flat(p.mask), p.weight
	if engine == fused {
		if allocations := testing.AllocsPerRun(5, func() { n.Evaluate(x, target, mask, weight) }); allocations != 0 {
			t.Errorf("%v allocations", allocations)
		}
	}
	return data + penalised, flat(slices.Concat(slices.Concat(g.Antecedents...), g.Consequents))
}
