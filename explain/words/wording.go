package words

import "strings"

// Wording is a description in sentences, for programs that show it to people. It is the only source of
// what these read: [Description.WriteWords] writes the same.
type Wording struct {
	Text         string        `json:"text"`                   // all of it, as WriteWords writes it
	Introduction string        `json:"introduction,omitempty"` // what the rules make up; for a model without words, why
	Remark       string        `json:"remark,omitempty"`       // a warning that the rules cannot be read one by one
	Rules        []RuleWording `json:"rules,omitempty"`        // in the order of [Listed], of a model without words in that of their numbers; none for a committee
	Curves       []CurveText   `json:"curves,omitempty"`
	Bounds       []string      `json:"bounds,omitempty"` // see [BoundsInWords]
	Measures     string        `json:"measures,omitempty"`
	Readability  []string      `json:"readability,omitempty"` // the four figures, a sentence each
	Legend       string        `json:"legend,omitempty"`
	Notes        []string      `json:"notes,omitempty"`   // on neighbours and intervals
	Members      []Wording     `json:"members,omitempty"` // of a committee
}

// RuleWording is a rule in sentences.
type RuleWording struct {
	Name     string        `json:"name"`     // Rule 3, or Rules 3, 5 and 6
	Numbers  []int         `json:"numbers"`  // of the rules that it stands for
	Activity string        `json:"activity"` // such as "14.5% of the firing, strongest for 89 of 630 samples"
	If       []string      `json:"if"`       // empty: Always says when the rule holds
	Always   string        `json:"always,omitempty"`
	Then     *ThenWording  `json:"then,omitempty"`    // of one output, or of all
	Outputs  []ThenWording `json:"outputs,omitempty"` // of each output of a response
	Seen     []string      `json:"seen,omitempty"`
	Idle     bool          `json:"idle,omitempty"` // not in Text of the Wording
	Text     string        `json:"text"`           // the lines as printed
}

// ThenWording is what a rule says of an output, see [RuleText].
type ThenWording struct {
	Says    string     `json:"says,omitempty"`  // such as "strength is about 60.0 MPa"
	Label   string     `json:"label,omitempty"` // left-hand side of the formula
	Formula []TermText `json:"formula,omitempty"`
	Small   string     `json:"small,omitempty"`
}

// Worded returns the description with its Wording, and its members with theirs.
func Worded(d Description) Description {
	var b strings.Builder
	writeWords(&b, d)
	w := Wording{Text: b.String(), Remark: d.Readability.Remark(), Legend: Legend(d)}
	switch {
	case len(d.Members) > 0:
		w.Introduction = committeeLine(d)
		members := make([]Description, len(d.Members))
		for i, member := range d.Members {
			members[i] = Worded(member)
			w.Members = append(w.Members, *members[i].Wording)
			members[i].Wording = nil
		}
		d.Members = members
	case d.Interpretability == nil:
		w.Introduction, w.Bounds = d.WhyNoWords(), BoundsInWords(d)
		for _, r := range d.Rules {
			w.Rules = append(w.Rules, numberedRule(d, r))
		}
	default:
		w.Introduction, w.Measures, w.Bounds = introduction(d), d.Interpretability.String(), BoundsInWords(d)
		for _, r := range Listed(d) {
			w.Rules = append(w.Rules, wordedRule(d, r))
		}
		for _, t := range CurvesInWords(d) {
			w.Curves = append(w.Curves, *t)
		}
	}
	if d.Readability != nil {
		w.Readability = d.Readability.Lines()
	}
	if d.Neighbours != nil {
		w.Notes = append(w.Notes, d.Neighbours.String())
	}
	if d.Interval != nil {
		w.Notes = append(w.Notes, d.Interval.String())
	}
	d.Wording = &w
	return d
}

// wordedRule returns a rule in sentences.
func wordedRule(d Description, r Rule) RuleWording {
	t := d.Text(r)
	w := RuleWording{Name: r.Name(), Numbers: r.numbers(), Activity: activity(d, r), If: []string{}, Seen: t.Seen, Idle: measured(d) && r.Idle(), Text: block(d, r)}
	for _, c := range t.If {
		w.If = append(w.If, c.String())
	}
	if len(t.If) == 0 {
		w.Always = t.Always
	}
	w.Then = t.worded()
	for _, o := range t.Outputs {
		w.Outputs = append(w.Outputs, *o.worded())
	}
	return w
}

// numberedRule returns a rule of a model without words.
func numberedRule(d Description, r Rule) RuleWording {
	w := RuleWording{Name: r.Name(), Numbers: []int{r.Number}, Activity: activity(d, r), If: []string{}, Text: numberedBlock(d, r)}
	for _, a := range r.If {
		w.If = append(w.If, a.subject()+" is "+a.grade(d))
	}
	if len(r.If) == 0 {
		w.Always = "ALWAYS"
	}
	var then []ThenWording
	for _, s := range outputs(d, r) {
		formula := s.rule.Then.text(d.figure) + s.of.Curves.sum()
		then = append(then, ThenWording{Label: label(s.of.Target, s.of.Unit), Formula: []TermText{{Product: formula}}})
	}
	if w.Then = &then[0]; d.Response != nil {
		w.Then, w.Outputs = &ThenWording{}, then
	}
	return w
}

// worded returns the THEN part.
func (t RuleText) worded() *ThenWording {
	return &ThenWording{Says: t.Then, Label: t.Label, Formula: t.Formula, Small: t.Small}
}
