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
	Page         string `json:"page,omitempty"`         // the text of a page, which package page parses; empty: of another model
	Remark       string `json:"remark,omitempty"`       // a warning that the rules cannot be read one by one
	Definitions  string `json:"definitions,omitempty"`  // of rules in numbers: the formula of their shape, and principal components; of
	// pages how predictions follow from their values, unless they are these
	// in the order of [Listed], in numbers in that of their numbers; none for a committee
	Rules       []RuleWording `json:"rules,omitempty"`
	Omitted     string        `json:"omitted,omitempty"`  // the idle rules, which are not in Text
	Tables      []PageTable   `json:"tables,omitempty"`   // of a page
	OwnRows     string        `json:"own_rows,omitempty"` // of a page: its rules on their own rows
	Tried       []string      `json:"tried,omitempty"`    // of a page, see [Tried]
	Curves      []CurveText   `json:"curves,omitempty"`
	Points      string        `json:"points,omitempty"`   // of rules in numbers: the points of the curves that they share
	Bounds      []string      `json:"bounds,omitempty"`   // what the signs of slopes mean
	Computing   string        `json:"by_hand,omitempty"`  // of rules in numbers, and of a page: what else a prediction by hand needs
	Measures    string        `json:"measures,omitempty"` // see [Interpretability]
	Readability []string      `json:"readability,omitempty"`
	Legend      string        `json:"legend,omitempty"`
	Notes       []string      `json:"notes,omitempty"`   // on weights, neighbours and intervals
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

// text returns all sentences: paragraphs with an empty line between them.
func (w *Wording) text() string {
	all := append([]string{strings.Join(w.Readability, "\n"), w.Legend}, w.Notes...)
	if more := paragraphs(append(all, w.Remark)); w.Page != "" && w.OwnRows == "" && w.Tried == nil && w.Definitions == "" && more != "" {
		all = append([]string{AboutPage}, all...)
	}
	return paragraphs(append(w.paragraphs(), all...))
}

// paragraphs returns the sentences on the rules.
func (w *Wording) paragraphs() []string {
	all := []string{strings.TrimSuffix(w.Introduction, "\n") + "\n" + w.Remark, w.Definitions}
	for i, member := range w.Members {
		all = append(all, fmt.Sprintf("Member %d of %d, %d rules", i+1, len(w.Members), len(member.Rules)))
		all = append(all, member.paragraphs()...)
	}
	if w.Page != "" {
		return []string{w.Page, w.meaning(), w.OwnRows, w.tried()}
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
