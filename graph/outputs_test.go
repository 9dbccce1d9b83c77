package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// TestOutputs checks that both engines and the plain loss agree for several outputs, with
// weights of the targets, all penalties and all kinds of curves, and that outputs and
// gradients of the consequents are those of each output alone.
func TestOutputs(t *testing.T) {
	for _, shape := range []string{"gaussian", "trapezoid"} {
		for _, curves := range []string{"none", "shared", "own"} {
			t.Run(fmt.Sprintf("%s, curves %s", shape, curves), func(t *testing.T) {
				p, weights := newProblem(t, shape, 5, 3, 8, true, 0), []float64{1, 0.5, 2}
				p.setOutputs(len(weights), curves)
				p.penalties = penalty.All()
				l := loss.Joint(loss.Squared{}, weights)
				want, wantGradient := p.with(t, autodiff, l)
				data, penalised, _ := p.rb.Loss(p.x, p.target, p.mask, p.weight, l, p.penalties...)
				if math.Abs(want-data-penalised) > 1e-12*want {
					t.Errorf("autodiff %v, plain %v", want, data+penalised)
				}
				got, gradient := p.with(t, fused, l)
				if math.Abs(got-want) > 1e-12*want {
					t.Errorf("fused %v, autodiff %v", got, want)
				}
				for i, g := range gradient {
					if math.Abs(g-wantGradient[i]) > 1e-11 {
						t.Errorf("gradient [%d] fused %v, autodiff %v", i, g, wantGradient[i])
					}
				}
				p.checkOutputs(t, l)
			})
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

// checkOutputs compares the predictions of both engines with those of each output alone.
// Package verify compares the gradients.
func (p *problem) checkOutputs(t *testing.T, l loss.Loss) {
	C := p.rb.OutputCount()
	for _, engine := range []string{autodiff, fused} {
		n, err := New(p.rb, Options{Engine: engine, Batch: len(p.x), Loss: l, Penalties: p.penalties})
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		y, _, err := n.Predict(p.x)
		if err != nil {
			t.Fatal(err)
		}
		for c := range C {
			alone, _, _ := p.rb.Output(c).Forward(p.x, nil)
			for i, v := range alone {
				if math.Abs(v-y[i*C+c]) > 1e-12 {
					t.Errorf("%s: output %d of sample %d is %v, alone %v", engine, c, i, y[i*C+c], v)
				}
			}
		}
	}
}
