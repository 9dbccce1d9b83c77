package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// machine runs a graph in the caller's goroutine: node after node, each once, in
// topological order. It allocates nothing itself, and unlike Gorgonia's TapeMachine
// starts no goroutine and locks no thread. No operation overwrites its inputs, so
// every node keeps its value until the next run, and gradients do not add up.
//
// The graph must not hold statements (such as gorgonia.Read), nor be changed
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
	inputs []gorgonia.Value // of the present run
	value  *gorgonia.Value
}

// newMachine puts the nodes of a graph in order.
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
		m.values[s.node] = s.value
		m.steps = append(m.steps, s)
	}
	return m, nil
}

// value returns where the value of a node is, nil before the first run.
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
		var err error
		if *s.value, err = s.op.Do(s.inputs...); err != nil {
			return fmt.Errorf("node %v: %w", s.node, err)
		}
	}
	return nil
}

// Reset does nothing: every run starts anew.
func (m *machine) Reset() {}

// Close does nothing: the machine holds memory only.
func (m *machine) Close() error { return nil }
