package graph

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// predictRows is the batch size of the forward-only graph.
const predictRows = 256

// Evaluate runs the network forward and backward on one mini-batch: x [B,M], or [B,2M]
// with Options.TwoParts, mask [B,R] and target [B,C], all row-major, and weight [B]. It
// returns the data part and the penalty of the loss; the gradients of their sum are in
// Params.
//
// A sample whose kept rules all have firing level zero uses all rules. Evaluate skips a
// sample that no rule covers, or whose predictions or loss are not finite; skipped counts
// those of nonzero weight. Every row of mask must keep at least one rule.
func (n *Network) Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error) {
	defer recovered(&err)
	if n.vm == nil {
		return 0, 0, 0, errClosed
	}
	if err := n.net.setX(x); err != nil {
		return 0, 0, 0, err
	}
	if n.norm != nil {
		n.net.normal.setBatch(n.net.z.value.Float64s())
	}
	for _, in := range []struct {
		input
		name   string
		values []float64
	}{{n.net.target, "target", target}, {n.net.mask, "mask", mask}, {n.net.weight, "weight", weight}} {
		if len(in.values) != in.value.Size() {
			return 0, 0, 0, fmt.Errorf("%w: %s has %d values, want %d", ErrGraph, in.name, len(in.values), in.value.Size())
		}
		copy(in.value.Float64s(), in.values)
	}
	if err := n.run(); err != nil {
		return 0, 0, 0, err
	}
	for _, rescue := range []func(row int){n.useAllRules, n.leaveOut} {
		if data = n.net.data.scalar(); numeric.Finite(data) {
			break
		}
		for row := range n.net.B {
			if !n.finite(row) {
				rescue(row)
			}
		}
		if err := n.run(); err != nil {
			return 0, 0, 0, err
		}
	}
	for row, covered := range n.net.covered.floats() {
		if covered != 1 && weight[row] != 0 || n.net.weight.value.Float64s()[row] != weight[row] {
			skipped++
		}
	}
	if n.ties != nil {
		n.ties.sum()
	}
	if n.net.penalty.node != nil {
		penalty = n.net.penalty.scalar()
	}
	return n.net.data.scalar(), penalty, skipped, nil
}

// finite reports whether the outputs of a sample, their squares and their loss are finite.
func (n *Network) finite(row int) bool {
	C := n.net.C
	y, t := n.net.prediction.floats()[row*C:(row+1)*C], n.net.target.value.Float64s()[row*C:(row+1)*C]
	for _, v := range y {
		if !numeric.Finite(v, v*v) {
			return false
		}
	}
	return numeric.Finite(loss.Joint(n.options.Loss, nil).Value(y, t))
}

// Predictions returns the predictions y(x_n) [B,C] of the last Evaluate, with its mask. The
// predictions of a sample that no rule covers are zero.
func (n *Network) Predictions() []float64 { return slices.Clone(n.net.prediction.floats()) }

// Predict returns the predictions of all rules for any number of samples x [N][M], or
// [N][2M] with Options.TwoParts, row-major [N,C], and which samples are covered by a rule.
// The predictions of an uncovered sample are zero, the training mean in centred units; a
// sample with a prediction that is not finite counts as uncovered. Predict runs a forward-only graph over the
// same parameter tensors, in chunks.
func (n *Network) Predict(x [][]float64) (y []float64, covered []bool, err error) {
	defer recovered(&err)
	if n.vm == nil {
		return nil, nil, errClosed
	}
	if n.forward == nil {
		if err := n.buildForward(); err != nil {
			return nil, nil, err
		}
	}
	n.takeLogs()
	width, C := n.forward.width(), n.forward.C
	in := make([]float64, predictRows*width)
	y, covered = make([]float64, len(x)*C), make([]bool, len(x))
	for start := 0; start < len(x); start += predictRows {
		chunk := x[start:min(start+predictRows, len(x))]
		for i, row := range chunk {
			if len(row) != width {
				return nil, nil, fmt.Errorf("%w: sample %d has %d features, want %d", ErrGraph, start+i, len(row), width)
			}
			copy(in[i*width:], row)
		}
		if err := n.forward.setX(in); err != nil {
			return nil, nil, err
		}
		if n.norm != nil {
			n.forward.normal.set(n.forward.z.value.Float64s(), n.norm.all)
		}
		n.forwardVM.Reset()
		if err := n.forwardVM.RunAll(); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrGraph, err)
		}
		predictions, cover := n.forward.prediction.floats(), n.forward.covered.floats()
		for i := range chunk {
			if of := predictions[i*C : (i+1)*C]; cover[i] == 1 && numeric.Finite(of...) {
				copy(y[(start+i)*C:], of)
				covered[start+i] = true
			}
		}
	}
	return y, covered, nil
}

// buildForward builds the forward-only graph.
func (n *Network) buildForward() error {
	o := Options{Engine: n.options.Engine, Batch: predictRows, TwoParts: n.options.TwoParts}
	f, err := newNet(o, n.base, n.params, n.norm, n.own, func(*net) error { return nil })
	if err != nil {
		return err
	}
	vm, err := f.start()
	if err != nil {
		return err
	}
	keep := f.mask.value.Float64s()
	for i := range keep {
		keep[i] = 1
	}
	n.forward, n.forwardVM = f, vm
	return nil
}

