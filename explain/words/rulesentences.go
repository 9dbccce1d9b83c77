package words

import (
	"fmt"
	"slices"
	"strings"
)

// ruleWording returns a rule without its conditions and what it says.
func (d Description) ruleWording(r Rule) RuleWording {
	return RuleWording{Rule: r, Name: r.Name(), Numbers: r.numbers(), Activity: d.activity(r), If: []string{}}
}

// ruleInWords returns a rule in words.
func (d Description) ruleInWords(r Rule) RuleWording {
	w := d.ruleWording(r)
	w.Seen, w.Idle = d.seen(r), d.measured() && r.idle()
	for _, c := range r.Words {
		w.If = append(w.If, c.String())
	}
	if len(w.If) == 0 {
		w.Always = "ALWAYS"
		if r.Otherwise {
			w.Always = "OTHERWISE"
		}
	}
	if !d.Response.IsZero() {
		d.Response.say(&w, d, r)
	} else {
		var about *float64
		if r.Local != nil {
			about = r.Local.Output
		}
		then := d.of[0].say(d.said(r)[0], about)
		w.Then = &then
	}
	w.Text = w.block(w.If, "  %-4s ")
	return w
}

// ruleInNumbers returns a rule in numbers; width is that of the longest subject of a condition.
func (d Description) ruleInNumbers(r Rule, width int) RuleWording {
	w := d.ruleWording(r)
	w.Numbers, w.Name = []int{r.Number}, namedRules([]int{r.Number})
	w.Name = "R" + w.Name[1:]
	var aligned []string
	for _, a := range r.If {
		is := " is " + a.grade(d.Membership, d.figure)
		w.If, aligned = append(w.If, a.subject()+is), append(aligned, fmt.Sprintf("%-*s", width, a.subject())+is)
	}
	if len(r.If) == 0 {
		w.Always = "ALWAYS"
	}
	var then []ThenWording
	points := ""
	for c, s := range d.said(r) {
		formula := s.Then.text(d.figure) + d.of[c].Curves.sum()
		then = append(then, ThenWording{Label: label(d.of[c].Name, d.of[c].Unit), Formula: []TermText{{Product: formula}}})
		points += pointLines(s.Then.Curves, d.figure)
	}
	if w.Then = &then[0]; !d.Response.IsZero() {
		w.Then, w.Outputs = &ThenWording{}, then
	}
	w.Text = w.block(aligned, "  %-3s ") + points
	if text := kept(r.Keep); text != "" {
		w.Text += "  " + text + "\n"
	}
	return w
}

// say adds to the wording of a rule of d what it says.
func (r *Response) say(w *RuleWording, d Description, rule Rule) {
	w.Then = &ThenWording{Label: label(d.Target, d.Unit)}
	var means []float64
	if rule.Local != nil {
		means = rule.Local.Response
	}
	if means != nil {
		w.Then.Says = r.summary(means)
	}
	shown := r.shown(means)
	for _, c := range shown {
		o, s := &d.of[c], rule.Outputs[c]
		var about *float64
		if r.own() && means != nil {
			about = &means[c]
		}
		one := o.say(s, about)
		if one.Formula == nil && !r.own() {
			one.Says, one.Formula = "", []TermText{{Product: near(s.Then.Intercept, o.spread)}}
		}
		w.Outputs = append(w.Outputs, one)
	}
	if n := len(d.of) - len(shown); n == 1 {
		w.Then.Small = "the score of 1 other class is left out"
	} else if n > 1 {
		w.Then.Small = fmt.Sprintf("the scores of %d other classes are left out", n)
	}
}

// seen returns lines about a rule beside others, and on samples.
func (d Description) seen(r Rule) []string {
	var lines []string
	if text := kept(r.Keep); text != "" {
		lines = append(lines, text)
	}
	if r.Alike != nil && (len(r.If) > 0 || r.Outputs != nil) {
		lines = append(lines, fmt.Sprintf("The conditions of %s are the same: together they say the mean of what they say", namedRules(r.Alike)))
	}
	for c, s := range d.said(r) {
		if own := d.of[c].deviations(s.Then); own != "" {
			lines = append(lines, d.of[c].prefix(own))
		}
	}
	if r.Local == nil {
		return lines
	}
	lines = append(lines, d.Response.errs(r.Local)...)
	if e := r.Local.Nearest; e != nil {
		var values []string
		for _, c := range e.Values {
			if slices.ContainsFunc(r.Words, func(w Condition) bool { return w.Column == c.Column }) {
				values = append(values, c.text())
			}
		}
		values = append(values, d.Response.observed(e)...)
		lines = append(lines, fmt.Sprintf("Nearest sample: row %d, %s", e.Row, strings.Join(values, ", ")))
	}
	return lines
}

// activity says how active a rule is on the training samples.
func (d Description) activity(r Rule) string {
	if !d.measured() {
		return "not measured on samples"
	}
	of := fmt.Sprintf("%d samples", d.Samples)
	if d.Sample > 0 {
		of = fmt.Sprintf("a random %d of %s", d.Sample, of)
	}
	if r.Equal > 0 {
		return fmt.Sprintf("%.1f%% of the firing, like each of %d rules on all of %s, to rounding", 100*r.Share, r.Equal, of)
	}
	return fmt.Sprintf("%.1f%% of the firing, strongest for %d of %s", 100*r.Share, r.Samples, of)
}
