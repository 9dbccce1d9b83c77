package words

import (
	"math"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/model"
)

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
func sixDigits(v float64) string { return digits.Show(v, 6) }

// shorten sets numbers to those that are printed, see allDigits.
func shorten(values ...*float64) {
	for _, v := range values {
		*v = digits.Shorten(*v, tolerance)
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
	v = digits.Shorten(v, tolerance)
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e15) {
		return digits.Show(v, -1)
	}
	return strconv.FormatFloat(v+0, 'f', -1, 64)
}
