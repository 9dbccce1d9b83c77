package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/model"
)

// Explained is a prediction and how it came about, for people.
type Explained struct {
	Row    int      `json:"row,omitempty"` // of the table, from 1
	Target string   `json:"target"`
	Unit   string   `json:"unit,omitempty"`
	Actual *float64 `json:"actual,omitempty"` // what the table says; null: nothing
	Values []Cell   `json:"values"`           // the sample, by column
	model.Explanation
	Rules []ExplainedRule `json:"rules,omitempty"` // those of the Explanation, in its order

	description Description
}

// ExplainedRule is the part of a rule in a prediction, and what it asks of the sample in words; of
// components there are none.
type ExplainedRule struct {
	model.RuleShare
	Words []Asked `json:"words,omitempty"`
}

// Asked is a condition of a rule, and whether a sample meets it.
type Asked struct {
	Condition
	Met   bool    `json:"met"`   // the value is among those that the condition names, as printed
	Grade float64 `json:"grade"` // as a share of its largest over the training values, at most 1
}

// Explain explains the prediction of a sample x, as [model.Model.Explain] takes it.
func Explain(m *model.Model, x []float64) (*Explained, error) {
	how, err := m.Explain(x)
	if err != nil {
		return nil, err
	}
	e := &Explained{Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Values: valuesOf(m, x), Explanation: *how}
	e.description = Description{Unit: e.Unit, spread: (m.Target.Max - m.Target.Min) / 4}
	if m.Committee() {
		return e, nil
	}
	e.description.Rules = describe(m).Rules
	scaled, err := m.Scale([][]float64{x})
	if err != nil {
		return nil, err
	}
	words := map[int][]Condition{}
	for _, r := range e.description.Rules {
		words[r.Number] = r.Words
	}
	for _, part := range how.Rules {
		r := ExplainedRule{RuleShare: part}
		for _, c := range words[part.Rule] {
			r.Words = append(r.Words, Asked{c, c.cut.Has(x), min(1, c.grade(m.RuleBase.IfPart(scaled[0])))})
		}
		e.Rules = append(e.Rules, r)
	}
	return e, nil
}

// A rule is told of by itself from toldShare of the firing on; so are the strongest, up to toldRules, that half of
// the firing takes.
const (
	toldShare = 0.05
	toldRules = 6
)

// Write writes the explanation as text.
func (e *Explained) Write(w io.Writer) error {
	var b strings.Builder
	row := ""
	if e.Row > 0 {
		row = fmt.Sprintf("Row %d: ", e.Row)
	}
	fmt.Fprintf(&b, "%s%s is predicted to be %s", row, plain(e.Target), e.amount(e.Prediction)+e.description.unit())
	if e.Actual != nil {
		fmt.Fprintf(&b, "; the table says %s", e.amount(*e.Actual))
	}
	b.WriteString(".\n\n")
	switch {
	case len(e.Members) > 0:
		for k, member := range e.Members {
			fmt.Fprintf(&b, "  %12s  member %d\n", e.amount(member.Prediction), k+1)
		}
		fmt.Fprintf(&b, "= %12s  their mean\n", e.amount(e.Prediction))
	case e.Uncovered:
		b.WriteString("No rule covers it: the training mean stands in.\n")
	default:
		e.writeRules(&b)
	}
	if err := e.writeInputs(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (e *Explained) amount(v float64) string { return near(v, e.description.spread/10) }
func (e *Explained) change(v float64) string { return signed(v, e.description.spread/10) }

// writeRules writes the sum of the parts, small ones together.
func (e *Explained) writeRules(b *strings.Builder) {
	fmt.Fprintf(b, "  %12s  training mean\n", e.amount(e.Mean))
	others, told, share, rest := 0, 0.0, 0.0, 0.0
	for i, r := range e.Rules {
		if r.Share < toldShare && (told >= 0.5 || i >= toldRules) {
			others, share, rest = others+1, share+r.Share, rest+r.Contribution
			continue
		}
		told += r.Share
		fmt.Fprintf(b, "  %12s  rule %d, %.1f%% of the firing, says %s\n", e.change(r.Contribution), r.Rule, 100*r.Share, e.amount(r.Output))
		writeAsked(b, r.Words)
	}
	if others > 0 {
		fmt.Fprintf(b, "  %12s  %s, %.1f%% of the firing\n", e.change(rest), counted(others, "other rule"), 100*share)
	}
	if e.Limit != 0 {
		fmt.Fprintf(b, "  %12s  to keep within the limits of predictions\n", e.change(e.Limit))
	}
	fmt.Fprintf(b, "= %12s\n", e.amount(e.Prediction))
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeAsked writes the conditions that are met, then the others.
func writeAsked(b *strings.Builder, asked []Asked) {
	for _, a := range asked {
		if a.Met {
			fmt.Fprintf(b, "  %12s    %s\n", "", a)
		}
	}
	for _, a := range asked {
		if !a.Met {
			fmt.Fprintf(b, "  %12s    not met (grade %.2f): %s\n", "", a.Grade, a)
		}
	}
}

// writeInputs writes how the prediction depends on the columns, the one it depends on most first.
func (e *Explained) writeInputs(b *strings.Builder) error {
	if len(e.Inputs) == 0 {
		return nil
	}
	b.WriteString("\nBy column: the prediction less its mean while the column takes its training values and the others stay.\nThese changes do not add up.\n")
	table := newTable(b, 2)
	table.Header([]string{"column", "value", "change"})
	inputs := slices.Clone(e.Inputs)
	slices.SortStableFunc(inputs, func(a, b model.InputEffect) int { return cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)) })
	for _, i := range inputs {
		at := slices.IndexFunc(e.Values, func(c Cell) bool { return c.Column == i.Name })
		if err := table.Append([]string{plain(i.Name), e.Values[at].shown(e.Values[at].precisely), e.change(i.Change)}); err != nil {
			return err
		}
	}
	return table.Render()
}
