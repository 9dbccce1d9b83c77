package words

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
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
	if r := numeric.Round(v, borderDigits); math.Abs(v-r) <= 1e-9*math.Abs(v) {
		return plainly(r, borderDigits), &r
	}
	if r := numeric.Round(v, roundedDigits); k.round && math.Abs(v-r) <= tolerance*math.Abs(v) {
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
// missing ones; nil for the features of a nominal column.
func distinctValues(d *data.Dataset) [][]float64 {
	var all [][]float64
	for _, c := range d.Schema.Columns {
		for range c.Width() {
			var values []float64
			if !c.Nominal() {
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

// near rounds a value to a power of ten between a 20th and a 200th of the spread of such
// values.
func near(v, spread float64) string {
	if !(spread > 0) || math.IsInf(spread, 0) {
		return number(v)
	}
	decimals := int(math.Ceil(-math.Log10(spread / 20)))
	const exact = 1 << 53 // beyond it, digits say what the number does not hold
	if decimals > 8 || decimals < -8 || math.Abs(v) >= exact*math.Pow(10, -float64(decimals)) {
		return number(v)
	}
	if decimals < 0 {
		step := math.Pow(10, float64(-decimals))
		return strconv.FormatFloat(float64(math.Round(v/step)*step)+0, 'f', -1, 64)
	}
	return trimZero(strconv.FormatFloat(v, 'f', decimals, 64))
}

// signed formats a value like near, with its sign.
func signed(v, spread float64) string {
	text := near(math.Abs(v), spread)
	if v < 0 && strings.Trim(text, "0.") != "" {
		return "-" + text
	}
	return "+" + text
}

// slight formats a value like signed, with a significant digit where near makes it zero, unless it
// is as small as a rounding error.
func slight(v, spread float64) string {
	text := signed(v, spread)
	if shown, err := strconv.ParseFloat(text, 64); err == nil && shown == 0 && math.Abs(v) > 1e-9*spread {
		sign := "+"
		if v < 0 {
			sign = "-"
		}
		return sign + plainly(math.Abs(v), 1)
	}
	return text
}

// trimmed removes trailing zeros after the decimal point.
func trimmed(text string) string {
	if !strings.Contains(text, ".") || strings.Contains(text, "e") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// trimZero removes the sign of a zero.
func trimZero(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == 0 && text[0] == '-' {
		return text[1:]
	}
	return text
}

// plainly formats n significant digits, very small and large numbers with an exponent.
func plainly(v float64, n int) string {
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e7) {
		return numeric.Show(v, n)
	}
	return strconv.FormatFloat(numeric.Round(v, n)+0, 'f', -1, 64)
}

// tolerance is the relative error of the numbers of a rounded model as printed. It hides
// the rounding errors of the conversion to the units of the data.
const tolerance = 1e-11

// isRounded reports whether the numbers of a model were rounded (model.round), so that they
// are printed with all their digits.
func isRounded(m *model.Model) bool {
	n, err := strconv.Atoi(m.Training.Options["model.round"])
	return err == nil && n > 0
}

// precision says how numbers of rules are printed.
type precision struct {
	complete bool // with all their digits
}

// figure formats a number for predictions by hand.
func (p precision) figure(v float64) string { return p.rounded(v, sixDigits(v)) }

// rounded returns v with all its digits if the model was rounded, else v as text.
func (p precision) rounded(v float64, text string) string {
	if p.complete {
		return allDigits(v)
	}
	return text
}

// sixDigits formats a number with six significant digits, enough to compute predictions by
// hand to some digits.
func sixDigits(v float64) string { return numeric.Show(v, 6) }

// shorten sets numbers to those that are printed, see allDigits.
func shorten(values ...*float64) {
	for _, v := range values {
		*v = numeric.Shorten(*v, tolerance)
	}
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

// shorten shortens the numbers of an output and of what the rules say of it.
func (o *Output) shorten(all []Said) {
	curve := func(c Curve) {
		for q := range c.X {
			shorten(&c.X[q], &c.Y[q])
		}
	}
	if o.Curves != nil {
		for _, c := range o.Curves.Of {
			curve(c.Curve)
		}
	}
	for i := range all {
		then := &all[i].Then
		shorten(&then.Intercept)
		for k := range then.Coefficients {
			shorten(&then.Coefficients[k].Value)
		}
		for _, c := range then.Curves {
			curve(c)
		}
		for k := range all[i].Terms {
			shorten(&all[i].Terms[k].Slope)
		}
	}
}

// allDigits formats the number with the fewest digits within the tolerance of v, very small
// and large numbers with an exponent.
func allDigits(v float64) string {
	v = numeric.Shorten(v, tolerance)
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e15) {
		return numeric.Show(v, -1)
	}
	return strconv.FormatFloat(v+0, 'f', -1, 64)
}
