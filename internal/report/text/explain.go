package text

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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

// WriteExplainedResponse writes the explanation of a response: of classes that of the most
// probable one against the second, otherwise that of each output of the rules.
func WriteExplainedResponse(w io.Writer, e *words.ExplainedResponse) error {
	var b strings.Builder
	if e.Row > 0 {
		fmt.Fprintf(&b, "Row %d: ", e.Row)
	}
	b.WriteString(e.Summary())
	if len(e.Actual) > 0 {
		fmt.Fprintf(&b, "; the table says %s", escape.Text(strings.Join(e.Actual, ", ")))
	}
	b.WriteString(".\n")
	switch {
	case e.Uncovered:
		b.WriteString("\nNo rule covers it: what the training part has on the whole stands in.\n")
	case e.Contrast != nil:
		writeContrast(&b, e)
	default:
		for c, one := range e.Outputs {
			writeOutput(&b, e, one, c == 0)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeContrast writes the explanation of the log odds of the two most probable classes.
func writeContrast(b *strings.Builder, e *words.ExplainedResponse) {
	first, second := e.Leading()
	one, names := e.Contrast, e.Response.Classes
	fmt.Fprintf(b, "\nWhat speaks for %s rather than %s, in log odds (+1 multiplies the odds by 2.7):\n\n", escape.Text(names[first]),
		escape.Text(names[second]))
	writeSums(b, e, one, true)
	odds := fmt.Sprintf("odds of %s to 1 for %s against %s", times(one.Prediction), escape.Text(names[first]), escape.Text(names[second]))
	if e.Committee {
		odds += "; the committee predicts the mean of its members' probabilities"
	}
	fmt.Fprintf(b, "\nLog odds of %s are %s.\n", one.Amount(one.Prediction), odds)
}

// times formats the odds of log odds.
func times(logOdds float64) string {
	if logOdds > math.Log(1e6) {
		return "more than a million"
	}
	return strconv.FormatFloat(numeric.Round(math.Exp(logOdds), 3), 'f', -1, 64)
}

// writeOutput writes the explanation of an output; conditions of rules only if asked.
func writeOutput(b *strings.Builder, e *words.ExplainedResponse, one *words.Explained, conditions bool) {
	title := one.Target
	if one.Factors() {
		title = e.Target + ", as a product"
	}
	unit := ""
	if one.Unit != "" {
		unit = " [" + escape.Text(one.Unit) + "]"
	}
	fmt.Fprintf(b, "\n%s%s\n\n", escape.Text(title), unit)
	writeSums(b, e, one, conditions)
}

// writeSums writes the sums of the contributions of columns and of rules or members.
func writeSums(b *strings.Builder, e *words.ExplainedResponse, one *words.Explained, conditions bool) {
	writeColumns(b, one)
	if len(one.Members) > 0 {
		writeMemberMean(b, one)
		return
	}
	shown := *one
	shown.Rules = nil
	for _, r := range one.Rules {
		if !conditions {
			r.Words = nil
		}
		shown.Rules = append(shown.Rules, r)
	}
	says := func(r words.ExplainedRule) string { return one.Amount(r.Output) }
	if e.Contrast != nil {
		says = e.Says
	}
	writeContributions(b, &shown, says)
}

const (
	ownNeighbours = 5 // rows with a line of their own
	ownValues     = 5 // columns of such a row
)

// writeNeighbours writes the part of the neighbours in a prediction, with the nearest rows: their
// values in the columns with the largest contributions.
func writeNeighbours(b *strings.Builder, e *words.Explained) {
	n := e.Neighbours
	if n == nil {
		return
	}
	fmt.Fprintf(b, "  %12s  %s\n", e.Change(n.Contribution), similar(e))
	for i, row := range n.Rows {
		if i == ownNeighbours {
			fmt.Fprintf(b, "  %12s    %s\n", "", counted(len(n.Rows)-i, "other row"))
			break
		}
		fmt.Fprintf(b, "  %12s    row %d of the model file, share %.0f%%: %s, %s%s\n",
			"", row.Row, 100*row.Share, e.Amount(row.Target), highLow(e, row.Residual), valuesOf(e, row))
	}
}

// similar says how far the similar rows lay from the predictions of them.
func similar(e *words.Explained) string {
	n, who := e.Neighbours, "the rules say"
	if len(e.Members) > 0 {
		who = "the members say"
	}
	text := fmt.Sprintf("%s lay %s than %s of them", counted(len(n.Rows), "similar known row"), highLow(e, n.Contribution/n.Weight), who)
	if n.Weight < 1 {
		text += fmt.Sprintf(", times %.2g", n.Weight)
	}
	return text
}

// highLow describes a difference between a target and its prediction without neighbours.
func highLow(e *words.Explained, residual float64) string {
	by := e.Change(residual)
	if amount, lower := strings.CutPrefix(by, "-"); lower {
		return amount + " lower"
	}
	return strings.TrimPrefix(by, "+") + " higher"
}

// valuesOf lists the values of a row.
func valuesOf(e *words.Explained, row words.ExplainedNeighbour) string {
	var cells []string
	for _, c := range e.Columns[:min(ownValues, len(e.Columns))] {
		at := slices.IndexFunc(row.Values, func(cell words.Cell) bool { return cell.Column == c.Column })
		cells = append(cells, escape.Text(c.Column)+" "+row.Values[at].Precise())
	}
	return "; " + strings.Join(cells, ", ")
}
