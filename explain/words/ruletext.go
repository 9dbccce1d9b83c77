package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/digits"
)

// RuleText has the parts of a rule in words, for texts and pages.
type RuleText struct {
	If      []Condition // empty: Always says when the rule holds
	Always  string      // ALWAYS, or OTHERWISE for a rule that decides where no other one holds
	Then    string      // such as "strength is about 60.0 MPa"; may be empty if there is a formula
	Label   string      // left-hand side of the formula, such as "strength [MPa]"
	Formula []TermText  // the intercept, then the terms with large effects; empty: the output is constant
	Small   string      // the other terms, such as "and less than 3.47 MPa each by fine_aggregate, age"
	Seen    []string    // lines about the rule: beside others, and on samples

	// Outputs are what a rule of a model with a [Response] says of each output, with Then, Label,
	// Formula and Small only. Then is what it says on the whole, such as "species is versicolor
	// (87%)"; empty if it was not measured. Formula is empty.
	Outputs []RuleText
}

// TermText is a term of a THEN formula, such as "- 0.291 water", and its effect, such as
// "-21.8 from 146 to 221 kg/m3".
type TermText struct {
	Product string `json:"product"`
	Effect  string `json:"effect,omitempty"`
}

// Text returns a rule of d in words.
func (d Description) Text(r Rule) RuleText {
	t := RuleText{}
	if d.Response == nil {
		t = d.say(r)
	} else {
		t = d.Response.say(d, r)
	}
	t.If, t.Always, t.Seen = r.Words, "ALWAYS", d.seen(r)
	if r.Otherwise {
		t.Always = "OTHERWISE"
	}
	return t
}

// say returns what a rule says in words, without a response.
func (d Description) say(r Rule) RuleText {
	constant, terms := foldPairs(r.Then.Intercept, r.Terms)
	intercept, unit := d.rounded(constant, near(constant, d.spread)), d.unit()
	t := RuleText{Label: label(d.Target, d.Unit)}
	if len(terms) == 0 && d.Curves == nil {
		t.Then = plain(d.Target) + " is " + intercept + unit
		return t
	}
	if r.Local != nil && r.Local.Output != nil {
		t.Then = plain(d.Target) + " is about " + near(*r.Local.Output, d.spread) + unit
	}
	large, small := divide(terms)
	if d.complete {
		large, small = terms, nil
	}
	t.Formula = append(t.Formula, TermText{Product: intercept})
	for _, term := range large {
		t.Formula = append(t.Formula, TermText{d.product(term), d.effect(term)})
	}
	if d.Curves != nil {
		t.Formula = append(t.Formula, d.Curves.term())
	}
	if len(small) > 0 {
		bound, each := float64(smallEffect*math.Abs(terms[0].Effect)), " each"
		names := namesOf(small, terms, bound)
		if len(names) == 1 {
			each = ""
		}
		limit := "less than " + near(bound, d.spread/10) + unit
		if d.factors {
			limit = "a factor of less than " + digits.Show(math.Exp(bound), 3)
		}
		t.Small = fmt.Sprintf("and %s%s by %s", limit, each, strings.Join(names, ", "))
	}
	return t
}

// Leaf returns the text of a leaf of the tree, such as "rule 3: NO2 is about 3.9 (12% of the samples)".
func (d Description) Leaf(b *Branch) string {
	text, says := fmt.Sprintf("rule %d", b.Rule), ""
	switch {
	case b.Response != nil:
		says = d.Response.summary(d, b.Response)
	case b.Output != nil:
		says = plain(d.Target) + " is about " + near(*b.Output, d.spread) + d.unit()
	default:
		return text
	}
	return text + fmt.Sprintf(": %s (%s of the samples)", says, percent(float64(b.Samples)/float64(d.Tree.Root.Samples)))
}

// Lines has the lines of a rule for the cells of a table.
type Lines struct{ Rule, If, Then []string }

// Lines returns the lines of a rule of d: in words or, for a model without words, in numbers.
func (d Description) Lines(r Rule) Lines {
	_, number, _ := strings.Cut(r.Name(), " ")
	l := Lines{Rule: []string{number, fmt.Sprintf("%.1f%%", 100*r.Share), fmt.Sprintf("%d samples", r.Samples)}}
	if r.Keep != 0 {
		l.Rule = append(l.Rule, "keep: "+r.Keep.String())
	}
	if d.Interpretability == nil {
		for _, a := range r.If {
			l.If = append(l.If, a.subject()+" is "+a.grade(d))
		}
		for _, s := range outputs(d, r) {
			l.Then = append(l.Then, label(s.of.Target, s.of.Unit)+" = "+s.rule.Then.text(d.figure)+s.of.Curves.sum())
		}
		return l
	}
	t := d.Text(r)
	for _, c := range t.If {
		l.If = append(l.If, c.String())
	}
	if len(l.If) == 0 {
		l.If = []string{strings.ToLower(t.Always)}
	}
	l.Then = slices.Concat(t.thens()...)
	return l
}

