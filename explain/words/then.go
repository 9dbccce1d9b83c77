package words

import (
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Consequent is a linear formula, to which the rule adds the values of its curves, if it has
// curves of its own, or else those of [Description.Curves].
type Consequent struct {
	Intercept    float64     `json:"intercept"`
	Coefficients []Parameter `json:"coefficients"`     // by feature
	Curves       []Curve     `json:"curves,omitempty"` // of the rule's own

	stated bool // false for the zero value
}

// IsZero reports whether c is the zero value, so that JSON omits it.
func (c Consequent) IsZero() bool { return !c.stated }

// addThen adds the THEN parts of a model of one output to the rules of its description, and
// the curves that they have in common.
func addThen(d *Description, m *model.Model, columns []group) {
	constant := constantConsequents(m.RuleBase)
	for r, w := range m.RuleBase.Consequents {
		then, slopes := Consequent{stated: true}, []float64(nil)
		then.Intercept, slopes = m.Formula(w)
		for i, f := range m.Inputs() {
			if !constant {
				then.Coefficients = append(then.Coefficients, Parameter{Name: f.Name, Value: slopes[i]})
			}
		}
		if len(m.RuleBase.Curves) > 1 {
			then.Curves = inUnits(m, m.RuleBase.Curves[r])
		}
		d.Rules[r].Then, d.Rules[r].Terms = then, terms(columns, then.Coefficients)
	}
	d.Curves = newCurves(m, d.Rules)
}

// constantConsequents reports whether all slopes are zero.
func constantConsequents(rb *rules.RuleBase) bool {
	for _, w := range rb.Consequents {
		for _, v := range w[1:] {
			if v != 0 {
				return false
			}
		}
	}
	return true
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
