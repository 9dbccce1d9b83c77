package graph

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

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
				want, err := step.op.Do(step.inputs...)
				if err != nil {
					t.Fatal(err)
				}
				got, expected := cells(*step.value, nil), cells(want, nil)
				for k := range expected {
					if a, b := got[k], expected[k]; a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
						t.Fatalf("%s, %v: %s: element %d is %v, want %v", shape, s, name, k, a, b)
					}
				}
			}
		}
	}
	for _, op := range []string{"gorgonia.elemBinOp", "gorgonia.elemUnaryOp", "*gorgonia.repeatOp", "gorgonia.sumOp", "gorgonia.sliceIncrOp", "gorgonia.concatOp"} {
		if loops[op] < 5 {
			t.Errorf("%d nodes of %s have a loop", loops[op], op)
		}
	}
}
