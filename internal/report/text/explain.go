package text

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// A rule has a line of its own if it has at least ownShare of the firing, or if it is among
// the strongest rules that have half of the firing together, at most ownRules.
const (
	ownShare = 0.05
	ownRules = 6

	ownColumns = 20 // columns with a line of their own
)

// WriteExplained writes an explanation: the sum of the contributions of the columns, and that of
// the contributions of the rules.
func WriteExplained(w io.Writer, e *words.Explained) error {
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
	writeColumns(&b, e)
	switch {
	case len(e.Members) > 0:
		if e.Neighbours == nil {
			writeMemberMean(&b, e)
			break
		}
		writeMembers(&b, e)
		fmt.Fprintf(&b, "\nWith neighbours:\n  %12s  mean of the members\n", e.Amount(e.Neighbours.Before))
		writeNeighbours(&b, e)
		writeTotal(&b, e)
	case e.Uncovered:
		b.WriteString("\nNo rule covers it: the training mean stands in.\n")
	default:
		writeContributions(&b, e, func(r words.ExplainedRule) string { return e.Amount(r.Output) })
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeMembers writes the predictions of the members of a committee.
func writeMembers(b *strings.Builder, e *words.Explained) {
	b.WriteString("\nBy member:\n")
	for k, member := range e.Members {
		fmt.Fprintf(b, "  %12s  member %d\n", e.Amount(member.Prediction), k+1)
	}
}

// writeMemberMean writes the predictions of the members and their mean; of logarithms the
// geometric one.
func writeMemberMean(b *strings.Builder, e *words.Explained) {
	writeMembers(b, e)
	mean := "mean"
	if e.Factors() {
		mean = "geometric mean"
	}
	fmt.Fprintf(b, "= %12s  their %s\n", e.Amount(e.Prediction), mean)
}

// writeContributions writes the sum of the rules' contributions, with small ones combined. says
// returns what a rule says.
func writeContributions(b *strings.Builder, e *words.Explained, says func(r words.ExplainedRule) string) {
	start := "training mean"
	if e.Mean == 0 && e.LogOdds {
		start = "even odds"
	}
	fmt.Fprintf(b, "\nBy rule:\n  %12s  %s\n", e.Amount(e.Mean), start)
	others, listed, share, rest := 0, 0.0, 0.0, 0.0
	for i, r := range e.Rules {
		if r.Share < ownShare && (listed >= 0.5 || i >= ownRules) {
			others, share, rest = others+1, share+r.Share, rest+r.Contribution
			continue
		}
		listed += r.Share
		fmt.Fprintf(b, "  %12s  rule %d, %.1f%% of the firing, says %s\n", e.Change(r.Contribution), r.Rule, 100*r.Share, says(r))
		writeAsked(b, r.Words)
	}
	if others > 0 {
		fmt.Fprintf(b, "  %12s  %s, %.1f%% of the firing\n", e.Change(rest), counted(others, "other rule"), 100*share)
	}
	writeNeighbours(b, e)
	writeTotal(b, e)
}

// writeTotal writes the change by the limits, if any, and the prediction.
func writeTotal(b *strings.Builder, e *words.Explained) {
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
func writeAsked(b *strings.Builder, asked []words.Asked) {
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

// byEffect returns the columns, and separately those at the end, at least two, that contribute
// exactly nothing.
func byEffect(columns []words.ColumnPart) (some, none []words.ColumnPart) {
	n := len(columns)
	for n > 0 && columns[n-1].Contribution == 0 && columns[n-1].StandardError == nil {
		n--
	}
	if len(columns)-n < 2 {
		return columns, nil
	}
	return columns[:n], columns[n:]
}

// writeColumns writes the sum of the contributions of the columns, with small ones of a wide
// table combined.
func writeColumns(b *strings.Builder, e *words.Explained) {
	mean := "mean prediction"
	switch {
	case e.LogOdds:
		mean = "mean log odds"
	case e.Factors():
		mean = "geometric mean of the predictions"
	}
	fmt.Fprintf(b, "By column:\n  %12s  %s for %s\n", e.Amount(e.Background.Mean), mean, counted(e.Background.Rows, "background row"))
	others, rest := 0, 0.0
	some, none := byEffect(e.Columns)
	for i, c := range some {
		if i >= ownColumns {
			others, rest = others+1, rest+c.Contribution
			continue
		}
		at := slices.IndexFunc(e.Values, func(cell words.Cell) bool { return cell.Column == c.Column })
		fmt.Fprintf(b, "  %12s  %s %s", e.Change(c.Contribution), escape.Text(c.Column), e.Values[at].Precise())
		if c.StandardError != nil && !e.Exact(*c.StandardError) {
			fmt.Fprintf(b, " (standard error %s)", e.StandardError(*c.StandardError))
		}
		b.WriteString("\n")
	}
	if others > 0 {
		fmt.Fprintf(b, "  %12s  %s\n", e.Change(rest), counted(others, "other column"))
	}
	if none != nil {
		var names []string
		for _, c := range none {
			names = append(names, escape.Text(c.Column))
		}
		fmt.Fprintf(b, "  %12s  %s: no effect\n", e.Change(0), strings.Join(names, ", "))
	}
	if n := e.Neighbours; n != nil {
		fmt.Fprintf(b, "  %12s  similar known rows, see below\n", e.Change(e.Prediction-n.Before))
	}
	fmt.Fprintf(b, "= %12s\n", e.Amount(e.Prediction))
}
