package words

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrNoTree is wrapped by the errors that say why a model has no tree.
var ErrNoTree = errors.New("no tree")

// Tree is the tree that the rules of a model came from ([rules.RuleBase.Splits]), with the
// borders of the rules as they are: where the strongest functions of the rules on the two sides
// of a split cross. Its borders are hard, those of the rules soft.
type Tree struct {
	Root *Branch `json:"root"`

	// Agreement is the share of the samples that the tree leads to the rule that fires most;
	// nil: it was not measured.
	Agreement *float64 `json:"agreement,omitempty"`
}

// Branch is a node of a [Tree].
type Branch struct {
	// condition of the samples that the split above leads here, such as "age is at least 28 days"; empty for the root
	When    string `json:"when,omitempty"`
	Rule    int    `json:"rule,omitempty"` // of a leaf: its number
	Samples int    `json:"samples"`        // that the tree leads here
	// of a leaf: the mean of the rule's THEN formula, weighted by its firing, if it was measured
	Output   *float64  `json:"output,omitempty"`
	Response []float64 `json:"response,omitempty"` // [J] of a leaf: the mean of the response to the rule alone, likewise
	Says     string    `json:"says,omitempty"`     // of a leaf: such as "rule 3: NO2 is about 3.9 (12% of the samples)"
	Sides    []*Branch `json:"sides,omitempty"`    // below and above, of a split

	input  int       // of the rules, of a split by a number
	border float64   // in the scale of the antecedents: samples at it or above belong to the second side
	ones   []int     // of a split by a category: the indicators of the levels of the second side
	half   []float64 // the value between zero and one of each, in the scale of the antecedents
}

// leastAgreement is the share of the samples below which the tree is not that of the rules.
const leastAgreement = 0.8

// newTree returns the tree of a rulebase, or an error that says why it has none.
func newTree(m *model.Model, columns []group) (*Tree, error) {
	rb := m.RuleBase
	if rb.Rules() == 1 {
		return nil, fmt.Errorf("%w: there is a single rule", ErrNoTree)
	}
	if rb.Splits == nil {
		return nil, fmt.Errorf("%w: the rules did not start from one; train with model.init tree", ErrNoTree)
	}
	all := make([]int, rb.Rules())
	for r := range all {
		all[r] = r
	}
	root, err := newBranch(m, columns, all)
	if err != nil {
		return nil, err
	}
	return &Tree{Root: root}, nil
}

// newBranch returns the branch of some rules, in increasing order.
func newBranch(m *model.Model, columns []group, some []int) (*Branch, error) {
	if len(some) == 1 {
		return &Branch{Rule: some[0] + 1, Says: named(numbered(some))}, nil
	}
	at := slices.IndexFunc(m.RuleBase.Splits, func(s rules.Split) bool {
		return len(s.Below) > 0 && len(s.Above) > 0 && slices.Equal(slices.Sorted(slices.Values(slices.Concat(s.Below, s.Above))), some)
	})
	if at < 0 {
		return nil, fmt.Errorf("%w: rules were merged across its splits, so that none divides %s", ErrNoTree, named(numbered(some)))
	}
	s := m.RuleBase.Splits[at]
	b := &Branch{input: s.Feature}
	for _, side := range [][]int{s.Below, s.Above} {
		branch, err := newBranch(m, columns, side)
		if err != nil {
			return nil, err
		}
		b.Sides = append(b.Sides, branch)
	}
	g := columns[slices.IndexFunc(columns, func(g group) bool { return slices.Contains(g.inputs, s.Feature) })]
	if g.column.Nominal() {
		divideLevels(b, g, s)
		return b, nil
	}
	return b, divideNumbers(b, m, g, s)
}

// numbered returns the numbers of rules, from 1.
func numbered(some []int) []int {
	all := make([]int, len(some))
	for i, r := range some {
		all[i] = r + 1
	}
	return all
}

// WriteTree writes the tree that the rules came from, indented, with a line per condition and
// per rule. Its error wraps [ErrNoTree] if there is none; of a committee, if no member has one.
func WriteTree(w io.Writer, d Description) error {
	var all []string
	members, trees := d.Members, 0
	if len(members) == 0 {
		members = []Description{d}
	}
	for i, one := range members {
		if len(d.Members) > 0 {
			all = append(all, fmt.Sprintf("Member %d of %d", i+1, len(members)))
		}
		if one.Tree == nil {
			all = append(all, one.noTree.Error()+".")
		} else {
			trees++
			all = append(all, one.Tree.String(), one.Tree.Root.text(""))
		}
	}
	if trees == 0 {
		return members[0].noTree
	}
	_, err := io.WriteString(w, paragraphs(all))
	return err
}

// String says how true the tree is.
func (t *Tree) String() string {
	if t.Agreement == nil {
		return "The tree of the rules. With the training table (--data), show says how often it leads to the rule that fires most."
	}
	return fmt.Sprintf("The tree of the rules: it leads %s of the training samples to the rule that fires most.", percent(*t.Agreement))
}

// text returns the lines of what is below a branch, indented.
func (b *Branch) text(indent string) string {
	if b.Sides == nil {
		return indent + b.Says + "\n"
	}
	text := ""
	for _, side := range b.Sides {
		text += indent + side.When + "\n" + side.text(indent+"    ")
	}
	return text
}

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
		d.Tree, d.noTree = nil, fmt.Errorf("%w: training moved borders across one another, so that it would lead no training sample to rule %d",
			ErrNoTree, r)
		return
	}
	if share < leastAgreement {
		d.Tree, d.noTree = nil, fmt.Errorf("%w: it would lead only %s of the training samples to the rule that fires most", ErrNoTree,
			percent(share))
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