// unit returns the target's unit after a space; empty without a unit.
func (d Description) unit() string {
	if d.Unit == "" {
		return ""
	}
	return " " + plain(d.Unit)
}

// product returns a term in a formula, with its sign.
func (d Description) product(t Term) string {
	text := "+ "
	if t.Slope < 0 {
		text = "- "
	}
	text += d.rounded(math.Abs(t.Slope), plainly(math.Abs(t.Slope), 3))
	if t.Level != "" {
		return text + " if " + plain(t.Column) + " is " + plain(t.Level)
	}
	return text + " " + plain(t.Column)
}

// figure formats a number for predictions by hand.
func (d Description) figure(v float64) string { return d.rounded(v, sixDigits(v)) }

// rounded returns v with all its digits if the model was rounded, else v as text.
func (d Description) rounded(v float64, text string) string {
	if d.complete {
		return allDigits(v)
	}
	return text
}

// effect returns the effect of a term in words; empty for a level, whose slope is its effect.
func (d Description) effect(t Term) string {
	change := slight(t.Effect, d.spread)
	if d.factors {
		change = "times " + digits.Show(math.Exp(t.Effect), 3)
	}
	switch {
	case t.Level != "" && d.factors:
		return change
	case t.Level != "":
		return ""
	}
	unit := ""
	if t.Unit != "" {
		unit = " " + plain(t.Unit)
	}
	return fmt.Sprintf("%s from %s to %s%s", change, trimmed(near(t.From, t.spread)), trimmed(near(t.To, t.spread)), unit)
}

// seen returns lines about a rule beside others, and on samples.
func (d Description) seen(r Rule) []string {
	var lines []string
	if text := kept(r.Keep); text != "" {
		lines = append(lines, text)
	}
	if r.Alike != nil && (len(r.If) > 0 || r.Outputs != nil) {
		lines = append(lines, fmt.Sprintf("The conditions of %s are the same: together they say the mean of what they say", named(r.Alike)))
	}
	for _, s := range outputs(d, r) {
		if own := deviations(s.of, s.rule); own != "" && d.Response != nil {
			lines = append(lines, label(s.of.Target, "")+": "+own)
		} else if own != "" {
			lines = append(lines, own)
		}
	}
	if r.Local == nil {
		return lines
	}
	if l := r.Local; l.RMSE != nil {
		lines = append(lines, fmt.Sprintf("RMSE where it is strongest: %s%s", near(*l.RMSE, d.spread/10), d.unit()))
	}
	if d.Response != nil {
		lines = append(lines, d.Response.errs(r.Local)...)
	}
	if e := r.Local.Nearest; e != nil {
		var values []string
		for _, c := range e.Values {
			if r.mentions(c.Column) {
				values = append(values, c.text())
			}
		}
		values = append(values, d.observed(e)...)
		lines = append(lines, fmt.Sprintf("Nearest sample: row %d, %s", e.Row, strings.Join(values, ", ")))
	}
	return lines
}

// observed returns the target of a sample, and what is predicted of it.
func (d Description) observed(e *Example) []string {
	if d.Response != nil {
		return d.Response.observed(d, e)
	}
	return []string{fmt.Sprintf("%s %s%s (predicted %s)", plain(d.Target), near(e.Target, d.spread/10), d.unit(), near(e.Predicted, d.spread/10))}
}

// mentions reports whether the IF part has a condition on a column.
func (r Rule) mentions(column string) bool {
	for _, c := range r.Words {
		if c.Column == column {
			return true
		}
	}
	return false
}

// Name returns "Rule 3", or "Rules 3, 5 and 6" for several that Listed combined.
func (r Rule) Name() string { return "R" + named(r.numbers())[1:] }

// numbers returns the number of the rule, or those that Listed combined.
func (r Rule) numbers() []int {
	if len(r.If) == 0 && r.Alike != nil && r.Outputs == nil {
		return r.Alike
	}
	return []int{r.Number}
}

// named formats a list of rules: rule 3, or rules 3, 5 and 6.
func named(some []int) string {
	if len(some) == 1 {
		return fmt.Sprintf("rule %d", some[0])
	}
	text := "rules"
	for i, n := range some {
		switch i {
		case 0:
		case len(some) - 1:
			text += " and"
		default:
			text += ","
		}
		text += fmt.Sprintf(" %d", n)
	}
	return text
}
