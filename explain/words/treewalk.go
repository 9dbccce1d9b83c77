package words

import (
	"fmt"

	"github.com/tskgraph/tskgraph/model"
)

// leaf returns the leaf to which the tree leads a sample, the inputs of the antecedents, and
// counts it in each branch on the way.
func (b *Branch) leaf(x []float64) *Branch {
	for {
		b.Samples++
		if b.Sides == nil {
			return b
		}
		second := b.ones == nil && x[b.input] >= b.border
		for k, i := range b.ones {
			second = second || x[i] > b.half[k]
		}
		side := b.Sides[0]
		if second {
			side = b.Sides[1]
		}
		b = side
	}
}

// measureTree leads the scaled samples through the tree of a description, and sets what it
// measures. It removes the tree if it leads too few samples to the rule that fires most.
func measureTree(d *Description, m *model.Model, scaled [][]float64) {
	if d.Tree == nil {
		return
	}
	agreed := 0
	for start := 0; start < len(scaled); start += observeRows {
		block := scaled[start:min(start+observeRows, len(scaled))]
		for i, f := range m.RuleBase.FiringLevels(block, nil) {
			r := d.Tree.Root.leaf(m.RuleBase.IfPart(block[i])).Rule - 1
			if top := strongestOf(f); top >= 0 && f[r] == f[top] {
				agreed++
			}
		}
	}
	share := float64(agreed) / float64(len(scaled))
	d.Tree.Agreement = &share
	if r := d.Tree.Root.unreached(d.Rules); r > 0 {
		d.Tree, d.noTree = nil, fmt.Errorf("%w: training moved borders across one another, so that it would lead no training sample to rule %d", ErrNoTree, r)
		return
	}
	if share < leastAgreement {
		d.Tree, d.noTree = nil, fmt.Errorf("%w: it would lead only %s of the training samples to the rule that fires most", ErrNoTree, percent(share))
		return
	}
	d.Tree.Root.setOutputs(d)
}

// unreached returns the number of a rule to which the branch leads no sample, although it fires
// most for some; 0 if there is none.
func (b *Branch) unreached(rules []Rule) int {
	if b.Sides == nil && b.Samples == 0 && rules[b.Rule-1].Samples > 0 {
		return b.Rule
	}
	for _, side := range b.Sides {
		if r := side.unreached(rules); r > 0 {
			return r
		}
	}
	return 0
}

// setOutputs sets the outputs of the leaves, and what they say.
func (b *Branch) setOutputs(d *Description) {
	if b.Sides == nil {
		says := ""
		switch l := d.Rules[b.Rule-1].Local; {
		case l.Response != nil:
			b.Response, says = l.Response, d.Response.summary(l.Response)
		case l.Output != nil:
			b.Output, says = l.Output, plain(d.Target)+" is about "+withUnit(near(*l.Output, d.spread), d.Unit)
		default:
			return
		}
		b.Says += fmt.Sprintf(": %s (%s of the samples)", says, percent(float64(b.Samples)/float64(d.Tree.Root.Samples)))
	}
	for _, side := range b.Sides {
		side.setOutputs(d)
	}
}
