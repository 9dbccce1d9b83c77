package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/digits"
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

// writeByHand writes what is needed besides the rules to compute a prediction by hand.
func writeByHand(b *strings.Builder, d Description) {
	if d.Response != nil {
		d.Response.writeByHand(b, d)
	} else {
		fmt.Fprintf(b, "\n%s is the mean of what the rules say, weighted by %s%s; where no rule fires it is %s.\n",
			plain(d.Target), d.weights, limits(d, d.low, d.high), d.figure(d.mean))
	}
	if len(d.Scalings) == 0 {
		return
	}
	if d.Components == nil {
		b.WriteString(transformText)
	} else {
		b.WriteString("A standardised feature is z(x) = (x - mean) / sd.\n")
	}
	for _, s := range d.Scalings {
		seen := "z"
		if s.Power != nil {
			seen = "u"
		}
		fmt.Fprintf(b, "  %s(%s): mean = %s, sd = %s", seen, plain(s.Feature), d.figure(s.Mean), d.figure(s.SD))
		if p := s.Power; p != nil {
			fmt.Fprintf(b, ", lambda = %s, m = %s, s = %s", d.figure(p.Lambda), d.figure(p.Mean), d.figure(p.SD))
		}
		b.WriteByte('\n')
	}
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
	if a.Half == nil {
		return text
	}
	unit := ""
	if a.Unit != "" && (a.Half.From != nil || a.Half.To != nil) {
		unit = " " + plain(a.Unit)
	}
	return text + ", " + a.Half.String() + unit
}

// sixDigits formats a number with six significant digits, enough to compute predictions by
// hand to some digits.
func sixDigits(v float64) string { return digits.Show(v, 6) }
