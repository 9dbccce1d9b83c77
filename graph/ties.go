package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/rules"
)

// ties sums the gradients of tied membership functions, of which the graph has separate
// copies. Equal copies with equal gradients stay equal, bit for bit, with any solver.
type ties struct {
	groups    [][]int // elements of a [M,R] tensor that are copies of one another
	gradients []tie   // of the antecedents
}

// tie is the gradient of a parameter, by copy and summed.
type tie struct {
	from, to *output
	sums     *tensor.Dense
}

// newTies returns the ties of a rulebase; nil if there are none.
func newTies(rb *rules.RuleBase) *ties {
	var t ties
	for _, g := range rb.TiedGroups() {
		var elements []int
		for _, r := range g.Rules {
			elements = append(elements, g.Feature*rb.Rules()+r)
		}
		t.groups = append(t.groups, elements)
	}
	if t.groups == nil {
		return nil
	}
	return &t
}

// intercept returns the gradients with those of the antecedents replaced by sums, in
// separate tensors, since the graph may share a tensor between two gradients.
func (t *ties) intercept(gradients []*output, params []*tensor.Dense) []*output {
	all := append([]*output(nil), gradients...)
	for j := range len(gradients) - 2 {
		sums := tensor.New(tensor.WithShape(params[j].Shape()...), tensor.Of(tensor.Float64))
		all[j] = &output{value: new(gorgonia.Value)}
		t.gradients = append(t.gradients, tie{gradients[j], all[j], sums})
	}
	return all
}

// sum writes the sums, group by group, after a run.
func (t *ties) sum() {
	for _, g := range t.gradients {
		sums := g.sums.Float64s()
		copy(sums, g.from.floats())
		for _, elements := range t.groups {
			total := 0.0
			for _, i := range elements {
				total += sums[i]
			}
			for _, i := range elements {
				sums[i] = total
			}
		}
		*g.to.value = g.sums
	}
}