// useAllRules sets the DropRule mask of a sample to ones.
func (n *Network) useAllRules(row int) {
	R := n.net.mask.value.Shape()[1]
	for i := range R {
		n.net.mask.value.Float64s()[row*R+i] = 1
	}
}

// leaveOut replaces a sample by one at the origin, with weight zero.
func (n *Network) leaveOut(row int) {
	M := n.net.M
	clear(n.net.x.value.Float64s()[row*M : (row+1)*M])
	clear(n.net.z.value.Float64s()[row*M : (row+1)*M])
	if n.norm != nil {
		clear(n.net.normal.value.Float64s()[row*M : (row+1)*M])
	}
	C := n.net.C
	for c := range C {
		n.net.target.value.Float64s()[row*C+c] = 1 // a target of every loss
	}
	n.net.weight.value.Float64s()[row] = 0
}

// run runs the graph.
func (n *Network) run() error {
	n.vm.Reset()
	if err := n.vm.RunAll(); err != nil {
		return fmt.Errorf("%w: %w", ErrGraph, err)
	}
	return nil
}

func (o *output) scalar() float64 {
	if v, ok := (*o.value).(*gorgonia.F64); ok {
		return float64(*v)
	}
	return (*o.value).Data().(float64)
}

func (o *output) floats() []float64 { return (*o.value).(*tensor.Dense).Float64s() }

// machine runs a graph in the caller's goroutine: each node once, in topological order.
// It allocates nothing itself and, unlike Gorgonia's TapeMachine, starts no goroutine and
// locks no thread. No operation overwrites its inputs, so every node keeps its value until
// the next run, and gradients do not accumulate. From the second run on, elementwise
// operations, sums, repetitions and slices overwrite the values of the first, see [loopOf];
// the others allocate.
//
// The graph must not contain statements (such as gorgonia.Read) and must not be changed
// afterwards.
type machine struct {
	steps  []instruction
	values map[*gorgonia.Node]*gorgonia.Value
}

var _ gorgonia.VM = (*machine)(nil)

// instruction is a node with its inputs.
type instruction struct {
	node   *gorgonia.Node
	op     gorgonia.Op // nil for an input of the graph
	from   []*gorgonia.Value
	inputs []gorgonia.Value // of the current run
	value  *gorgonia.Value

	loop  loop        // nil: op.Do
	out   []float64   // elements of the value of the first run; with a loop only
	cells [][]float64 // elements of the inputs
	room  [][1]float64
}

// newMachine sorts the nodes of a graph.
func newMachine(g *gorgonia.ExprGraph) (*machine, error) {
	sorted, err := gorgonia.Sort(g) // every node before its inputs
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGraph, err)
	}
	m := &machine{values: map[*gorgonia.Node]*gorgonia.Value{}}
	for i := len(sorted) - 1; i >= 0; i-- {
		s := instruction{node: sorted[i], op: sorted[i].Op(), value: new(gorgonia.Value)}
		for from := g.From(s.node.ID()); s.op != nil && from.Next(); {
			s.from = append(s.from, m.values[from.Node().(*gorgonia.Node)])
		}
		s.inputs = make([]gorgonia.Value, len(s.from))
		s.cells, s.room = make([][]float64, len(s.from)), make([][1]float64, len(s.from))
		m.values[s.node] = s.value
		m.steps = append(m.steps, s)
	}
	return m, nil
}

// value returns the address of a node's value; the value is nil before the first run.
func (m *machine) value(n *gorgonia.Node) *gorgonia.Value { return m.values[n] }

// RunAll runs the graph once.
func (m *machine) RunAll() error {
	for i := range m.steps {
		s := &m.steps[i]
		if s.op == nil {
			*s.value = s.node.Value()
			continue
		}
		for j, from := range s.from {
			s.inputs[j] = *from
		}
		if err := s.run(); err != nil {
			return fmt.Errorf("node %v: %w", s.node, err)
		}
	}
	return nil
}

// run computes the value from the inputs.
func (s *instruction) run() (err error) {
	if s.loop != nil && s.look() {
		s.loop(s.out, s.cells)
		return nil
	}
	first := *s.value == nil
	if *s.value, err = s.op.Do(s.inputs...); err != nil || !first {
		return err
	}
	if out, ok := (*s.value).(*tensor.Dense); ok && !out.IsScalar() && s.look() {
		s.loop, s.out = loopOf(s.op, s.inputs, out), cells(out, nil)
		for _, in := range s.cells {
			if s.out == nil || &in[0] == &s.out[0] { // the input itself
				s.loop = nil
			}
		}
	}
	return nil
}

// look finds the elements of the inputs, and reports whether they are contiguous in the
// order of their indices.
func (s *instruction) look() bool {
	for i, in := range s.inputs {
		if s.cells[i] = cells(in, s.room[i][:]); s.cells[i] == nil {
			return false
		}
	}
	return true
}

// Reset does nothing: every run starts from the beginning.
func (m *machine) Reset() {}

// Close does nothing: the machine holds memory only.
func (m *machine) Close() error { return nil }
