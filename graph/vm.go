package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

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
