package words

import (
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Antecedent is one membership function.
type Antecedent struct {
	Feature    string      `json:"feature"`
	Unit       string      `json:"unit,omitempty"`
	Parameters []Parameter `json:"parameters"`     // in the feature's unit; for a transformed feature only positions
	Half       *Half       `json:"half,omitempty"` // for a transformed feature

	Transformed []Parameter `json:"transformed,omitempty"` // all parameters, on the scale of the feature's transform
}

// Parameter is a named number.
type Parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`

	open bool // the position of an open border
}

// text returns the parameter, formatted by figure, such as "c = 3.4".
func (p Parameter) text(figure func(float64) string) string {
	if p.open {
		return p.Name + " open"
	}
	return p.Name + " = " + figure(p.Value)
}

// Scaling is the scaling of a feature for the rules: the z-score (x - Mean) / SD and, for the
// IF parts, the transform Power if it is not nil.
type Scaling struct {
	Feature string       `json:"feature"`
	Mean    float64      `json:"mean"`
	SD      float64      `json:"sd"`
	Power   *model.Power `json:"power,omitempty"` // u(x), see [model.Power]
}

// scalings returns the scalings of the features whose antecedents are not in their own units:
// the transformed ones or, for a model with components, all.
func scalings(m *model.Model) []Scaling {
	var all []Scaling
	for _, f := range m.Used() {
		if f.Power != nil || m.Components != nil {
			all = append(all, Scaling{f.Name, f.Mean, f.SD, f.Power})
		}
	}
	return all
}

// subject returns the feature of an antecedent with its unit, or its transform.
func (a Antecedent) subject() string {
	if a.Transformed != nil {
		return "u(" + plain(a.Feature) + ")"
	}
	return label(a.Feature, a.Unit)
}

// grade returns the text of the membership function of an antecedent, with numbers in a format.
func (a Antecedent) grade(shape string, figure func(float64) string) string {
	params := a.Parameters
	if a.Transformed != nil {
		params = a.Transformed
	}
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = p.text(figure)
	}
	text := shape + "(" + strings.Join(parts, ", ") + ")"
	switch h := a.Half; {
	case h == nil:
		return text
	case h.From == nil && h.To == nil:
		return text + ", " + h.String()
	}
	return text + ", " + withUnit(a.Half.String(), a.Unit)
}

// Half is the range of values where a membership grade is at least 1/2; a null end is unbounded.
type Half struct {
	From *float64 `json:"from"`
	To   *float64 `json:"to"`
}

// antecedent describes a membership function of a feature.
func antecedent(shape membership.Function, p []float64, f model.Feature) Antecedent {
	a := Antecedent{Feature: f.Name}
	for j, param := range shape.Params() {
		open := membership.IsOpen(param, p[j])
		switch {
		case f.Power == nil:
			a.Parameters = append(a.Parameters, Parameter{param.Name, f.InUnits(p[j], param.Kind), open})
		case param.Kind == membership.Position:
			if v := f.Unscaled(p[j]); !math.IsInf(v, 0) {
				a.Parameters = append(a.Parameters, Parameter{param.Name, v, open})
			}
		}
	}
	if f.Power != nil {
		a.Half = halfRange(shape, p, f)
		for j, param := range shape.Params() {
			a.Transformed = append(a.Transformed, Parameter{param.Name, p[j], membership.IsOpen(param, p[j])})
		}
	}
	return a
}

// halfRange returns the range from the lowest to the highest value of a transformed feature whose
// grade is at least 1/2; nil if there is none.
func halfRange(shape membership.Function, p []float64, f model.Feature) *Half {
	const reach, steps = 10, 4000 // in the antecedents' scale
	grade := func(u float64) float64 {
		g := []float64{u}
		shape.Grades(g, g, p)
		return g[0]
	}
	at := func(i int) float64 { return float64(reach * (2*float64(i)/steps - 1)) }
	first, last := -1, -1
	for i := range steps + 1 {
		if grade(at(i)) >= 0.5 {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return nil
	}
	// end returns the value between an inner and an outer point whose grade is 1/2.
	end := func(inner, outer int) *float64 {
		if outer < 0 || outer > steps {
			return nil
		}
		in, out := at(inner), at(outer)
		for range 40 {
			if middle := float64((in + out) / 2); grade(middle) >= 0.5 {
				in = middle
			} else {
				out = middle
			}
		}
		v := f.Unscaled(in)
		if math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return &Half{end(first, first-1), end(last, last+1)}
}

// String returns the range in words.
func (h *Half) String() string {
	switch {
	case h.From == nil && h.To == nil:
		return "half or more everywhere"
	case h.From == nil:
		return "half or more up to " + number(*h.To)
	case h.To == nil:
		return "half or more from " + number(*h.From)
	}
	return "half or more from " + number(*h.From) + " to " + number(*h.To)
}

// shortenParameters shortens the numbers of an IF part.
func shortenParameters(conditions []Antecedent) {
	for _, a := range conditions {
		for _, params := range [][]Parameter{a.Parameters, a.Transformed} {
			for i := range params {
				shorten(&params[i].Value)
			}
		}
	}
}

// sameIf returns, for each rule, the numbers of all rules with the same IF part; nil if it is the only one.
func sameIf(rb *rules.RuleBase) [][]int {
	all := make([][]int, rb.Rules())
	for r := range all {
		if all[r] != nil {
			continue
		}
		same := []int{r + 1}
		for q := r + 1; q < len(all); q++ {
			if equalIf(rb, r, q) {
				same = append(same, q+1)
			}
		}
		for _, number := range same {
			if len(same) > 1 {
				all[number-1] = same
			}
		}
	}
	return all
}

// equalIf reports whether two rules have the same membership functions.
func equalIf(rb *rules.RuleBase, r, q int) bool {
	for m := range rb.Features() {
		for _, p := range rb.Antecedents {
			if p[r][m] != p[q][m] && !(rb.IsFlat(r, m) && rb.IsFlat(q, m)) {
				return false
			}
		}
	}
	return true
}

// featureUnits returns the units of the columns by feature name.
func featureUnits(m *model.Model) map[string]string {
	units := map[string]string{}
	if m.Components != nil {
		return units // components have no units
	}
	for _, c := range m.Schema.Columns {
		units[c.Name] = c.Unit
	}
	return units
}
