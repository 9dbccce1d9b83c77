package words

import (
	"fmt"
	"io"
	"slices"
)

// Worded returns the description with its Wording.
func Worded(d Description) Description {
	w := d.Sentences()
	d.Wording = &w
	return d
}

// Sentences returns the description in words or, for a model without words, in numbers.
func (d Description) Sentences() Wording { return d.sentences(false) }

// Numbers returns the description in numbers: of a page its text, of other models the parameters of the membership functions in the data's
// own units, the THEN formulas, and everything else that a prediction needs.
func (d Description) Numbers() Wording { return d.sentences(true) }

// Write writes the rules in numbers, see [Description.Numbers].
func (d Description) Write(w io.Writer) error {
	_, err := io.WriteString(w, d.Numbers().Text)
	return err
}

// WriteWords writes the rules in words: each condition by the ranks of its values among the training values, each THEN formula with the
// largest effects first, then Interpretability and the legend. For a model without words it writes the reason and the rules in numbers.
func (d Description) WriteWords(w io.Writer) error {
	_, err := io.WriteString(w, d.Sentences().Text)
	return err
}

func (d Description) sentences(numbers bool) Wording {
	w := Wording{Remark: d.Readability.Remark()}
	switch {
	case len(d.Members) > 0:
		w.Introduction = fmt.Sprintf("A committee of %d models: it predicts the mean of their %s.\n", len(d.Members), d.Response.committee())
		d.weighted = d.Members[0].weighted
		for _, member := range d.Members {
			w.Members = append(w.Members, member.sentences(numbers))
		}
	case d.Pages != nil:
		d.sayPage(&w)
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
	if d.weighted != "" {
		w.Notes = append(w.Notes, d.weighted)
	}
	if d.Neighbours != nil {
		w.Notes = append(w.Notes, d.Neighbours.String())
	}
	if d.Interval != nil {
		w.Notes = append(w.Notes, d.Interval.String())
		if by := d.Interval.ByRule(); by != "" {
			w.Notes = append(w.Notes, by+".")
		}
	}
	w.Text = w.text()
	return w
}

// Say returns one of the rules in words or, of a model without words, in numbers.
func (d Description) Say(r Rule) RuleWording {
	if d.Pages != nil {
		return d.ruleOfPage(r)
	}
	if d.Interpretability == nil {
		return d.ruleInNumbers(r, 0)
	}
	return d.ruleInWords(r)
}

// sayInWords adds the rules in words.
func (d Description) sayInWords(w *Wording) {
	w.Introduction, w.Measures, w.Bounds = d.introduction(), d.Interpretability.String(), boundsInWords(d.Bounds, len(d.Rules))
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
		w.Omitted = fmt.Sprintf("Not shown, strongest for no sample, %.2g%% of the firing together: %s.", 100*idleShare, namedRules(idle))
	}
	w.Curves = d.curvesInWords()
}

// sayInNumbers adds the rules in numbers.
func (d Description) sayInNumbers(w *Wording) {
	w.Definitions, w.Points, w.Bounds, w.Computing = d.definitions(), d.curvePoints(), boundsInWords(d.Bounds, len(d.Rules)), d.byHand()
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

// introduction says what the rules make up, and how their weights are computed.
func (d Description) introduction() string {
	what := d.Response.mean()
	text := fmt.Sprintf("%s the mean of what %d rules say, weighted by how far their conditions hold.\n", what, len(d.Rules))
	if len(d.Rules) == 1 {
		text = what + " what a single rule says.\n"
	}
	text += d.Response.meaning()
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

// transformText explains u(x), see [model.Power].
const transformText = `u(x) is how the IF parts see a skewed feature x (Yeo and Johnson's transform): with z = (x - mean) / sd,
  psi = ((z + 1)^lambda - 1) / lambda for z >= 0, log(z + 1) if lambda is 0;
  psi = (1 - (1 - z)^(2 - lambda)) / (2 - lambda) for z < 0, -log(1 - z) if lambda is 2;
  u = (psi - m) / s, at least -8 and at most 8.
`

// byHand says what is needed besides the rules to compute a prediction by hand.
func (d Description) byHand() string {
	text := d.Response.byHand(d.weights, d.figure)
	switch {
	case len(d.Scalings) == 0:
	case d.Components == nil:
		text += transformText
	default:
		text += "A standardised feature is z(x) = (x - mean) / sd.\n"
	}
	for _, s := range d.Scalings {
		seen, power := "z", ""
		if p := s.Power; p != nil {
			seen, power = "u", fmt.Sprintf(", lambda = %s, m = %s, s = %s", d.figure(p.Lambda), d.figure(p.Mean), d.figure(p.SD))
		}
		text += fmt.Sprintf("  %s(%s): mean = %s, sd = %s%s\n", seen, plain(s.Feature), d.figure(s.Mean), d.figure(s.SD), power)
	}
	return text
}

// curvesInWords describes the curves that the rules have in common, of each output; nil without curves.
func (d Description) curvesInWords() []CurveText {
	var all []CurveText
	for i := range d.of {
		if o := &d.of[i]; o.Curves != nil {
			all = append(all, o.curvesInWords())
		}
	}
	return all
}

// curvePoints says what the points of curves are, and returns those of curves that all rules share.
func (d Description) curvePoints() string {
	text := ""
	for i, o := range d.of {
		if o.Curves == nil {
			continue
		}
		if i == 0 {
			text = "A curve is straight between its points (value of the feature, value of the curve), constant beyond the first and the last.\n"
		}
		if o.Curves.Own {
			continue
		}
		if !o.alone {
			text += "Of " + label(o.Name, o.Unit) + ":\n"
		}
		for _, c := range o.Curves.Of {
			text += pointLines([]Curve{c.Curve}, d.figure)
		}
	}
	return text
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
	legendResponse = `What is said after THEN, before the formula, is the response to the rule alone, a mean over the samples weighted ` +
		`by its firing.
`
	legendRest = `Conditions on a column of few values name these. Columns whose grade varies by less than a fifth are mentioned only in a
rule without other conditions. The rules that decide most samples come first.
`
	legendCurves = `The words of a curve follow it to within a tenth of its range. Hardly: by at most a tenth of its range; steeply and ` +
		`slowly: at
least twice, at most half as steep as on average. A curve hardly matters if its range is at most a tenth of `
	legendOneCurve = legendCurves + `the RMSE in
training, or of its range together with the mean slope of the rules.
`
	legendOutputCurves = legendCurves + `its range together
with the mean slope of the rules.
`
)

// legend explains the words that the conditions of the rules use; empty for a model without words.
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

// WriteTree writes the tree that the rules came from, indented, with a line per condition and
// per rule. Its error wraps [ErrNoTree] if there is none; of a committee, if no member has one.
func WriteTree(w io.Writer, d Description) error {
	var all []string
	members, trees := d.Members, 0
	if len(members) == 0 {
		members = []Description{d}
	}
	for i, one := range members {
		if len(d.Members) > 0 {
			all = append(all, fmt.Sprintf("Member %d of %d", i+1, len(members)))
		}
		if one.Tree == nil {
			all = append(all, one.noTree.Error()+".")
		} else {
			trees++
			all = append(all, one.Tree.String(), one.Tree.Root.text(""))
		}
	}
	if trees == 0 {
		return members[0].noTree
	}
	_, err := io.WriteString(w, paragraphs(all))
	return err
}
