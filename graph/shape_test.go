package graph

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

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
