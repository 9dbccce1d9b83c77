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
	Met bool `json:"met"`
}

// Explain explains the prediction of a sample x, as [model.Model.Explain] takes it.
func Explain(m *model.Model, x []float64) (*Explained, error) {
	how, err := m.Explain(x)
	if err != nil {
		return nil, err
	}
	e := &Explained{Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Values: valuesOf(m, x), Explanation: *how, description: Describe(m)}
	e.description.spread = (m.Target.Max - m.Target.Min) / 4
	if m.Committee() {
		return e, nil
	}
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
			r.Words = append(r.Words, Asked{c, c.fits(m.RuleBase.IfPart(scaled[0]))})
		}
		e.Rules = append(e.Rules, r)
	}
	return e, nil
}

// toldShare is the share of the firing from which on a rule is told of by itself.
const toldShare = 0.05

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
	others, share, rest := 0, 0.0, 0.0
	for i, r := range e.Rules {
		if i > 0 && r.Share < toldShare {
			others, share, rest = others+1, share+r.Share, rest+r.Contribution
			continue
		}
		fmt.Fprintf(b, "  %12s  rule %d, %.1f%% of the firing, says %s\n", e.change(r.Contribution), r.Rule, 100*r.Share, e.amount(r.Output))
		writeAsked(b, r.Words)
	}
	if others > 0 {
		fmt.Fprintf(b, "  %12s  %s, %.1f%% of the firing\n", e.change(rest), counted(others, "other rule"), 100*share)
	}
	if e.Limit != 0 {
		fmt.Fprintf(b, "  %12s  to keep near the range of the training targets\n", e.change(e.Limit))
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
			fmt.Fprintf(b, "  %12s    %s\n", "", a.text())
		}
	}
	for _, a := range asked {
		if !a.Met {
			fmt.Fprintf(b, "  %12s    not met: %s\n", "", a.text())
		}
	}
}

// writeInputs writes what the columns did, the one that did most first; of a committee,
// on average over the members.
func (e *Explained) writeInputs(b *strings.Builder) error {
	effects := e.effects()
	if len(effects) == 0 {
		return nil
	}
	b.WriteString("\nBy column: what its terms in the THEN formulas add, against the column's mean, and what changes because IF parts ask for it.\n")
	table := newTable(b, 2)
	table.Header([]string{"column", "value", "THEN", "IF"})
	for _, i := range effects {
		value := ""
		for _, c := range e.Values {
			if c.Column == i.Name {
				value = c.value()
			}
		}
		if err := table.Append([]string{plain(i.Name), value, e.change(i.Then), e.change(i.If)}); err != nil {
			return err
		}
	}
	if len(e.Members) == 0 {
		if err := table.Append([]string{"all at their means", "", e.change(e.Bias), ""}); err != nil {
			return err
		}
	}
	return table.Render()
}

func (e *Explained) effects() []model.InputEffect {
	effects := slices.Clone(e.Inputs)
	for _, member := range e.Members {
		for _, i := range member.Inputs {
			at := slices.IndexFunc(effects, func(o model.InputEffect) bool { return o.Name == i.Name })
			if at < 0 {
				at, effects = len(effects), append(effects, model.InputEffect{Name: i.Name})
			}
			effects[at].Then += i.Then / float64(len(e.Members))
			effects[at].If += i.If / float64(len(e.Members))
		}
	}
	slices.SortStableFunc(effects, func(a, b model.InputEffect) int {
		return cmp.Compare(math.Abs(b.Then)+math.Abs(b.If), math.Abs(a.Then)+math.Abs(a.If))
	})
	return effects
}
