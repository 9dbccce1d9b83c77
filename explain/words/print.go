package words

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Write writes the rules in numbers, see [Description.Numbers].
func (d Description) Write(w io.Writer) error {
	_, err := io.WriteString(w, d.Numbers().Text)
	return err
}

// WriteWords writes the rules in words: each condition by the ranks of its values among the
// training values, each THEN formula with the largest effects first, then Interpretability
// and the legend. For a model without words it writes the reason and the rules in numbers.
func (d Description) WriteWords(w io.Writer) error {
	_, err := io.WriteString(w, d.Sentences().Text)
	return err
}

// text returns all sentences: paragraphs with an empty line between them.
func (w *Wording) text() string {
	all := append(w.paragraphs(), strings.Join(w.Readability, "\n"), w.Legend)
	return paragraphs(append(all, w.Notes...))
}

// paragraphs returns the sentences on the rules.
func (w *Wording) paragraphs() []string {
	all := []string{strings.TrimSuffix(w.Introduction, "\n") + "\n" + w.Remark, w.Definitions}
	for i, member := range w.Members {
		all = append(all, fmt.Sprintf("Member %d of %d, %d rules", i+1, len(w.Members), len(member.Rules)))
		all = append(all, member.paragraphs()...)
	}
	for _, r := range w.Rules {
		if !r.Idle {
			all = append(all, r.Text)
		}
	}
	all = append(all, w.Omitted)
	for _, c := range w.Curves {
		all = append(all, c.String())
	}
	return append(all, w.Points, strings.Join(w.Bounds, "\n"), w.Computing, w.Measures)
}

