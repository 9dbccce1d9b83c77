package words

import (
	"fmt"
	"slices"
	"strings"
)

// Wording is a description in sentences. All that people read of rules is made of it: the text of
// `tskgraph show`, tables, pages, the comments of exports, and what programs get as JSON.
type Wording struct {
	Text         string `json:"text"`                   // all of it
	Introduction string `json:"introduction,omitempty"` // what the rules make up; for a model without words, why
	Remark       string `json:"remark,omitempty"`       // a warning that the rules cannot be read one by one
	Definitions  string `json:"definitions,omitempty"`  // of rules in numbers: the formula of their shape, and principal components
	// in the order of [Listed], in numbers in that of their numbers; none for a committee
	Rules       []RuleWording `json:"rules,omitempty"`
	Omitted     string        `json:"omitted,omitempty"` // the idle rules, which are not in Text
	Curves      []CurveText   `json:"curves,omitempty"`
	Points      string        `json:"points,omitempty"`   // of rules in numbers: the points of the curves that they share
	Bounds      []string      `json:"bounds,omitempty"`   // what the signs of slopes mean
	Computing   string        `json:"by_hand,omitempty"`  // of rules in numbers: what else a prediction by hand needs
	Measures    string        `json:"measures,omitempty"` // see [Interpretability]
	Readability []string      `json:"readability,omitempty"`
	Legend      string        `json:"legend,omitempty"`
	Notes       []string      `json:"notes,omitempty"`   // on neighbours and intervals
	Members     []Wording     `json:"members,omitempty"` // of a committee
}

// RuleWording is a rule in sentences.
type RuleWording struct {
	Rule Rule `json:"-"`

	Name     string        `json:"name"`     // Rule 3, or Rules 3, 5 and 6 for several that [Listed] combined
	Numbers  []int         `json:"numbers"`  // of the rules that it stands for
	Activity string        `json:"activity"` // such as "14.5% of the firing, strongest for 89 of 630 samples"
	If       []string      `json:"if"`       // empty: Always says when the rule holds
	Always   string        `json:"always,omitempty"`
	Then     *ThenWording  `json:"then,omitempty"`    // of one output, or of all
	Outputs  []ThenWording `json:"outputs,omitempty"` // of each output of a response
	Seen     []string      `json:"seen,omitempty"`    // lines about the rule: beside others, and on samples
	Idle     bool          `json:"idle,omitempty"`    // not in Text of the Wording
	Text     string        `json:"text"`              // the lines as printed
}

// ThenWording is what a rule says of an output or, of a rule with Outputs, of all: Says and Small alone.
type ThenWording struct {
	Says    string     `json:"says,omitempty"`    // such as "strength is about 60.0 MPa"; may be empty if there is a formula
	Label   string     `json:"label,omitempty"`   // left-hand side of the formula, such as "strength [MPa]"
	Formula []TermText `json:"formula,omitempty"` // the intercept, then the terms with large effects; empty: the output is constant
	Small   string     `json:"small,omitempty"`   // the other terms, such as "and less than 3.47 MPa each by fine_aggregate, age"
}

// TermText is a term of a THEN formula, such as "- 0.291 water", and its effect, such as
// "-21.8 from 146 to 221 kg/m3".
type TermText struct {
	Product string `json:"product"`
	Effect  string `json:"effect,omitempty"`
}

// Worded returns the description with its Wording.
func Worded(d Description) Description {
	w := d.Sentences()
	d.Wording = &w
	return d
}

// Sentences returns the description in words or, for a model without words, in numbers.
func (d Description) Sentences() Wording { return d.sentences(false) }

// Numbers returns the description in numbers: the parameters of the membership functions in the data's own
// units, the THEN formulas, and everything else that a prediction needs.
func (d Description) Numbers() Wording { return d.sentences(true) }

func (d Description) sentences(numbers bool) Wording {
	w := Wording{Remark: d.Readability.Remark()}
	switch {
	case len(d.Members) > 0:
		w.Introduction = d.committeeLine()
		for _, member := range d.Members {
			w.Members = append(w.Members, member.sentences(numbers))
		}
	case numbers || d.Interpretability == nil:
		if d.sayInNumbers(&w); !numbers {
			w.Introduction = d.whyNoWords()
		}
	default:
		d.sayInWords(&w)
	}
	if d.Readability != nil {
		w.Readability = d.Readability.Lines()
	}
	if !numbers {
		w.Legend = legend(d)
	}
	if d.Neighbours != nil {
		w.Notes = append(w.Notes, d.Neighbours.String())
	}
	if d.Interval != nil {
		w.Notes = append(w.Notes, d.Interval.String())
	}
	w.Text = w.text()
	return w
}

// Say returns one of the rules in words or, of a model without words, in numbers.
func (d Description) Say(r Rule) RuleWording {
	if d.Interpretability == nil {
		return d.ruleInNumbers(r, 0)
	}
	return d.ruleInWords(r)
}

