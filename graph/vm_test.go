package graph

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// TestMachineAgreesWithTapeMachine checks that the machine gives the same loss,
// predictions and gradients as Gorgonia's TapeMachine.
func TestMachineAgreesWithTapeMachine(t *testing.T) {
	bothEngines(t, func(t *testing.T, engine string) {
		for _, shape := range membership.Names() {
			for _, s := range []struct{ R, M, B int }{{1, 1, 1}, {3, 2, 4}, {32, 13, 5}} {
				t.Run(fmt.Sprintf("%s/R=%d/M=%d/B=%d", shape, s.R, s.M, s.B), func(t *testing.T) {
					p := newProblem(t, shape, s.R, s.M, s.B, true, 0.1).on(engine)
					ours, theirs := p.network(t), p.network(t)
					vm := onTape(theirs)
					defer vm.Close()
					for range 2 {
						p.evaluate(t, ours)
						p.evaluate(t, theirs)
						a, b := ours.net, theirs.net
						if x, y := a.data.scalar(), b.data.scalar(); math.Abs(x-y) > 1e-13*math.Abs(y) {
							t.Errorf("loss %v, on the tape %v", x, y)
						}
						for i, g := range append(a.gradients, &a.prediction) {
							h := append(b.gradients, &b.prediction)[i]
							if e := relativeError([][]float64{g.floats()}, [][]float64{h.floats()}); !(e < 1e-13) {
								t.Errorf("output %d: relative difference %.2g", i, e)
							}
						}
					}
				})
			}
		}
	})
}

// tape is a TapeMachine that writes outputs to where the network reads them.
type tape struct {
	gorgonia.VM
	net *net
}

// onTape moves a network to Gorgonia's TapeMachine.
func onTape(n *Network) gorgonia.VM {
	t := &tape{net: n.net}
	for _, o := range []*output{&n.net.prediction, &n.net.covered, &n.net.data, &n.net.penalty} {
		if o.node == nil {
			continue // no penalties
		}
		o.value = new(gorgonia.Value)
		gorgonia.Read(o.node, o.value)
	}
	for _, g := range n.net.gradients {
		g.value = new(gorgonia.Value)
	}
	t.VM = gorgonia.NewTapeMachine(n.net.graph, gorgonia.BindDualValues(n.net.params...))
	n.vm = t
	return t
}

// RunAll clears the gradients, since the TapeMachine accumulates them, and runs.
func (t *tape) RunAll() error {
	for _, g := range t.net.gradients {
		if *g.value != nil {
			(*g.value).(*tensor.Dense).Zero()
		}
	}
	err := t.VM.RunAll()
	for i, p := range t.net.params {
		*t.net.gradients[i].value, _ = p.Grad()
	}
	return err
}

// TestLoopsAgreeWithOperations checks that each loop agrees with Gorgonia's operation,
// except for the sign of zeros, and that the expensive operations have loops.
func TestLoopsAgreeWithOperations(t *testing.T) {
	loops := map[string]int{}
	for _, shape := range membership.Names() {
		for _, s := range []struct{ R, M, B int }{{1, 1, 1}, {3, 2, 4}, {32, 13, 5}} {
			p := newProblem(t, shape, s.R, s.M, s.B, true, 0.1).on(autodiff)
			n := p.network(t)
			p.evaluate(t, n)
			p.evaluate(t, n)
			m := n.vm.(*machine)
			for i := range m.steps {
				step := &m.steps[i]
				name := fmt.Sprintf("%T %v", step.op, step.op)
				if step.loop == nil {
					continue
				}
				loops[strings.Fields(name)[0]]++
				want := testenv.Must(step.op.Do(step.inputs...))
				got, expected := cells(*step.value, nil), cells(want, nil)
				for k := range expected {
					if a, b := got[k], expected[k]; a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
						t.Fatalf("%s, %v: %s: element %d is %v, want %v", shape, s, name, k, a, b)
					}
				}
			}
		}
	}
	for _, op := range []string{"gorgonia.elemBinOp", "gorgonia.elemUnaryOp", "*gorgonia.repeatOp", "gorgonia.sumOp",
		"gorgonia.sliceIncrOp", "gorgonia.concatOp"} {
		if loops[op] < 5 {
			t.Errorf("%d nodes of %s have a loop", loops[op], op)
		}
	}
}
