// Package report tells people what a model is and how it does: rules as text,
// results as tables.
package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// Description is a model in the data's own units.
type Description struct {
	Target     string `json:"target"`
	Unit       string `json:"unit,omitempty"`
	Membership string `json:"membership"`
	Formula    string `json:"formula,omitempty"` // mu(x), of a shape that is not built in
	Samples    int    `json:"samples"`           // of the training part

	Components []PrincipalComponent `json:"components,omitempty"` // what the rules see in place of the features

	Rules []Rule `json:"rules,omitempty"` // the one that fires most first; none for a committee

	Members  []Description `json:"members,omitempty"`  // of a committee
	Interval *Interval     `json:"interval,omitempty"` // of a model that was calibrated for it
}

// PrincipalComponent is a sum of standardised features.
type PrincipalComponent struct {
	Name     string      `json:"name"`
	SD       float64     `json:"sd"`       // standard deviation in the training part
	Loadings []Parameter `json:"loadings"` // by feature
}

// Rule is one rule.
type Rule struct {
	Number  int          `json:"rule"`    // from 1, its place in the model file
	Share   float64      `json:"share"`   // mean normalised firing level on the training part
	Samples int          `json:"samples"` // of the training part, for which it fires most
	If      []Antecedent `json:"if"`
	Then    Consequent   `json:"then"`
}

// Antecedent is one membership function.
type Antecedent struct {
	Feature    string      `json:"feature"`
	Unit       string      `json:"unit,omitempty"`
	Parameters []Parameter `json:"parameters"`
}

// Parameter is a named number.
type Parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Consequent is a linear formula.
type Consequent struct {
	Intercept    float64     `json:"intercept"`
	Coefficients []Parameter `json:"coefficients"` // by feature
}

// Describe turns a model's scaled parameters back into the data's units.
func Describe(m *model.Model) Description {
	if m.Committee() {
		return describeCommittee(m)
	}
	d := Description{
		Target: m.Schema.Target, Unit: m.Schema.TargetUnit,
		Membership: m.RuleBase.Shape.Name(), Samples: m.Training.Samples,
	}
	if f, ok := membership.Written(m.RuleBase.Shape); ok {
		d.Formula = f.Expr
	}
	d.Interval = describeInterval(m)
	units := featureUnits(m)
	for k, c := range m.Components {
		pc := PrincipalComponent{Name: m.Inputs()[k].Name, SD: c.SD}
		for i, f := range m.Used() {
			pc.Loadings = append(pc.Loadings, Parameter{f.Name, c.Loadings[i]})
		}
		d.Components = append(d.Components, pc)
	}
	params := m.RuleBase.Shape.Params()
	values := make([]float64, len(params))
	for r, w := range m.RuleBase.Consequents {
		rule := Rule{Number: r + 1, Share: m.Rules[r].Share, Samples: m.Rules[r].Samples}
		rule.Then.Intercept = m.Target.Mean + w[0]
		for i, f := range m.Inputs() {
			m.RuleBase.Function(values, r, i)
			a := Antecedent{Feature: f.Name, Unit: units[f.Name]}
			for j, p := range params {
				a.Parameters = append(a.Parameters, Parameter{p.Name, inUnits(values[j], p.Kind, f)})
			}
			rule.If = append(rule.If, a)
			slope := w[i+1] / f.SD
			rule.Then.Intercept -= slope * f.Mean
			rule.Then.Coefficients = append(rule.Then.Coefficients, Parameter{f.Name, slope})
		}
		d.Rules = append(d.Rules, rule)
	}
	slices.SortStableFunc(d.Rules, func(a, b Rule) int {
		return cmp.Compare(b.Share, a.Share)
	})
	return d
}

// inUnits turns a scaled parameter back into the units of its feature.
func inUnits(v float64, kind membership.Kind, f model.Feature) float64 {
	switch kind {
	case membership.Position:
		return v*f.SD + f.Mean
	case membership.Spread:
		return v * f.SD
	case membership.Slope:
		return v / f.SD
	}
	return v // a pure number
}

// featureUnits returns the units of the columns by feature name.
func featureUnits(m *model.Model) map[string]string {
	units := map[string]string{}
	if m.Components != nil {
		return units // components have none
	}
	for _, c := range m.Schema.Columns {
		units[c.Name] = c.Unit
	}
	return units
}

// Write writes the rules as text.
func (d Description) Write(w io.Writer) error {
	var b strings.Builder
	if len(d.Members) > 0 {
		if err := d.writeMembers(&b); err != nil {
			return err
		}
	} else {
		d.writeRules(&b)
	}
	if d.Interval != nil {
		fmt.Fprintf(&b, "\n%s\n", d.Interval)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (d Description) writeRules(b *strings.Builder) {
	if d.Formula != "" {
		fmt.Fprintf(b, "%s(x) = %s\n\n", d.Membership, d.Formula)
	}
	if d.Components != nil {
		b.WriteString("Principal components of the standardised features:\n")
		for _, c := range d.Components {
			fmt.Fprintf(b, "  %s = %s\n", c.Name, sumOf(c.Loadings))
		}
		b.WriteByte('\n')
	}
	width := 0
	for _, a := range d.Rules[0].If {
		width = max(width, len([]rune(label(a.Feature, a.Unit))))
	}
	for i, r := range d.Rules {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "Rule %d: %.1f%% of the firing, strongest for %d of %d samples\n", r.Number, 100*r.Share, r.Samples, d.Samples)
		for i, a := range r.If {
			and := "AND"
			if i == 0 {
				and = "IF"
			}
			fmt.Fprintf(b, "  %-3s %-*s is %s(%s)\n", and, width, label(a.Feature, a.Unit), d.Membership, parameters(a.Parameters))
		}
		fmt.Fprintf(b, "  THEN %s = %s\n", label(d.Target, d.Unit), r.Then)
	}
}

func label(name, unit string) string {
	name = plain(name)
	if unit == "" {
		return name
	}
	return name + " [" + plain(unit) + "]"
}

// plain makes a name from the data safe to print: control characters are
// escaped.
func plain(s string) string {
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

func parameters(ps []Parameter) string {
	var parts []string
	for _, p := range ps {
		parts = append(parts, p.Name+" = "+number(p.Value))
	}
	return strings.Join(parts, ", ")
}

// String returns the formula.
func (c Consequent) String() string {
	if len(c.Coefficients) == 0 {
		return number(c.Intercept)
	}
	sum := sumOf(c.Coefficients)
	if sum == "" {
		return number(c.Intercept)
	}
	if text, negative := strings.CutPrefix(sum, "-"); negative {
		return number(c.Intercept) + " - " + text
	}
	return number(c.Intercept) + " + " + sum
}

// sumOf writes a sum of products of numbers and names.
func sumOf(terms []Parameter) string {
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
		text += number(math.Abs(p.Value)) + " " + plain(p.Name)
	}
	return text
}

// number shows four significant digits. Minus zero is zero.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', 4, 64) }
