package words

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// A rule has a line of its own in a sum if it has at least ownShare of the firing, or if it is among
// the strongest rules that have half of the firing together, at most ownRules.
const (
	ownShare = 0.05
	ownRules = 6

	ownColumns    = 20 // columns with a line of their own
	ownNeighbours = 5  // stored rows with a line of their own
	ownValues     = 5  // columns of such a row
)

// explainedSum writes the terms of an explanation below one another, the text of each behind its amount.
type explainedSum struct {
	strings.Builder
	*Explained
}

// term writes a line of a sum.
func (s *explainedSum) term(amount, format string, a ...any) {
	fmt.Fprintf(s, "  %12s  "+format+"\n", append([]any{amount}, a...)...)
}

// String returns the explanation: the sum of the contributions of the columns, and that of the contributions of the rules.
func (e *Explained) String() string {
	s := &explainedSum{Explained: e}
	if e.Row > 0 {
		fmt.Fprintf(s, "Row %d: ", e.Row)
	}
	fmt.Fprintf(s, "%s is predicted to be %s", plain(e.Target), withUnit(e.amount(e.Prediction), e.Unit))
	if e.Actual != nil {
		fmt.Fprintf(s, "; the table says %s", e.amount(*e.Actual))
	}
	s.WriteString(".\n\n")
	s.columns()
	switch {
	case len(e.Members) > 0 && e.Neighbours == nil:
		s.memberMean()
	case len(e.Members) > 0:
		s.members()
		s.WriteString("\nWith neighbours:\n")
		s.term(e.amount(e.Neighbours.Before), "mean of the members")
		s.neighbours()
		s.total()
	case e.Uncovered:
		s.WriteString("\nNo rule covers it: the training mean stands in.\n")
	case e.Page != nil && e.Neighbours == nil:
		s.byPage("By the page")
	default:
		s.rules(true, func(r ExplainedRule) string { return e.amount(r.Output) })
	}
	return s.Builder.String()
}

// columns writes the sum of the contributions of the columns, with small ones of a wide table combined, and several that
// contribute exactly nothing.
func (s *explainedSum) columns() {
	mean := "mean prediction"
	switch {
	case s.LogOdds:
		mean = "mean log odds"
	case s.factors:
		mean = "geometric mean of the predictions"
	}
	s.WriteString("By column:\n")
	s.term(s.amount(s.Background.Mean), "%s for %s", mean, numeric.Counted(s.Background.Rows, "background row"))
	n := len(s.Columns)
	for n > 0 && s.Columns[n-1].Contribution == 0 && s.Columns[n-1].StandardError == nil {
		n--
	}
	if len(s.Columns)-n < 2 {
		n = len(s.Columns)
	}
	others, rest := 0, 0.0
	for i, c := range s.Columns[:n] {
		if i >= ownColumns {
			others, rest = others+1, rest+c.Contribution
			continue
		}
		text := cellOf(s.Values, c.Column)
		// not exact, as of a column whose effect never differs
		if se := c.StandardError; se != nil && s.standardError(*se) != s.standardError(0) {
			text += fmt.Sprintf(" (standard error %s)", s.standardError(*se))
		}
		s.term(s.change(c.Contribution), "%s", text)
	}
	if others > 0 {
		s.term(s.change(rest), "%s", numeric.Counted(others, "other column"))
	}
	if none := s.Columns[n:]; len(none) > 0 {
		names := make([]string, len(none))
		for i, c := range none {
			names[i] = plain(c.Column)
		}
		s.term(s.change(0), "%s: no effect", strings.Join(names, ", "))
	}
	if s.Neighbours != nil {
		s.term(s.change(s.Prediction-s.Neighbours.Before), "similar known rows, see below")
	}
	fmt.Fprintf(s, "= %12s\n", s.amount(s.Prediction))
}

// cellOf returns the value of a column among those of a row, behind its name.
func cellOf(values []Cell, column string) string {
	at := slices.IndexFunc(values, func(cell Cell) bool { return cell.Column == column })
	return plain(column) + " " + values[at].precise()
}