// sayInWords adds the rules in words.
func (d Description) sayInWords(w *Wording) {
	w.Introduction, w.Measures, w.Bounds = d.introduction(), d.Interpretability.String(), d.boundsInWords()
	var idle []int
	idleShare := 0.0
	for _, r := range Listed(d) {
		one := d.ruleInWords(r)
		if one.Idle {
			idle = append(idle, r.Number)
			idleShare += r.Share
		}
		w.Rules = append(w.Rules, one)
	}
	if len(idle) > 0 {
		w.Omitted = fmt.Sprintf("Not shown, strongest for no sample, %.2g%% of the firing together: %s.", 100*idleShare, named(idle))
	}
	w.Curves = d.curvesInWords()
}

// sayInNumbers adds the rules in numbers.
func (d Description) sayInNumbers(w *Wording) {
	w.Definitions, w.Points, w.Bounds, w.Computing = d.definitions(), d.curvePoints(), d.boundsInWords(), d.byHand()
	width := 0
	for _, r := range d.Rules {
		for _, a := range r.If {
			width = max(width, len([]rune(a.subject())))
		}
	}
	for _, r := range d.Rules {
		w.Rules = append(w.Rules, d.ruleInNumbers(r, width))
	}
}

// whyNoWords returns the reason why the rules are in numbers.
func (d Description) whyNoWords() string {
	if d.Components != nil {
		return "The inputs of the rules are principal components, sums of all features, which have no description in words."
	}
	return "The model file is of an older version, without the quantiles of the features that the words need: give the training table to " +
		"measure them."
}

// introduction says what the rules make up, and how their weights are computed.
func (d Description) introduction() string {
	what := d.Response.mean(d)
	text := fmt.Sprintf("%s the mean of what %d rules say, weighted by how far their conditions hold.\n", what, len(d.Rules))
	if len(d.Rules) == 1 {
		text = what + " what a single rule says.\n"
	}
	text += d.Response.meaning(d)
	if len(d.Rules) > 1 && (d.TNorm != "" || d.Defuzzification != "") { // what is above describes the product with TSK
		text += fmt.Sprintf("Their weights are %s.\n", d.weights)
	}
	return text
}

// definitions returns the formula of the shape and the principal components.
func (d Description) definitions() string {
	text := ""
	if d.Formula != "" {
		text = fmt.Sprintf("%s(x) = %s\n", d.Membership, d.Formula)
	}
	if d.Components != nil {
		if text != "" {
			text += "\n"
		}
		text += "Principal components of the standardised features:\n"
		for _, c := range d.Components {
			text += fmt.Sprintf("  %s = %s\n", c.Name, sumOf(c.Loadings, d.figure))
		}
	}
	return text
}

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
	w.Numbers, w.Name = []int{r.Number}, named([]int{r.Number})
	w.Name = "R" + w.Name[1:]
	var aligned []string
	for _, a := range r.If {
		is := " is " + a.grade(d)
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

// seen returns lines about a rule beside others, and on samples.
func (d Description) seen(r Rule) []string {
	var lines []string
	if text := kept(r.Keep); text != "" {
		lines = append(lines, text)
	}
	if r.Alike != nil && (len(r.If) > 0 || r.Outputs != nil) {
		lines = append(lines, fmt.Sprintf("The conditions of %s are the same: together they say the mean of what they say", named(r.Alike)))
	}
	for c, s := range d.said(r) {
		if own := d.of[c].deviations(s.Then); own != "" {
			lines = append(lines, d.of[c].prefix(own))
		}
	}
	if r.Local == nil {
		return lines
	}
	lines = append(lines, d.errs(r.Local)...)
	if e := r.Local.Nearest; e != nil {
		var values []string
		for _, c := range e.Values {
			if slices.ContainsFunc(r.Words, func(w Condition) bool { return w.Column == c.Column }) {
				values = append(values, c.text())
			}
		}
		values = append(values, d.Response.observed(d, e)...)
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

// idle reports whether a rule hardly contributes on the training part: it is strongest for no
// sample and has less than 1% of the firing.
func (r Rule) idle() bool { return r.Samples == 0 && r.Share < 0.01 && r.Equal == 0 }

// measured reports whether the activity of the rules on the training part is known: of rules that were
// imported it is not, and none is strongest for a sample.
func (d Description) measured() bool {
	return slices.ContainsFunc(d.Rules, func(r Rule) bool { return r.Samples > 0 })
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
	var all []string
	for _, n := range some {
		all = append(all, fmt.Sprint(n))
	}
	return "rules " + listed(all, "and")
}

// listed joins words: a, b and c for the last word "and".
func listed(words []string, and string) string {
	n := len(words)
	if n == 1 {
		return words[0]
	}
	return strings.Join(words[:n-1], ", ") + " " + and + " " + words[n-1]
}
