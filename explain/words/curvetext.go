package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// CurveText has the words of the curves that rules have in common, for texts and pages.
type CurveText struct {
	Heading string      `json:"heading"`
	Each    []CurveLine `json:"each,omitempty"`  // the largest range first
	Small   string      `json:"small,omitempty"` // curves that hardly matter, such as "hardly matter: slag, water"; may be empty
}

// CurveLine has the words of a curve, see [CommonCurve].
type CurveLine struct {
	Feature   string `json:"feature"`
	Alone     string `json:"alone"`
	WithSlope string `json:"with_slope,omitempty"`
}

// hardlyMatters is the share of the model's error in training, and of the range of the curve
// with the mean slope of the rules, below which the range of a curve is hardly worth words.
const hardlyMatters = 0.1

// prefix returns a text about the output, which begins with its name if there are others.
func (o *Output) prefix(text string) string {
	if o.alone {
		return text
	}
	return plain(o.Name) + ": " + text
}

// curvesInWords describes the curves of one output, which rules add to a formula.
func (o *Output) curvesInWords() CurveText {
	formula := "its formula"
	if !o.alone {
		formula += " (" + plain(o.Name) + ")"
	}
	t := CurveText{Heading: "The " + o.Curves.count() + " that every rule adds to " + formula}
	if o.Curves.Own {
		t.Heading = "Each rule adds " + o.Curves.count() + " of its own to " + formula + "; their means over the rules"
	}
	if o.Unit != "" {
		t.Heading += ", with changes in " + plain(o.Unit)
	}
	ordered := slices.Clone(o.Curves.Of)
	slices.SortStableFunc(ordered, func(a, b CommonCurve) int { return cmp.Compare(b.size, a.size) })
	var small []string
	for _, c := range ordered {
		total := c.Total()
		if c.size <= hardlyMatters*max(o.rmse, slices.Max(total)-slices.Min(total)) {
			small = append(small, plain(c.Feature))
			continue
		}
		t.Each = append(t.Each, CurveLine{plain(c.Feature), c.Words, c.WithSlope})
	}
	if small != nil {
		t.Small = "hardly matter: " + strings.Join(small, ", ")
	}
	return t
}

// Lines returns a line per curve, with that of its WithSlope below it, indented, and Small.
func (t CurveText) Lines() []string {
	var lines []string
	for _, c := range t.Each {
		lines = append(lines, c.Feature+" "+c.Alone)
		if c.WithSlope != "" {
			lines = append(lines, "  with the mean slope of the rules it "+c.WithSlope)
		}
	}
	if t.Small != "" {
		lines = append(lines, t.Small)
	}
	return lines
}

// String returns the heading and the lines, indented.
func (t CurveText) String() string {
	return t.Heading + ":\n  " + strings.Join(t.Lines(), "\n  ") + "\n"
}

const (
	// mostDeviations is the number of a rule's own curves whose deviations are named.
	mostDeviations = 3

	// leastFactor: a curve is called a multiple of another one if the factor differs from 1 by at least this.
	leastFactor = 0.25
)

// deviation is the difference of a rule's own curve from the mean of the rules' curves where it
// is largest: value at a point, or all over a factor, if it is not zero.
type deviation struct {
	Curve
	at, value, factor float64
}

// deviationOf compares a curve with the mean curve.
func deviationOf(own Curve, mean CommonCurve) deviation {
	d := deviation{Curve: own}
	product, square := 0.0, 0.0
	for q, y := range own.Y {
		product += float64(y * mean.Y[q])
		square += float64(mean.Y[q] * mean.Y[q])
		if v := y - mean.Y[q]; math.Abs(v) > math.Abs(d.value) {
			d.at, d.value = own.X[q], v
		}
	}
	factor := product / square
	for q, y := range own.Y {
		if !(math.Abs(y-float64(factor*mean.Y[q])) <= wordsOff*mean.size) {
			return d
		}
	}
	if math.Abs(factor-1) >= leastFactor && factor > 0 {
		d.factor = factor
	}
	return d
}

// deviations says where the rule's own curves differ most from the means over the rules; empty for a rule without curves of its own.
func (o *Output) deviations(then Consequent) string {
	if then.Curves == nil {
		return ""
	}
	var all []deviation
	for i, own := range then.Curves {
		if one := deviationOf(own, o.Curves.Of[i]); math.Abs(one.value) > hardlyMatters*o.rmse {
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b deviation) int { return cmp.Compare(math.Abs(b.value), math.Abs(a.value)) })
	if len(all) == 0 {
		return "Its curves hardly differ from the means over the rules"
	}
	var parts []string
	for _, one := range all[:min(len(all), mostDeviations)] {
		parts = append(parts, one.text(o))
	}
	return "Its curves differ most from the means over the rules by " + strings.Join(parts, ", ")
}

// text returns the deviation in words, such as "+3.1 MPa at age 28 days", or "a factor of 1.6 for age (up to +3.1 MPa at 28 days)".
func (v deviation) text(o *Output) string {
	value := withUnit(signed(v.value, o.spread/10), o.Unit)
	if v.factor == 0 {
		return fmt.Sprintf("%s at %s %s", value, plain(v.Feature), v.place(v.at))
	}
	return fmt.Sprintf("a factor of %s for %s (up to %s at %s)", numeric.Show(v.factor, 2), plain(v.Feature), value, v.place(v.at))
}