// paragraphs joins those that are not empty.
func paragraphs(all []string) string {
	var b strings.Builder
	for _, text := range all {
		if text = strings.Trim(text, "\n"); text != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// block returns the lines of a rule: its conditions, after IF and AND in a format, what it says and what was seen.
func (w *RuleWording) block(conditions []string, format string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", w.Name, w.Activity)
	for i, c := range conditions {
		and := "AND"
		if i == 0 {
			and = "IF"
		}
		fmt.Fprintf(&b, format+"%s\n", and, c)
	}
	if len(conditions) == 0 {
		b.WriteString("  " + w.Always + "\n")
	}
	for _, lines := range w.thens() {
		for i, line := range lines {
			then := "    "
			if i == 0 {
				then = "THEN"
			}
			b.WriteString("  " + then + " " + line + "\n")
		}
	}
	for _, line := range w.Seen {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// thens returns the lines of each THEN part.
func (w *RuleWording) thens() [][]string {
	if w.Outputs == nil {
		return [][]string{w.Then.lines()}
	}
	var all [][]string
	for _, o := range w.Outputs {
		all = append(all, o.lines())
	}
	if w.Then.Says != "" && w.Outputs[0].Says == "" { // the outputs only have formulas
		all = [][]string{append([]string{w.Then.Says + ":"}, slices.Concat(all...)...)}
	}
	if w.Then.Small != "" {
		all[len(all)-1] = append(all[len(all)-1], w.Then.Small)
	}
	return all
}

// lines returns the lines of what a rule says of one output.
func (t *ThenWording) lines() []string {
	switch {
	case len(t.Formula) == 0:
		return []string{t.Says}
	case len(t.Formula) == 1 && t.Says == "" && t.Small == "":
		return []string{t.Label + " = " + t.Formula[0].Product}
	}
	lines := []string{t.Label + " ="}
	if t.Says != "" {
		lines[0] = t.Says + "; the formula:"
	}
	width := 0
	for _, term := range t.Formula[1:] {
		width = max(width, len([]rune(term.Product)))
	}
	for _, term := range t.Formula {
		line := term.Product
		if term.Effect != "" {
			line = fmt.Sprintf("%-*s  (%s)", width, term.Product, term.Effect)
		}
		lines = append(lines, "  "+line)
	}
	if t.Small != "" {
		lines = append(lines, "  "+t.Small)
	}
	return lines
}

// Cells returns the lines of the rule for the three cells of a table: what it is, IF and THEN.
func (w RuleWording) Cells() [][]string {
	_, number, _ := strings.Cut(w.Name, " ")
	rule := []string{number, fmt.Sprintf("%.1f%%", 100*w.Rule.Share), fmt.Sprintf("%d samples", w.Rule.Samples)}
	if w.Rule.Keep != 0 {
		rule = append(rule, "keep: "+w.Rule.Keep.String())
	}
	when := w.If
	if len(when) == 0 {
		when = []string{strings.ToLower(w.Always)}
	}
	return [][]string{rule, when, slices.Concat(w.thens()...)}
}

// Sentence returns the rule in one line, such as "IF outside is at least 17.6 °C THEN heating is about 1.2 kW: 1.63 - 0.0631 outside".
func (w RuleWording) Sentence() string {
	when := w.Always
	if len(w.If) > 0 {
		when = "IF " + strings.Join(w.If, " AND ")
	}
	return when + " THEN " + w.Conclusion()
}

// Conclusion returns what the rule says in one line.
func (w RuleWording) Conclusion() string {
	if len(w.Outputs) > 0 && w.Then.Says != "" {
		return w.Then.Says // such as "species is setosa (87%)"
	}
	var each []string
	for _, f := range w.Formulas() {
		each = append(each, f.sentence())
	}
	return strings.Join(each, "; ")
}

// Formulas returns what the rule says of each output.
func (w RuleWording) Formulas() []ThenWording {
	if len(w.Outputs) > 0 {
		return w.Outputs
	}
	return []ThenWording{*w.Then}
}

// sentence returns what a rule says of an output in one line.
func (t *ThenWording) sentence() string {
	var terms []string
	for _, term := range t.Formula {
		terms = append(terms, term.Product)
	}
	formula := strings.Join(terms, " ")
	if t.Small != "" {
		formula += ", " + t.Small
	}
	switch {
	case formula == "":
		return t.Says
	case t.Says == "":
		return t.Label + " = " + formula
	}
	return t.Says + ": " + formula
}

// Sentences of a legend.
const (
	legendRanks = `Words refer to ranks among the training values: very low is the lowest tenth, low the lowest three tenths, medium the
middle four, high and very high likewise; moderately low is low but not very low, not extreme is neither very low nor
very high.
`
	legendSoft = `Conditions are soft: they name the values where the grade is at least half its largest, and hold more or less nearby.
`
	legendPreferably = `"preferably" marks a grade that hardly falls below half, and says where it is above the middle.
`
	legendResponse = `What is said after THEN, before the formula, is the response to the rule alone, a mean over the samples weighted by its firing.
`
	legendRest = `Conditions on a column of few values name these. Columns whose grade varies by less than a fifth are mentioned only in a
rule without other conditions. The rules that fire most come first.
`
	legendCurves = `The words of a curve follow it to within a tenth of its range. Hardly: by at most a tenth of its range; steeply and slowly: at
least twice, at most half as steep as on average. A curve hardly matters if its range is at most a tenth of `
	legendOneCurve = legendCurves + `the RMSE in
training, or of its range together with the mean slope of the rules.
`
	legendOutputCurves = legendCurves + `its range together
with the mean slope of the rules.
`
)

// legend explains the words that the conditions of the rules use; empty for a model without
// words.
func legend(d Description) string {
	all := d.Members
	if all == nil {
		all = []Description{d}
	}
	if all[0].Interpretability == nil {
		return ""
	}
	uses := func(is func(Rule) bool) bool {
		return slices.ContainsFunc(all, func(one Description) bool { return slices.ContainsFunc(one.Rules, is) })
	}
	says := func(is func(Condition) bool) func(Rule) bool {
		return func(r Rule) bool { return slices.ContainsFunc(r.Words, is) }
	}
	text := ""
	if uses(says(Condition.ranked)) {
		text = legendRanks
	}
	text += legendSoft
	if uses(says(func(c Condition) bool { return c.Preferably })) {
		text += legendPreferably
	}
	if slices.ContainsFunc(all, func(one Description) bool { return one.curvesInWords() != nil }) {
		if all[0].Response.IsZero() {
			text += legendOneCurve
		} else {
			text += legendOutputCurves
		}
	}
	if uses(func(r Rule) bool { return r.Local != nil && r.Local.Response != nil }) {
		text += legendResponse
	}
	return text + all[0].missing + legendRest
}