// rules writes the sum of the rules' contributions, with small ones combined; the conditions only if asked. says returns what a rule says.
func (s *explainedSum) rules(conditions bool, says func(r ExplainedRule) string) {
	start := "training mean"
	if s.Mean == 0 && s.LogOdds {
		start = "even odds"
	}
	s.WriteString("\nBy rule:\n")
	s.term(s.amount(s.Mean), "%s", start)
	others, shown, share, rest := 0, 0.0, 0.0, 0.0
	for i, r := range s.Rules {
		if r.Share < ownShare && (shown >= 0.5 || i >= ownRules) {
			others, share, rest = others+1, share+r.Share, rest+r.Contribution
			continue
		}
		shown += r.Share
		s.term(s.change(r.Contribution), "rule %d, %.1f%% of the firing, says %s", r.Rule, 100*r.Share, says(r))
		if conditions {
			s.conditions(r.Words)
		}
	}
	if others > 0 {
		s.term(s.change(rest), "%s, %.1f%% of the firing", numeric.Counted(others, "other rule"), 100*share)
	}
	s.neighbours()
	s.total()
}

// conditions writes the conditions of a rule, first those that are met.
func (s *explainedSum) conditions(asked []Asked) {
	for _, met := range []bool{true, false} {
		for _, a := range asked {
			switch {
			case a.Met != met:
			case met:
				s.term("", "  %s", a)
			default:
				s.term("", "  not met (grade %.2f): %s", a.Grade, a)
			}
		}
	}
}

// members writes the predictions of the members of a committee.
func (s *explainedSum) members() {
	s.WriteString("\nBy member:\n")
	for k, member := range s.Members {
		s.term(s.amount(member.Prediction), "member %d", k+1)
	}
}

// memberMean writes the predictions of the members and their mean; of logarithms the geometric one.
func (s *explainedSum) memberMean() {
	mean := "mean"
	if s.factors {
		mean = "geometric mean"
	}
	s.members()
	fmt.Fprintf(s, "= %12s  their %s\n", s.amount(s.Prediction), mean)
}

// total writes the change by the limits, if any, and the prediction.
func (s *explainedSum) total() {
	if s.Limit != 0 {
		s.term(s.change(s.Limit), "clipped to the limits of predictions")
	}
	fmt.Fprintf(s, "= %12s\n", s.amount(s.Prediction))
}

// neighbours writes the part of the neighbours in a prediction, with the nearest rows: their values in the columns with the
// largest contributions.
func (s *explainedSum) neighbours() {
	n := s.Neighbours
	if n == nil {
		return
	}
	who, times := "the rules say", ""
	if len(s.Members) > 0 {
		who = "the members say"
	}
	if n.Weight < 1 {
		times = fmt.Sprintf(", times %.2g", n.Weight)
	}
	s.term(s.change(n.Contribution), "%s lay %s than %s of them%s", numeric.Counted(len(n.Rows), "similar known row"),
		s.highLow(n.Contribution/n.Weight), who, times)
	for i, row := range n.Rows {
		if i == ownNeighbours {
			s.term("", "  %s", numeric.Counted(len(n.Rows)-i, "other row"))
			break
		}
		var cells []string
		for _, c := range s.Columns[:min(ownValues, len(s.Columns))] {
			cells = append(cells, cellOf(row.Values, c.Column))
		}
		s.term("", "  row %d of the model file, share %.0f%%: %s, %s; %s", row.Row, 100*row.Share, s.amount(row.Target), s.highLow(row.Residual),
			strings.Join(cells, ", "))
	}
}

// highLow describes a difference between a target and its prediction without neighbours.
func (e *Explained) highLow(residual float64) string {
	by := e.change(residual)
	if amount, lower := strings.CutPrefix(by, "-"); lower {
		return amount + " lower"
	}
	return strings.TrimPrefix(by, "+") + " higher"
}

// amount formats a value of the target, rounded by the range of the target.
func (e *Explained) amount(v float64) string {
	if e.factors {
		v = math.Exp(v)
	}
	return near(v, e.spread/10)
}

