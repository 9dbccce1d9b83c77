package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/model"
)

// Curve is a function of a feature in THEN parts, in the units of the data: linear between its
// points (X, Y), constant beyond the first and the last.
type Curve struct {
	Feature string    `json:"feature"`
	Unit    string    `json:"unit,omitempty"`
	X       []float64 `json:"x"`
	Y       []float64 `json:"y"`

	Input  int     `json:"-"` // of the rules, from 0
	spread float64 // standard deviation of the feature, for rounding
}

// Curves are what the rules have in common: the curves that all add to their formulas or, if
// each rule has curves of its own, see [Consequent], the means of these over the rules.
type Curves struct {
	Own bool          `json:"own"`
	Of  []CommonCurve `json:"of"` // in the order of the features
}

// CommonCurve is a curve of [Curves]. The rules' formulas add terms in the same feature.
type CommonCurve struct {
	Curve
	Slope float64 `json:"slope"` // mean coefficient of the feature over the rules
	Words string  `json:"words"` // the curve in words

	// WithSlope is the sum of the curve and the term with Slope in words; empty if the term
	// changes the curve by less than a tenth of its range.
	WithSlope string `json:"with_slope,omitempty"`

	mean float64 // of the feature
	size float64 // range of Y
}

// Total returns the values, at X, of the sum of the curve and the term with the mean slope of
// the rules, zero at the mean of the feature.
func (c CommonCurve) Total() []float64 {
	sum := slices.Clone(c.Y)
	for q, x := range c.X {
		sum[q] += float64(c.Slope * (x - c.mean))
	}
	return sum
}

// newCurves returns the curves of rules whose formulas are known.
func newCurves(m *model.Model, described []Said) *Curves {
	rb := m.RuleBase
	if rb.Curves == nil {
		return nil
	}
	all := Curves{Own: len(rb.Curves) > 1}
	inputs := m.Inputs()
	for _, curve := range inUnits(m, model.MeanCurves(rb)) {
		c := CommonCurve{Curve: curve, mean: inputs[curve.Input].Mean, size: slices.Max(curve.Y) - slices.Min(curve.Y)}
		for _, s := range described {
			if s.Then.Coefficients != nil {
				c.Slope += s.Then.Coefficients[c.Input].Value / float64(len(described))
			}
		}
		c.Words = shape(c.X, c.Y, c.place)
		if change := c.Slope * (c.X[len(c.X)-1] - c.X[0]); math.Abs(change) >= wordsOff*c.size {
			c.WithSlope = shape(c.X, c.Total(), c.place)
		}
		all.Of = append(all.Of, c)
	}
	return &all
}

// inUnits returns the curves with the given values at the knots of the model's rules.
func inUnits(m *model.Model, values []float64) []Curve {
	var all []Curve
	inputs, units := m.Inputs(), featureUnits(m)
	for _, c := range model.Curves(m.Preprocessing, m.RuleBase.Knots, values) {
		f := inputs[c.Input]
		all = append(all, Curve{Feature: f.Name, Unit: units[f.Name], X: c.X, Y: c.Y, Input: c.Input, spread: f.SD})
	}
	return all
}

// place formats a value of the feature with its unit.
func (c Curve) place(x float64) string {
	return withUnit(trimmed(near(x, c.spread)), c.Unit)
}

// points formats the points.
func (c Curve) points(figure func(float64) string) string {
	parts := make([]string, len(c.X))
	for q, x := range c.X {
		parts[q] = "(" + figure(x) + ", " + figure(c.Y[q]) + ")"
	}
	return strings.Join(parts, " ")
}

// count returns the number of curves.
func (c *Curves) count() string {
	if len(c.Of) == 1 {
		return "curve"
	}
	return fmt.Sprintf("%d curves", len(c.Of))
}

// sum returns the curves as terms of a formula, such as " + curve(age)".
func (c *Curves) sum() string {
	if c == nil {
		return ""
	}
	text := ""
	for _, one := range c.Of {
		text += " + curve(" + plain(one.Feature) + ")"
	}
	return text
}

// term returns the curves as a term of a formula in words.
func (c *Curves) term() TermText {
	if c.Own {
		return TermText{Product: "+ its " + c.count()}
	}
	return TermText{Product: "+ the " + c.count()}
}

// pointLines returns the points of curves, a line each.
func pointLines(curves []Curve, figure func(float64) string) string {
	text := ""
	for _, c := range curves {
		text += fmt.Sprintf("  curve(%s): %s\n", plain(c.Feature), c.points(figure))
	}
	return text
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
