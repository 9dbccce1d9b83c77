package text

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/describe"
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/internal/texttable"
	"github.com/tskgraph/tskgraph/model"
)

// A rule has a line of its own if it has at least ownShare of the firing, or if it is among
// the strongest rules that have half of the firing together, at most ownRules.
const (
	ownShare = 0.05
	ownRules = 6
)

// WriteExplained writes an explanation: the sum of the rules' contributions, and a table of
// how the prediction depends on the columns.
func WriteExplained(w io.Writer, e *describe.Explained) error {
	var b strings.Builder
	row, unit := "", ""
	if e.Unit != "" {
		unit = " " + escape.Text(e.Unit)
	}
	if e.Row > 0 {
		row = fmt.Sprintf("Row %d: ", e.Row)
	}
	fmt.Fprintf(&b, "%s%s is predicted to be %s", row, escape.Text(e.Target), e.Amount(e.Prediction)+unit)
	if e.Actual != nil {
		fmt.Fprintf(&b, "; the table says %s", e.Amount(*e.Actual))
	}
	b.WriteString(".\n\n")
	switch {
	case len(e.Members) > 0:
		for k, member := range e.Members {
			fmt.Fprintf(&b, "  %12s  member %d\n", e.Amount(member.Prediction), k+1)
		}
		fmt.Fprintf(&b, "= %12s  their mean\n", e.Amount(e.Prediction))
	case e.Uncovered:
		b.WriteString("No rule covers it: the training mean stands in.\n")
	default:
		writeContributions(&b, e)
	}
	if err := writeInputs(&b, e); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeContributions writes the sum of the rules' contributions, with small ones combined.
func writeContributions(b *strings.Builder, e *describe.Explained) {
	fmt.Fprintf(b, "  %12s  training mean\n", e.Amount(e.Mean))
	others, listed, share, rest := 0, 0.0, 0.0, 0.0
	for i, r := range e.Rules {
		if r.Share < ownShare && (listed >= 0.5 || i >= ownRules) {
			others, share, rest = others+1, share+r.Share, rest+r.Contribution
			continue
		}
		listed += r.Share
		fmt.Fprintf(b, "  %12s  rule %d, %.1f%% of the firing, says %s\n", e.Change(r.Contribution), r.Rule, 100*r.Share, e.Amount(r.Output))
		writeAsked(b, r.Words)
	}
	if others > 0 {
		fmt.Fprintf(b, "  %12s  %s, %.1f%% of the firing\n", e.Change(rest), counted(others, "other rule"), 100*share)
	}
	if e.Limit != 0 {
		fmt.Fprintf(b, "  %12s  clipped to the limits of predictions\n", e.Change(e.Limit))
	}
	fmt.Fprintf(b, "= %12s\n", e.Amount(e.Prediction))
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeAsked writes the conditions of a rule, first those that are met.
func writeAsked(b *strings.Builder, asked []describe.Asked) {
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

// writeInputs writes how the prediction depends on the columns, the largest effect first.
func writeInputs(b *strings.Builder, e *describe.Explained) error {
	if len(e.Inputs) == 0 {
		return nil
	}
	b.WriteString("\nBy column: the prediction minus its mean over the training values of the column, with the others unchanged.\nThese changes do not add up.\n")
	table := texttable.New(b, 2)
	table.Header([]string{"column", "value", "change"})
	inputs := slices.Clone(e.Inputs)
	slices.SortStableFunc(inputs, func(a, b model.InputEffect) int { return cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)) })
	for _, i := range inputs {
		at := slices.IndexFunc(e.Values, func(c describe.Cell) bool { return c.Column == i.Name })
		if err := table.Append([]string{escape.Text(i.Name), e.Values[at].Precise(), e.Change(i.Change)}); err != nil {
			return err
		}
	}
	return table.Render()
}
