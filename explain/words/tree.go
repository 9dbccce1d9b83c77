package words

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrNoTree is wrapped by the errors that say why a model has no tree.
var ErrNoTree = errors.New("no tree")

// Tree is the tree that the rules of a model came from ([rules.RuleBase.Splits]), with the borders of the rules as they are: where the
// strongest functions of the rules on the two sides of a split cross. Its borders are hard, those of the rules soft.
type Tree struct {
	Root *Branch `json:"root"`

	// Agreement is the share of the samples that the tree leads to the rule that fires most; nil: it was not measured.
	Agreement *float64 `json:"agreement,omitempty"`

	partition int // it is the partitions of this number of pages
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
		return &Branch{Rule: some[0] + 1, Says: namedRules(ruleNumbers(some))}, nil
	}
	at := slices.IndexFunc(m.RuleBase.Splits, func(s rules.Split) bool {
		return len(s.Below) > 0 && len(s.Above) > 0 && slices.Equal(slices.Sorted(slices.Values(slices.Concat(s.Below, s.Above))), some)
	})
	if at < 0 {
		return nil, fmt.Errorf("%w: rules were merged across its splits, so that none divides %s", ErrNoTree, namedRules(ruleNumbers(some)))
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

// divideLevels sets the conditions of the two sides of a split by a category.
func divideLevels(b *Branch, g group, s rules.Split) {
	b.ones = s.Not[0]
	for _, i := range b.ones {
		f := g.seen[slices.Index(g.inputs, i)]
		b.half = append(b.half, f.Antecedent((0.5-f.Mean)/f.SD))
	}
	var sides [2][]columnLevel // below, above
	for k, l := range levelsOf(g, 0) {
		if slices.Contains(s.Not[1], g.inputs[k]) {
			sides[0] = append(sides[0], l)
		} else if slices.Contains(s.Not[0], g.inputs[k]) {
			sides[1] = append(sides[1], l)
		}
	}
	for i := range sides {
		c := Condition{Column: g.column.Name}
		c.among(g.column, nil, sides[i], sides[1-i], true)
		b.Sides[i].When = c.String()
	}
}

// divideNumbers sets the border of a split by a number, and the conditions of its sides.
func divideNumbers(b *Branch, m *model.Model, g group, s rules.Split) error {
	f := g.seen[0]
	at, ok := crossing(m.RuleBase, s, f.Antecedent((f.Min-f.Mean)/f.SD), f.Antecedent((f.Max-f.Mean)/f.SD))
	if !ok {
		return fmt.Errorf("%w: training left no border of %s between %s on one side of a split and %s on the other", ErrNoTree,
			plain(g.column.Name), namedRules(ruleNumbers(s.Below)), namedRules(ruleNumbers(s.Above)))
	}
	v := f.Unscaled(at)
	if shared, ok := sharedBorder(m, g, s); ok {
		v, at = shared, f.Antecedent((shared-f.Mean)/f.SD)
	}
	b.border = at
	if levels := levelsOf(g, m.Training.Sampled()); levels != nil {
		upper := slices.IndexFunc(levels, func(l columnLevel) bool { return l.place >= v })
		if upper > 0 {
			divideFew(b, g, levels, upper)
			return nil
		}
	}
	for i, lower := range []bool{false, true} {
		c := Condition{Column: g.column.Name, Unit: g.column.Unit, numbered: true}
		text, _ := g.known.border(v, lower)
		switch {
		case lower:
			c.Is = "at least " + text
		case g.known.whole:
			c.Is = "at most " + text
		default:
			c.Is = "below " + text
		}
		b.Sides[i].When = c.String()
	}
	return nil
}

// sharedBorder returns the border by which rules on both sides of a split end and begin, in the feature's unit; false if there is none.
func sharedBorder(m *model.Model, g group, s rules.Split) (float64, bool) {
	f, input := g.seen[0], g.inputs[0]
	for _, below := range s.Below {
		_, to, ok := borders(m, below, input, f)
		if !ok || to == nil {
			continue
		}
		for _, above := range s.Above {
			if from, _, ok := borders(m, above, input, f); ok && from != nil && *from == *to {
				return *to, true
			}
		}
	}
	return 0, false
}

// divideFew sets the conditions of the two sides of a split by a column of few values, the second from level upper on.
func divideFew(b *Branch, g group, levels []columnLevel, upper int) {
	below, above := levels[:upper], levels[upper:]
	for i, in := range [][]columnLevel{below, above} {
		c := Condition{Column: g.column.Name, Unit: g.column.Unit}
		c.among(g.column, levels, in, [][]columnLevel{above, below}[i], g.known.all)
		b.Sides[i].When = c.String()
	}
}

// crossing returns the border of a split of a number in the scale of the antecedents: where the largest grade of the rules below falls
// under that of the rules above, the place nearest to the split at the start. low and high are the range of the training values. It returns
// false if there is none within twice that range.
func crossing(rb *rules.RuleBase, s rules.Split, low, high float64) (float64, bool) {
	const steps = 1000
	side := sideOf(rb, s)
	width := float64((high - low) / 2)
	at := func(i int) float64 { return low - width + 2*(high-low)*float64(i)/steps }
	best, found, last := 0.0, false, -1
	for i := range steps + 1 {
		switch side(at(i)) {
		case 1:
			last = i
		case -1:
			if last < 0 {
				continue
			}
			v := float64(lastOnSide(side, at(last), at(i))/2) + float64(lastOnSide(side, at(i), at(last))/2)
			if !found || math.Abs(v-s.Threshold) < math.Abs(best-s.Threshold) {
				best, found = v, true
			}
			last = -1
		}
	}
	return best, found
}

// sideOf returns a function that is 1 at values where a rule below a split has the largest grade
// of all, -1 where one above has, and 0 where they are equal.
func sideOf(rb *rules.RuleBase, s rules.Split) func(v float64) int {
	p, x, grade := make([]float64, len(rb.Antecedents)), make([]float64, 1), make([]float64, 1)
	largest := func(some []int) float64 {
		top := math.Inf(-1)
		for _, r := range some {
			logGrades(rb.Shape, rb.Function(p, r, s.Feature), grade, x)
			top = max(top, grade[0])
		}
		return top
	}
	return func(v float64) int {
		x[0] = v
		return cmp.Compare(largest(s.Below), largest(s.Above))
	}
}

// lastOnSide returns the last value from in towards out on the side of in.
func lastOnSide(side func(v float64) int, in, out float64) float64 {
	of := side(in)
	for range 60 {
		if middle := float64(in/2) + float64(out/2); side(middle) == of {
			in = middle
		} else {
			out = middle
		}
	}
	return in
}

// String says how true the tree is.
func (t *Tree) String() string {
	if t.partition > 1 {
		return "The rules of each page as a tree: it leads every row to the rule whose IF holds."
	}
	if t.partition == 1 {
		return "The rules of the page as a tree: it leads every row to the rule whose IF holds."
	}
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

// leaf returns the leaf to which the tree leads a sample, the inputs of the antecedents, and counts it in each branch on the way.
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

// measure leads the scaled samples through the tree of some rules, and sets what it measures. It is an error if the tree leads
// too few samples to the rule that fires most.
func (t *Tree) measure(m *model.Model, scaled [][]float64, of []Rule, response *Response) error {
	agreed := 0
	eachFiring(m.RuleBase, scaled, func(n int, f []float64) {
		r := t.Root.leaf(m.RuleBase.IfPart(scaled[n])).Rule - 1
		if top := strongestOf(f); top >= 0 && f[r] == f[top] {
			agreed++
		}
	})
	agreement := float64(agreed) / float64(len(scaled))
	if r := t.Root.unreached(of); r > 0 {
		return fmt.Errorf("%w: training moved borders across one another, so that it would lead no training sample to rule %d", ErrNoTree, r)
	}
	if agreement < leastAgreement {
		return fmt.Errorf("%w: it would lead only %s of the training samples to the rule that fires most", ErrNoTree, percent(agreement))
	}
	t.Agreement = &agreement
	t.Root.setOutputs(of, response, t.Root.Samples)
	return nil
}

// unreached returns the number of a rule to which the branch leads no sample, although it fires most for some; 0 if there is none.
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

// setOutputs sets the outputs of the leaves, and what they say, of a tree with a number of samples.
func (b *Branch) setOutputs(of []Rule, response *Response, samples int) {
	for _, side := range b.Sides {
		side.setOutputs(of, response, samples)
	}
	if b.Sides != nil {
		return
	}
	l := of[b.Rule-1].Local
	b.Response, b.Output = l.Response, l.Output
	says := l.Response
	if l.Output != nil {
		says = []float64{*l.Output}
	}
	if says != nil {
		b.Says += fmt.Sprintf(": %s (%s of the samples)", response.summary(says), percent(float64(b.Samples)/float64(samples)))
	}
}
