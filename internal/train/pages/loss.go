package pages

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Loss is the cost of a page's value v where the target is y. The numbers of the page minimise the sum of the costs over the rows, by
// iteratively reweighted least squares.
type Loss interface {
	value(v, y float64) float64 // at least 0

	// step returns a response z and a weight w: w (z-u)^2 / 2 is, up to a constant, an approximation of the loss of a value u near v, or an
	// upper bound that touches it at v.
	step(v, y float64) (z, w float64)

	// rough is step for the search of a structure, where v is the value of a rough model, whose absolute errors have this median: no row
	// outweighs all others.
	rough(v, y, median float64) (z, w float64)

	centre(y, weight []float64) float64 // that of a page of one number
	in(unit float64) Loss               // of values and targets in multiples of a unit
	scores() bool                       // values are log odds, and targets 0 or 1; else both have the same unit
	root() bool                         // the loss is in squared units
}

// Logistic is the cross-entropy of a class, of which the page's value is the log odds, or the score: y is 1 for the class and 0 for all
// others.
type Logistic struct {
	newton bool // rough is a step of Newton's method, which is nearer to the loss where v is near its minimum
}

const (
	mostRough    = 3.5  // log odds of a rough model, in absolute value: it is less certain than it says
	leastWeight  = 1e-5 // of a row that is all but certain
	robustErrors = 3    // median absolute errors beyond which errors of a rough model count linearly
	nearErrors   = 1e-3 // standard deviations of the target within which errors count as squares
)

// probability returns 1/(1+e^-v), the same on all processors.
func probability(v float64) float64 {
	e := 1 + numeric.Expm1(-math.Abs(v))
	if v < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

func (Logistic) value(v, y float64) float64 {
	return max(v, 0) - float64(y*v) + numeric.Log1p(1+numeric.Expm1(-math.Abs(v)))
}

// step is that of Newton's method.
func (Logistic) step(v, y float64) (z, w float64) {
	p := probability(v)
	w = max(float64(p*(1-p)), leastWeight)
	return v + (y-p)/w, w
}

// rough returns the upper bound of Jaakkola and Jordan (Statistics and Computing 10, 2000), which does not overshoot where v is far off,
// as of a class with few rows.
func (l Logistic) rough(v, y, _ float64) (z, w float64) {
	v = max(-mostRough, min(mostRough, v))
	if l.newton {
		return l.step(v, y)
	}
	if w = 0.25; math.Abs(v) > 1e-3 {
		w = (probability(v) - 0.5) / v
	}
	return (y - 0.5) / w, w
}

// centre returns the log odds of the class, of which at least half a row is, and half a row is not.
func (Logistic) centre(y, weight []float64) float64 {
	half := 0.5 / float64(len(y))
	p := max(half, min(1-half, numeric.WeightedMean(y, weight)))
	return numeric.Log1p(p-1) - numeric.Log1p(-p)
}

func (l Logistic) in(float64) Loss { return l }
func (Logistic) scores() bool      { return true }
func (Logistic) root() bool        { return true }

// Quantile is the pinball loss of the quantile of this level, see loss.Quantile.
type Quantile struct{ Level float64 }

func (q Quantile) value(v, y float64) float64 {
	if y < v {
		return (1 - q.Level) * (v - y)
	}
	return q.Level * (y - v)
}

// step returns the upper bound of Hunter and Lange (Journal of Computational and Graphical Statistics 9(1), 2000).
func (q Quantile) step(v, y float64) (z, w float64) {
	e := max(nearErrors, math.Abs(y-v))
	return y + float64((2*q.Level-1)*e), 1 / (2 * e)
}

func (q Quantile) rough(v, y, median float64) (z, w float64) { return y, robust(v, y, median) }

// robust returns the weight of a row by Huber's loss.
func robust(v, y, median float64) float64 {
	if e := math.Abs(y - v); e > robustErrors*median && median > 0 {
		return robustErrors * median / e
	}
	return 1
}

func (q Quantile) centre(y, weight []float64) float64 {
	sorted := numeric.SortedByValue(y, weight)
	return sorted[max(0, min(len(sorted)-1, int(math.Ceil(float64(q.Level*float64(len(sorted)))))-1))]
}

func (q Quantile) in(float64) Loss { return q }
func (Quantile) scores() bool      { return false }
func (Quantile) root() bool        { return false }

// Absolute is the absolute error.
type Absolute struct{}

func (Absolute) value(v, y float64) float64 { return math.Abs(y - v) }

func (Absolute) step(v, y float64) (z, w float64) {
	z, w = Quantile{0.5}.step(v, y)
	return z, 2 * w
}

func (Absolute) rough(v, y, median float64) (z, w float64) { return y, robust(v, y, median) }
func (Absolute) centre(y, weight []float64) float64        { return Quantile{0.5}.centre(y, weight) }
func (a Absolute) in(float64) Loss                         { return a }
func (Absolute) scores() bool                              { return false }
func (Absolute) root() bool                                { return false }

// Huber is the loss of errors that count linearly beyond Delta, in units of the target, see loss.Huber.
type Huber struct{ Delta float64 }

func (h Huber) value(v, y float64) float64 {
	e := math.Abs(y - v)
	m := min(e, h.Delta)
	return m * (e - float64(m/2))
}

func (h Huber) step(v, y float64) (z, w float64) {
	return y, h.Delta / max(math.Abs(y-v), h.Delta)
}

func (h Huber) rough(v, y, _ float64) (z, w float64) { return h.step(v, y) }
func (Huber) centre(y, weight []float64) float64     { return numeric.WeightedMean(y, weight) }
func (h Huber) in(unit float64) Loss                 { return Huber{h.Delta / unit} }
func (Huber) scores() bool                           { return false }
func (Huber) root() bool                             { return true }
