package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/digits"
)

const (
	// mostDeviations is the number of a rule's own curves whose deviations are named.
	mostDeviations = 3

	// leastFactor: a curve is called a multiple of another one if the factor differs from 1 by
	// at least this.
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

// deviations says where the rule's own curves differ most from the means over the rules; empty
// for a rule without curves of its own.
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

// text returns the deviation in words, such as "+3.1 MPa at age 28 days", or "a factor of 1.6
// for age (up to +3.1 MPa at 28 days)".
func (v deviation) text(o *Output) string {
	value := withUnit(signed(v.value, o.spread/10), o.Unit)
	if v.factor == 0 {
		return fmt.Sprintf("%s at %s %s", value, plain(v.Feature), v.place(v.at))
	}
	return fmt.Sprintf("a factor of %s for %s (up to %s at %s)", digits.Show(v.factor, 2), plain(v.Feature), value, v.place(v.at))
}
