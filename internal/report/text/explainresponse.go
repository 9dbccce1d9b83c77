package text

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

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
	fmt.Fprintf(b, "\nWhat speaks for %s rather than %s, in log odds (+1 multiplies the odds by 2.7):\n\n", escape.Text(names[first]), escape.Text(names[second]))
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
	return strconv.FormatFloat(digits.Round(math.Exp(logOdds), 3), 'f', -1, 64)
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
