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

// Total returns the values, at X, of the sum of the curve and the term with the mean slope of the rules, zero at the mean of the feature.
func (c CommonCurve) Total() []float64 {
	sum := slices.Clone(c.Y)
	for q, x := range c.X {
		sum[q] += float64(c.Slope * (x - c.mean))
	}
	return sum
}

// newCurves returns the curves of rules with the mean slopes [M] of their formulas.
func newCurves(m *model.Model, slopes []float64) *Curves {
	rb := m.RuleBase
	if rb.Curves == nil {
		return nil
	}
	all := Curves{Own: len(rb.Curves) > 1}
	inputs := m.Inputs()
	for _, curve := range inUnits(m, model.MeanCurves(rb)) {
		c := CommonCurve{Curve: curve, Slope: slopes[curve.Input], mean: inputs[curve.Input].Mean,
			size: slices.Max(curve.Y) - slices.Min(curve.Y)}
		c.Words = shapeInWords(c.X, c.Y, c.place)
		if change := c.Slope * (c.X[len(c.X)-1] - c.X[0]); math.Abs(change) >= wordsOff*c.size {
			c.WithSlope = shapeInWords(c.X, c.Total(), c.place)
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

// pointLines returns the points of curves, a line each.
func pointLines(curves []Curve, figure func(float64) string) string {
	text := ""
	for _, c := range curves {
		text += fmt.Sprintf("  curve(%s): %s\n", plain(c.Feature), c.points(figure))
	}
	return text
}

// Rules of the words of a curve. Its range is the difference of its largest and its least value.
const (
	// wordsOff is the largest distance of the straight lines that the words describe from the
	// curve, and the largest change that is called nearly constant, as a share of the curve's range.
	wordsOff = 0.1

	// steepness of a line "steeply" at least, "slowly" at most, as a multiple of the mean steepness of the lines.
	steeply, slowly = 2, 0.5

	// mostLines: a curve that needs more lines has no simple form.
	mostLines = 4
)

// corners returns the indices of the ends of the fewest straight lines between points of a curve, from the first to the last one, that lie
// within a distance of every point between them; of several, those with the least sum of squared distances.
func corners(x, y []float64, distance float64) []int {
	n := len(x)
	lines, squares, from := make([]int, n), make([]float64, n), make([]int, n)
	for j := 1; j < n; j++ {
		lines[j] = n
		for i := j - 1; i >= 0; i-- {
			off, ok := offLine(x, y, i, j, distance)
			if !ok {
				continue
			}
			if count, sum := lines[i]+1, squares[i]+off; count < lines[j] || count == lines[j] && sum < squares[j] {
				lines[j], squares[j], from[j] = count, sum, i
			}
		}
	}
	ends := []int{n - 1}
	for ends[0] > 0 {
		ends = slices.Insert(ends, 0, from[ends[0]])
	}
	return ends
}

// offLine returns the sum of the squared distances of the points between i and j from the line
// through these; false if one exceeds a distance.
func offLine(x, y []float64, i, j int, distance float64) (sum float64, ok bool) {
	for q := i + 1; q < j; q++ {
		on := y[i] + float64((x[q]-x[i])/(x[j]-x[i])*(y[j]-y[i]))
		if !(math.Abs(y[q]-on) <= distance) {
			return 0, false
		}
		sum += float64((y[q] - on) * (y[q] - on))
	}
	return sum, true
}

// piece is a part of a curve in words, up to the point to.
type piece struct {
	to     int
	change float64
	verb   string // rises or falls
	adverb string // steeply, slowly, flat or none
}

// flat is the adverb of a piece that is nearly constant.
const flat = "flat"

// shapeInWords returns a curve in words, such as "rises steeply until 28 days (+12.3), then is nearly
// constant (+0.8)": its corners with the change on each line. place formats a value of x.
func shapeInWords(x, y []float64, place func(float64) string) string {
	n := len(x)
	low, high := slices.Min(y), slices.Max(y)
	size := high - low
	if size == 0 {
		return "is constant"
	}
	ends := corners(x, y, wordsOff*size)
	if len(ends)-1 > mostLines || math.IsInf(size, 0) {
		at := func(v float64) string { return place(x[slices.Index(y, v)]) + " (" + signed(v, size) + ")" }
		return "has no simple form: lowest at " + at(low) + ", highest at " + at(high)
	}
	text, last := "", piece{}
	for k, p := range pieces(x, y, ends, size) {
		if k > 0 {
			text += ", then "
		}
		text += p.after(last)
		if last = p; p.to < n-1 {
			text += " until " + place(x[p.to])
		}
		text += fmt.Sprintf(" (%s)", signed(p.change, size))
	}
	return text
}

// pieces returns the lines between the corners of a curve, those that follow each other with
// the same words as one. size is the curve's range.
func pieces(x, y []float64, ends []int, size float64) []piece {
	var all []piece
	changes := 0.0
	for k, j := range ends[1:] {
		changes += math.Abs(y[j] - y[ends[k]])
	}
	for k, j := range ends[1:] {
		i := ends[k]
		p := piece{to: j, change: y[j] - y[i], verb: "rises"}
		if p.change < 0 {
			p.verb = "falls"
		}
		change := math.Abs(p.change)
		switch steepness := change / changes / ((x[j] - x[i]) / (x[len(x)-1] - x[0])); {
		case change <= wordsOff*size:
			p.adverb = flat
		case steepness >= steeply:
			p.adverb = "steeply"
		case steepness <= slowly:
			p.adverb = "slowly"
		}
		if k > 0 {
			before := &all[len(all)-1]
			if before.adverb == p.adverb && (before.verb == p.verb || p.adverb == flat) {
				before.to, before.change = j, before.change+p.change
				continue
			}
		}
		all = append(all, p)
	}
	return all
}

// after returns the words of a piece after another one, without the verb if it is the same.
func (p piece) after(last piece) string {
	switch {
	case p.adverb == flat:
		return "is nearly constant"
	case p.verb != last.verb || last.adverb == flat:
		return strings.TrimSpace(p.verb + " " + p.adverb)
	case p.adverb != "":
		return p.adverb
	case last.adverb == "steeply":
		return "less steeply"
	case last.adverb == "slowly":
		return "more steeply"
	}
	return p.verb
}
