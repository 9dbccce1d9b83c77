package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/rules"
)

// ties sums the gradients of shared antecedent parameters, of which the graph has separate
// copies, and keeps the copies equal, whatever a solver does: AdaBound, for one, may clip
// the steps of copies in different tensors to different bounds.
type ties struct {
	groups    [][]element // copies of one another
	gradients []tie       // of the antecedents
}

// element is element i of antecedent parameter j.
type element struct{ j, i int }

// tie is the gradient of a parameter [M,R], by copy and summed.
type tie struct {
	from, to *output
	sums     *tensor.Dense
}

// newTies returns the ties of a rulebase, nil if there are none, and the gradients with
// those of the antecedents replaced by sums, in separate tensors, since the graph may share
// a tensor between two gradients.
func newTies(rb *rules.RuleBase, gradients []*output, params []*tensor.Dense) (*ties, []*output) {
	if len(rb.Shared()) == 0 {
		return nil, gradients
	}
	t, all := &ties{}, append([]*output(nil), gradients...)
	for j := range rb.Antecedents {
		sums := tensor.New(tensor.WithShape(params[j].Shape()...), tensor.Of(tensor.Float64))
		all[j] = &output{value: new(gorgonia.Value)}
		t.gradients = append(t.gradients, tie{gradients[j], all[j], sums})
	}
	t.group(rb)
	return t, all
}

// group sets the groups to those of the rulebase.
func (t *ties) group(rb *rules.RuleBase) {
	t.groups = nil
	for _, elements := range rb.Shared() {
		var copies []element
		for _, e := range elements {
			copies = append(copies, element{e.Parameter, e.Feature*rb.Rules() + e.Rule})
		}
		t.groups = append(t.groups, copies)
	}
}

// sum writes the sums, group by group, after a run.
func (t *ties) sum() {
	for _, g := range t.gradients {
		copy(g.sums.Float64s(), g.from.floats())
		*g.to.value = g.sums
	}
	for _, copies := range t.groups {
		total := 0.0
		for _, c := range copies {
			total += t.gradients[c.j].sums.Float64s()[c.i]
		}
		for _, c := range copies {
			t.gradients[c.j].sums.Float64s()[c.i] = total
		}
	}
}

// unite sets all copies of a parameter to the first, after an update. The antecedents are
// those that are trained: spreads may be logarithms.
func (t *ties) unite(antecedents [][]float64) {
	for _, copies := range t.groups {
		first := copies[0]
		for _, c := range copies[1:] {
			antecedents[c.j][c.i] = antecedents[first.j][first.i]
		}
	}
}
