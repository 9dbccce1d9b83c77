package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/rules"
)

// Consequent is a linear formula, to which the rule adds the values of its curves, if it has
// curves of its own, or else those of [Description.Curves]. Of a page the intercept is what the rule is about, without coefficients: its
// terms are those of [Description.Page].
type Consequent struct {
	Intercept    float64     `json:"intercept"`
	Coefficients []Parameter `json:"coefficients"`     // by feature
	Curves       []Curve     `json:"curves,omitempty"` // of the rule's own

	stated bool // false for the zero value
}

// IsZero reports whether c is the zero value, so that JSON omits it.
func (c Consequent) IsZero() bool { return !c.stated }

// Said is what a rule says of an output.
type Said struct {
	Output string     `json:"output"`
	Then   Consequent `json:"then"`
	Terms  []Term     `json:"terms,omitempty"` // of the THEN part, the largest effect first
}

// Output is an output of the rules on the scale of the link: the mean of what the rules say of it is the argument of the link. Scores of
// classes are relative to their mean over the classes, which has no effect on the probabilities, unless the model was rounded.
type Output struct {
	Name   string  `json:"name"` // such as "log odds of versicolor"
	Unit   string  `json:"unit,omitempty"`
	Curves *Curves `json:"curves,omitempty"` // that the rules add to their formulas of this output

	precision
	spread  float64 // a quarter of the range, for rounding
	rmse    float64 // of the model in training; 0: unknown
	factors bool    // it is a logarithm, whose changes are printed as factors
	alone   bool    // the description is of one number, this output
}

// shorten shortens the numbers of an output and of what the rules say of it.
func (o *Output) shorten(all []Said) {
	curve := func(c Curve) {
		for q := range c.X {
			shorten(&c.X[q], &c.Y[q])
		}
	}
	if o.Curves != nil {
		for _, c := range o.Curves.Of {
			curve(c.Curve)
		}
	}
	for i := range all {
		then := &all[i].Then
		shorten(&then.Intercept)
		for k := range then.Coefficients {
			shorten(&then.Coefficients[k].Value)
		}
		for _, c := range then.Curves {
			curve(c)
		}
		for k := range all[i].Terms {
			shorten(&all[i].Terms[k].Slope)
		}
	}
}

// constantConsequents reports whether all slopes are zero.
func constantConsequents(rb *rules.RuleBase) bool {
	return !slices.ContainsFunc(rb.Consequents, func(w []float64) bool {
		return slices.ContainsFunc(w[1:], func(v float64) bool { return v != 0 })
	})
}

// ThenWording is what a rule says of an output or, of a rule with Outputs, of all: Says and Small alone.
type ThenWording struct {
	Says    string     `json:"says,omitempty"`    // such as "strength is about 60.0 MPa"; may be empty if there is a formula
	Label   string     `json:"label,omitempty"`   // left-hand side of the formula, such as "strength [MPa]"
	Formula []TermText `json:"formula,omitempty"` // the intercept, then the terms with large effects; empty: the output is constant
	Small   string     `json:"small,omitempty"`   // the other terms, such as "and less than 3.47 MPa each by fine_aggregate, age"

	page bool // Says and Formula are those of a page
}

