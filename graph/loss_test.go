package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
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
	n := testenv.Must(New(p.rb, Options{Engine: engine, Batch: len(p.x), Loss: l, Penalties: p.penalties}))
	defer n.Close()
	data, penalised, _ := p.evaluate(t, n)
	g := testenv.Must(n.Gradients())
	x, target, mask, weight := flat(p.x), p.target, flat(p.mask), p.weight
	if engine == fused {
		testenv.Equal(t, testing.AllocsPerRun(5, func() { n.Evaluate(x, target, mask, weight) }), 0, "allocations")
	}
	return data + penalised, flat(slices.Concat(slices.Concat(g.Antecedents...), g.Consequents))
}

// TestOutputs checks that the outputs of both engines are those of each output alone, with all kinds of curves. Package verify
// compares losses and gradients of several outputs.
func TestOutputs(t *testing.T) {
	for _, shape := range []string{"gaussian", "trapezoid"} {
		for _, curves := range []string{"none", "shared", "own"} {
			p := newProblem(t, shape, 5, 3, 8, true, 0)
			p.setOutputs(3, curves)
			for _, engine := range []string{autodiff, fused} {
				y, _, err := p.on(engine).network(t).Predict(p.x)
				testenv.OK(t, err)
				for c := range 3 {
					alone, _, _ := p.rb.Output(c).Forward(p.x, nil)
					for i, v := range alone {
						if math.Abs(v-y[i*3+c]) > 1e-12 {
							t.Errorf("%s, curves %s, %s: output %d of sample %d is %v, alone %v", shape, curves, engine, c, i, y[i*3+c], v)
						}
					}
				}
			}
		}
	}
}

// setOutputs draws consequents, curves and targets of C outputs.
func (p *problem) setOutputs(C int, curves string) {
	rng := rand.New(rand.NewPCG(3, 4))
	p.rb.SetOutputs(C)
	if curves != "none" {
		rules.AddCurves(p.rb, [][]float64{{-1, 0, 0.5, 1}, nil, {-2, 0.1, 3}}, curves == "own")
	}
	for _, rows := range [][][]float64{p.rb.Consequents, p.rb.Curves, {p.weight}} {
		for _, row := range rows {
			for i := range row {
				row[i] = math.Abs(rng.NormFloat64())
			}
		}
	}
	p.target = make([]float64, C*len(p.x))
	for i := range p.target {
		p.target[i] = rng.NormFloat64()
	}
}

// wide is a shape with the name and the parameters of the Gaussian, whose functions are twice as wide.
type wide struct{ membership.Gaussian }

func doubled(p []float64) []float64 { return []float64{p[0], 2 * p[1]} }

func (w wide) LogGrades(dst, x, p []float64) { w.Gaussian.LogGrades(dst, x, doubled(p)) }

func (w wide) LogExpr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return w.Gaussian.LogExpr(b, x, []membership.Term{p[0], b.Mul(b.Const(2), p[1])})
}

func (w wide) LogGradients(dst [][]float64, x, p []float64) {
	w.Gaussian.LogGradients(dst, x, doubled(p))
	for i := range dst[1] {
		dst[1][i] *= 2
	}
}

// TestShapeWithTheNameOfAnother: the kernels of a shape are not used for another one of its name.
func TestShapeWithTheNameOfAnother(t *testing.T) {
	p := newProblem(t, "gaussian", 4, 3, 6, false, 0)
	p.rb.Shape = wide{}
	want, _, _ := p.on(autodiff).evaluate(t, p.on(autodiff).network(t))
	got, _, _ := p.on(fused).evaluate(t, p.on(fused).network(t))
	if math.Abs(got-want) > 1e-9*want {
		t.Errorf("loss %v with the engine fused, %v with autodiff", got, want)
	}
}
