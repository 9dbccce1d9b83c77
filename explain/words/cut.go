package words

import (
	"math"
	"slices"
)

// Cut is the set of values of a column that a condition names: an alpha-cut of the grade, to
// the digits printed. The values of an ordinal column are the positions of its levels from 1,
// those of a one-hot column the indices of its levels from 0, and -1 for a row without any.
type Cut struct {
	Feature int     `json:"feature"`          // index in the schema of the column's first feature
	Levels  int     `json:"levels,omitempty"` // number of levels of a one-hot column
	Mean    float64 `json:"mean"`             // used for a missing value

	In  []float64 `json:"in,omitempty"`  // these values alone
	Out []float64 `json:"out,omitempty"` // all values other than these

	// Without In and Out, the values are those from From to To, inclusive; null is no bound.
	// Outside inverts the range.
	From    *float64 `json:"from,omitempty"`
	To      *float64 `json:"to,omitempty"`
	Outside bool     `json:"outside,omitempty"`
}

// Has reports whether the cut has the value of a sample x, whose features are in their own
// units and in the order of the schema.
func (c *Cut) Has(x []float64) bool {
	v := c.value(x)
	switch {
	case c.In != nil:
		return slices.Contains(c.In, v)
	case c.Out != nil:
		return !slices.Contains(c.Out, v)
	}
	within := (c.From == nil || v >= *c.From) && (c.To == nil || v <= *c.To)
	return within != c.Outside
}

// value returns the value of the column in a sample.
func (c *Cut) value(x []float64) float64 {
	if c.Levels > 0 {
		return float64(slices.Index(x[c.Feature:c.Feature+c.Levels], 1))
	}
	if v := x[c.Feature]; !math.IsNaN(v) {
		return v
	}
	return c.Mean
}