// TermText is a term of a THEN formula, such as "- 0.291 water", and its effect, such as "-21.8 from 146 to 221 kg/m3".
type TermText struct {
	Product string `json:"product"`
	Effect  string `json:"effect,omitempty"`
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
	switch {
	case t.page:
		lines[0] = t.Says
	case t.Says != "":
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

// say returns what a rule says of the output; about is the mean of it on samples, nil if it was not measured.
func (o *Output) say(s Said, about *float64) ThenWording {
	constant, terms := foldPairs(s.Then.Intercept, s.Terms)
	intercept, t := o.rounded(constant, near(constant, o.spread)), ThenWording{Label: label(o.Name, o.Unit)}
	if len(terms) == 0 && o.Curves == nil {
		t.Says = plain(o.Name) + " is " + withUnit(intercept, o.Unit)
		return t
	}
	if about != nil {
		spread := o.spread
		if o.factors {
			spread = min(spread, *about)
		}
		t.Says = plain(o.Name) + " is about " + withUnit(near(*about, spread), o.Unit)
	}
	large, small := divide(terms)
	if o.complete {
		large, small = terms, nil
	}
	t.Formula = append(t.Formula, TermText{Product: intercept})
	for _, term := range large {
		t.Formula = append(t.Formula, TermText{o.product(term), o.effect(term)})
	}
	if o.Curves != nil {
		its := "the "
		if o.Curves.Own {
			its = "its "
		}
		t.Formula = append(t.Formula, TermText{Product: "+ " + its + o.Curves.count()})
	}
	if len(small) > 0 {
		bound, each := float64(smallEffect*math.Abs(terms[0].Effect)), " each"
		names := namesOf(small, terms, bound)
		if len(names) == 1 {
			each = ""
		}
		limit := "less than " + withUnit(near(bound, o.spread/10), o.Unit)
		if o.factors {
			limit = "a factor of less than " + numeric.Show(math.Exp(bound), 3)
		}
		t.Small = fmt.Sprintf("and %s%s by %s", limit, each, strings.Join(names, ", "))
	}
	return t
}

// product returns a term in a formula, with its sign.
func (o *Output) product(t Term) string {
	text := "+ "
	if t.Slope < 0 {
		text = "- "
	}
	text += o.rounded(math.Abs(t.Slope), plainly(math.Abs(t.Slope), 3))
	if t.Level != "" {
		return text + " if " + plain(t.Column) + " is " + plain(t.Level)
	}
	return text + " " + plain(t.Column)
}

// effect returns the effect of a term in words; empty for a level, whose slope is its effect.
func (o *Output) effect(t Term) string {
	change := slight(t.Effect, o.spread)
	if o.factors {
		change = "times " + numeric.Show(math.Exp(t.Effect), 3)
	}
	switch {
	case t.Level != "" && o.factors:
		return change
	case t.Level != "":
		return ""
	}
	return fmt.Sprintf("%s from %s to %s", change, trimmed(near(t.From, t.spread)), withUnit(trimmed(near(t.To, t.spread)), t.Unit))
}

// String returns the formula with six significant digits, without coefficients of zero.
func (c Consequent) String() string { return c.text(sixDigits) }

// text returns the formula with numbers in a format.
func (c Consequent) text(figure func(float64) string) string {
	sum := sumOf(slices.DeleteFunc(slices.Clone(c.Coefficients), func(p Parameter) bool { return p.Value == 0 }), figure)
	if sum == "" {
		return figure(c.Intercept)
	}
	if text, negative := strings.CutPrefix(sum, "-"); negative {
		return figure(c.Intercept) + " - " + text
	}
	return figure(c.Intercept) + " + " + sum
}

// sumOf formats a sum of products of numbers and names.
func sumOf(terms []Parameter, figure func(float64) string) string {
	text := ""
	for i, p := range terms {
		switch negative := p.Value < 0; {
		case negative && i == 0:
			text += "-"
		case negative:
			text += " - "
		case i > 0:
			text += " + "
		}
		text += figure(math.Abs(p.Value)) + " " + plain(p.Name)
	}
	return text
}

// Term is the term of a feature in a rule's THEN formula, and its effect.
type Term struct {
	Column string  `json:"column"`
	Level  string  `json:"level,omitempty"` // of a one-hot column: the term counts if the column has this level
	Unit   string  `json:"unit,omitempty"`
	Slope  float64 `json:"slope"`

	// Effect is the change of the term from From to To, the 5% and 95% quantiles of the
	// training values or, if these are equal, their range; 0 and 1 for a level.
	Effect float64 `json:"effect"`
	From   float64 `json:"from"`
	To     float64 `json:"to"`

	spread float64
	pair   int // number of the level, from 1, in a column of two levels; 0 for any other column
}

// termsOf returns the terms of a THEN formula that are not zero, the largest effect first.
func termsOf(columns []group, coefficients []Parameter) []Term {
	var all []Term
	for _, g := range columns {
		for k, i := range g.inputs {
			if len(coefficients) <= i || coefficients[i].Value == 0 {
				continue
			}
			f := g.seen[k]
			t := Term{Column: g.column.Name, Unit: g.column.Unit, Slope: coefficients[i].Value, From: f.Quantile(0.05), To: f.Quantile(0.95),
				spread: f.SD}
			if g.column.Nominal() {
				t.Level = g.column.Levels[g.from[k]-g.first]
				if len(g.column.Levels) == 2 {
					t.pair = 1 + g.from[k] - g.first
				}
			}
			if t.Level != "" || t.From == t.To {
				t.From, t.To = f.Min, f.Max
			}
			t.Effect = t.Slope * (t.To - t.From)
			all = append(all, t)
		}
	}
	sortTerms(all)
	return all
}

func sortTerms(all []Term) {
	slices.SortStableFunc(all, func(a, b Term) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
}

// foldPairs combines the two terms of a column of two levels into one of the second level, and
// adds the slope of the first level to the intercept: a sample has one of the two.
func foldPairs(intercept float64, all []Term) (float64, []Term) {
	var folded []Term
	for _, t := range all {
		other := slices.IndexFunc(all, func(o Term) bool { return o.Column == t.Column && o.pair == 3-t.pair })
		switch {
		case t.pair == 0 || other < 0:
			folded = append(folded, t)
		case t.pair == 1:
			intercept += t.Slope
		case t.Slope != all[other].Slope:
			t.Slope -= all[other].Slope
			t.Effect = t.Slope * (t.To - t.From)
			folded = append(folded, t)
		}
	}
	sortTerms(folded)
	return intercept, folded
}

// smallEffect is the share of the largest effect below which terms are only named.
const smallEffect = 0.1

// divide returns the terms to write in full and those to name.
func divide(all []Term) (large, small []Term) {
	for i, t := range all {
		if math.Abs(t.Effect) < smallEffect*math.Abs(all[0].Effect) {
			return all[:i], all[i:]
		}
	}
	return all, nil
}

// name returns the column of a term, with its level.
func (t Term) name() string {
	if t.Level != "" {
		return plain(t.Column) + " " + plain(t.Level)
	}
	return plain(t.Column)
}

// namesOf returns the names of the small terms of a formula: of a column of levels only the
// column, if all its terms are small and any two differ by less than the bound of small ones.
func namesOf(small, all []Term, bound float64) []string {
	var names []string
	for _, t := range small {
		name := t.name()
		if t.pair > 0 || t.Level != "" && together(t.Column, all, bound) {
			name = plain(t.Column)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// together reports whether the effects of any two levels of a column, zero without a term, differ by less than the bound.
func together(column string, all []Term, bound float64) bool {
	least, largest := 0.0, 0.0
	for _, t := range all {
		if t.Column == column {
			least, largest = min(least, t.Effect), max(largest, t.Effect)
		}
	}
	return largest-least < bound
}
