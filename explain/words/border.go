package words

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/digits"
)

// borderDigits is the number of significant digits up to which a border is printed as it is.
const borderDigits = 3

// roundedDigits is the largest number of significant digits of a rounded border.
const roundedDigits = 8

// known is what is known of the training values of a column of numbers.
type known struct {
	values []float64 // distinct, in increasing order
	all    bool      // values are all training values, not only the quantiles of a model file
	whole  bool      // whole numbers, at least three: two give too little evidence of the values between them
	sd     float64
	round  bool // the model is rounded: a border with few digits is printed in full
	strict bool // borders are printed alike on both sides: they equal no value, unless it is whole
}

func newKnown(values []float64, sd float64) known {
	broken := func(v float64) bool { return v != math.Trunc(v) }
	return known{values: values, whole: len(values) > 2 && !slices.ContainsFunc(values, broken), sd: sd}
}

// border returns the number to print for a border v; lower: the values meant are at least v,
// else at most v. It selects the same values as v. It is v itself if v has few digits, else a
// number with the fewest decimals within a 20th of a standard deviation of v. In a column of
// whole numbers it is whole.
func (k known) border(v float64, lower bool) (string, *float64) {
	if k.whole {
		slack := float64(1e-9 * math.Abs(v))
		if lower {
			v = math.Ceil(v - slack)
		} else {
			v = math.Floor(v + slack)
		}
	}
	if r := digits.Round(v, borderDigits); math.Abs(v-r) <= 1e-9*math.Abs(v) {
		return plainly(r, borderDigits), &r
	}
	if r := digits.Round(v, roundedDigits); k.round && math.Abs(v-r) <= tolerance*math.Abs(v) {
		return allDigits(r), &r
	}
	at, equal := slices.BinarySearch(k.values, v)
	if equal && !lower {
		at++
	}
	below, above := math.Inf(-1), math.Inf(1)
	if at > 0 {
		below = k.values[at-1]
	}
	if at < len(k.values) {
		above = k.values[at]
	}
	separates := func(r float64) bool {
		equal := r == below && !lower || r == above && lower
		return r > below && r < above || equal && (k.whole || !k.strict)
	}
	first := -int(math.Floor(math.Log10(max(math.Abs(v), k.sd))))
	for decimals := first; decimals < first+17; decimals++ {
		for _, round := range []func(float64) float64{math.Round, math.Floor, math.Ceil} {
			if r := toDecimals(v, decimals, round); separates(r) && math.Abs(r-v) <= k.sd/20 {
				return plainly(r, 15), &r
			}
		}
	}
	return exactly(v), &v
}

// toDecimals rounds v to a number of decimals, which may be negative.
func toDecimals(v float64, decimals int, round func(float64) float64) float64 {
	if decimals < 0 {
		step := math.Pow10(-decimals)
		return float64(round(v/step)*step) + 0
	}
	scale := math.Pow10(decimals)
	return round(v*scale)/scale + 0
}

// distinctValues returns the distinct values of each feature in increasing order, without
// missing ones; nil for the indicators of a category.
func distinctValues(d *data.Dataset) [][]float64 {
	var all [][]float64
	for _, c := range d.Schema.Columns {
		for range c.Width() {
			var values []float64
			if c.Encoding != data.OneHot {
				for _, row := range d.X {
					if v := row[len(all)]; !math.IsNaN(v) {
						values = append(values, v)
					}
				}
				slices.Sort(values)
				values = slices.Compact(values)
			}
			all = append(all, values)
		}
	}
	return all
}
