package graph

import (
	"fmt"

	"github.com/tskgraph/tskgraph/rules"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// checkConstraints returns an error if a network with the options would change what rb keeps or
// bounds.
func checkConstraints(o Options, rb *rules.RuleBase) error {
	if o.BatchNorm == nil {
		return nil
	}
	for r := range rb.Rules() {
		if rb.Keeps(r, rules.KeepThen) {
			return fmt.Errorf("%w: batch normalisation changes THEN parts, but that of rule %d is kept", ErrGraph, r+1)
		}
	}
	if rb.Signs != nil {
		return fmt.Errorf("%w: batch normalisation changes slopes, whose signs are bounded", ErrGraph)
	}
	return nil
}

// constrain sets which parameters are kept, and the signs of the slopes, to those of rb, whose
// parameters the network has.
func constrain(n *Network, rb *rules.RuleBase) {
	if kept := rules.Kept(rb); kept != nil {
		for i, marks := range toTensors(&rules.RuleBase{Parameters: *kept}) {
			n.raw[i].keep(marks.Float64s())
		}
	}
	for c := range rb.OutputCount() {
		if one := rb.Output(c); one.Signs != nil {
			n.signs = append(n.signs, one.Signs[1:]...)
		}
		rb.EachBound(c, func(from, to, sign int) {
			first := c * len(rb.Curves[0])
			n.stretches = append(n.stretches, stretch{first + from, first + to, sign})
		})
	}
}

// stretch is the rows of a tensor of curves [C Q,R or 1] that belong to a feature with a sign, from one on to that before another.
type stretch struct{ from, to, sign int }

// projectCurves makes the curves of features with signs monotone, see [rules.Monotone].
func projectCurves(curves *tensor.Dense, stretches []stretch) {
	if len(stretches) == 0 {
		return
	}
	cells, columns := curves.Float64s(), curves.Shape()[1]
	var values []float64
	for _, s := range stretches {
		for k := range columns {
			values = values[:0]
			for q := s.from; q < s.to; q++ {
				values = append(values, cells[q*columns+k])
			}
			rules.Monotone(values, s.sign)
			for i, v := range values {
				cells[(s.from+i)*columns+k] = v
			}
		}
	}
}

// projectSigns sets slopes [C M,R] that the signs [C M] of their rows do not allow to zero.
func projectSigns(slopes []float64, signs []int) {
	if len(signs) == 0 {
		return
	}
	R := len(slopes) / len(signs)
	for i, sign := range signs {
		if sign == 0 {
			continue
		}
		for k, v := range slopes[i*R : (i+1)*R] {
			slopes[i*R+k] = rules.Signed(v, sign)
		}
	}
}

// restore sets the elements of parameters that are kept to their values.
func restore(params []*parameter) {
	for _, p := range params {
		p.restore()
	}
}

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
