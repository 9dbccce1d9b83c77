package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

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

// transformText explains u(x), see [model.Power].
const transformText = `u(x) is how the IF parts see a skewed feature x (Yeo and Johnson's transform): with z = (x - mean) / sd,
  psi = ((z + 1)^lambda - 1) / lambda for z >= 0, log(z + 1) if lambda is 0;
  psi = (1 - (1 - z)^(2 - lambda)) / (2 - lambda) for z < 0, -log(1 - z) if lambda is 2;
  u = (psi - m) / s, at least -8 and at most 8.
`

// byHand says what is needed besides the rules to compute a prediction by hand.
func (d Description) byHand() string {
	text := d.Response.byHand(d)
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

// limits returns the limits of predictions, such as ", at least 0, at most 10"; empty without.
func limits(d Description, low, high float64) string {
	text := ""
	if !math.IsInf(low, 0) {
		text += ", at least " + d.figure(low)
	}
	if !math.IsInf(high, 0) {
		text += ", at most " + d.figure(high)
	}
	return text
}

// subject returns the feature of an antecedent with its unit, or its transform.
func (a Antecedent) subject() string {
	if a.Transformed != nil {
		return "u(" + plain(a.Feature) + ")"
	}
	return label(a.Feature, a.Unit)
}

// grade returns the text of the membership function of an antecedent.
func (a Antecedent) grade(d Description) string {
	params := a.Parameters
	if a.Transformed != nil {
		params = a.Transformed
	}
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = p.text(d.figure)
	}
	text := d.Membership + "(" + strings.Join(parts, ", ") + ")"
	switch h := a.Half; {
	case h == nil:
		return text
	case h.From == nil && h.To == nil:
		return text + ", " + h.String()
	}
	return text + ", " + withUnit(a.Half.String(), a.Unit)
}

// Half is the range of values where a membership grade is at least 1/2; a null end is
// unbounded.
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
		a.Half = half(shape, p, f)
		for j, param := range shape.Params() {
			a.Transformed = append(a.Transformed, Parameter{param.Name, p[j], membership.IsOpen(param, p[j])})
		}
	}
	return a
}

// half returns the range from the lowest to the highest value of a transformed feature whose
// grade is at least 1/2; nil if there is none.
func half(shape membership.Function, p []float64, f model.Feature) *Half {
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

// addInference adds how the rules of a rulebase fire and are weighted.
func addInference(d *Description, rb *rules.RuleBase) {
	norm, by := inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	if norm != (inference.Product{}) {
		d.TNorm = norm.Name()
	}
	if by != (inference.TSK{}) {
		d.Defuzzification = by.Name()
	}
	d.weights = by.Meaning(norm.Meaning(), rb.Features())
}

// joinLogs writes the logarithm of T(e^f[n], e^g[n]) to f[n].
func joinLogs(t inference.TNorm, f, g []float64) {
	if log, ok := inference.OrProduct(t).(inference.LogTNorm); ok {
		log.JoinLogs(f, g)
		return
	}
	for n := range f {
		level := []float64{math.Exp(f[n])}
		t.Join(level, []float64{math.Exp(g[n])})
		f[n] = math.Log(level[0])
	}
}
