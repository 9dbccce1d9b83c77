package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/model"
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
