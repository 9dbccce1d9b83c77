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

// complete sets the numbers of the rules to those that are printed, see allDigits.
func complete(d *Description) {
	d.complete = true
	shorten := func(params []Parameter) {
		for i := range params {
			params[i].Value = digits.Shorten(params[i].Value, tolerance)
		}
	}
	curve := func(c Curve) {
		for q := range c.X {
			c.X[q], c.Y[q] = digits.Shorten(c.X[q], tolerance), digits.Shorten(c.Y[q], tolerance)
		}
	}
	if d.Curves != nil {
		for _, c := range d.Curves.Of {
			curve(c.Curve)
		}
	}
	for i := range d.Rules {
		r := &d.Rules[i]
		for _, a := range r.If {
			shorten(a.Parameters)
			shorten(a.Transformed)
		}
		r.Then.Intercept = digits.Shorten(r.Then.Intercept, tolerance)
		shorten(r.Then.Coefficients)
		for _, c := range r.Then.Curves {
			curve(c)
		}
		for k := range r.Terms {
			r.Terms[k].Slope = digits.Shorten(r.Terms[k].Slope, tolerance)
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