// change formats a difference of two values of the target with its sign; of a logarithm as a factor.
func (e *Explained) change(v float64) string {
	if e.factors {
		return "times " + numeric.Show(math.Exp(v), 4)
	}
	return signed(v, e.spread/10)
}

// standardError formats the standard error of a contribution; of a logarithm as a factor.
func (e *Explained) standardError(v float64) string {
	if e.factors {
		return e.change(v)
	}
	return near(v, e.spread/10)
}

// String returns the explanation of a response: of classes that of the most probable one against the second, otherwise that of
// each output of the rules.
func (e *ExplainedResponse) String() string {
	text := ""
	if e.Row > 0 {
		text = fmt.Sprintf("Row %d: ", e.Row)
	}
	text += e.Response.predicted(e.Predicted)
	if len(e.Actual) > 0 {
		text += "; the table says " + plain(strings.Join(e.Actual, ", "))
	}
	text += ".\n"
	switch {
	case e.Uncovered:
		return text + "\nNo rule covers it: what the training part has on the whole stands in.\n"
	case e.Contrast != nil:
		return text + e.inLogOdds()
	}
	for c, one := range e.Outputs {
		title := one.Target
		if one.factors {
			title = e.Target + ", as a product"
		}
		text += "\n" + label(title, one.Unit) + "\n\n" + e.sums(one, c == 0)
	}
	return text
}

// inLogOdds explains the log odds of the two most probable classes.
func (e *ExplainedResponse) inLogOdds() string {
	i, j := e.leading()
	one, first, second := e.Contrast, plain(e.Response.Classes[i]), plain(e.Response.Classes[j])
	times := "more than a million"
	if one.Prediction <= math.Log(1e6) {
		times = strconv.FormatFloat(numeric.Round(math.Exp(one.Prediction), 3), 'f', -1, 64)
	}
	odds := fmt.Sprintf("odds of %s to 1 for %s against %s", times, first, second)
	if e.Committee {
		odds += "; the committee predicts the mean of its members' probabilities"
	}
	return fmt.Sprintf("\nWhat speaks for %s rather than %s, in log odds (+1 multiplies the odds by 2.7):\n\n%s\nLog odds of %s are %s.\n",
		first, second, e.sums(one, true), one.amount(one.Prediction), odds)
}

// likelihoods returns the probabilities of the classes as a person computes them with the values of pages.
func (e *ExplainedResponse) likelihoods() string {
	exp := func(c int) string { return fmt.Sprintf("exp(%s)", e.Outputs[c].digits(e.Outputs[c].Page.Value)) }
	if len(e.Outputs) == 1 {
		return fmt.Sprintf("Probability of %s: 1 / (1 + exp(%s)) = %s\n", plain(e.Response.Classes[1]),
			e.Outputs[0].digits(-e.Outputs[0].Page.Value), shareText(e.Predicted[1]))
	}
	var all []string
	for c := range e.Outputs {
		all = append(all, exp(c))
	}
	text := "\n"
	for c, p := range e.Predicted {
		text += fmt.Sprintf("Probability of %s: %s / (%s) = %s\n", plain(e.Response.Classes[c]), exp(c), strings.Join(all, " + "), shareText(p))
	}
	return text
}

// sums returns the sums of the contributions of columns and of rules or members to an output; conditions of rules only if asked.
func (e *ExplainedResponse) sums(one *Explained, conditions bool) string {
	s := &explainedSum{Explained: one}
	s.columns()
	if len(one.Members) > 0 {
		s.memberMean()
		return s.Builder.String()
	}
	if one.Page != nil {
		s.byPage("By the page")
		return s.Builder.String()
	}
	if e.Outputs[0].Page != nil { // of classes
		for _, o := range e.Outputs {
			by := &explainedSum{Explained: o}
			by.byPage(plain(o.Target) + ", by its page")
			s.WriteString(by.Builder.String())
		}
		s.WriteString(e.likelihoods())
		return s.Builder.String()
	}
	s.rules(conditions, func(r ExplainedRule) string {
		if e.Contrast != nil {
			return e.Response.brief(r.Response)
		}
		return one.amount(r.Output)
	})
	return s.Builder.String()
}
