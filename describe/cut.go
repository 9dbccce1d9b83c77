package describe

import (
	"math"
	"slices"
)

// Cut is the set of values of a column that a condition names: the values whose grade is large enough (an
// alpha-cut), to the digits that are printed. A column of numbers has its numbers, an ordinal
// column the positions of its levels from 1, a one-hot column the indices of its levels
// from 0, and -1 where a row has none of them.
type Cut struct {
	Feature int     `json:"feature"`          // of the schema, the column's first
	Levels  int     `json:"levels,omitempty"` // of a one-hot column
	Mean    float64 `json:"mean"`             // stands in where the value is missing

	In  []float64 `json:"in,omitempty"`  // these values alone
	Out []float64 `json:"out,omitempty"` // all values other than these

	// From and To, where neither is given, bound the values, both included; null: no bound. Outside
	// means the values beyond them.
	From    *float64 `json:"from,omitempty"`
	To      *float64 `json:"to,omitempty"`
	Outside bool     `json:"outside,omitempty"`
}

// Has reports whether the cut has the value of a sample x, features in their own units and in the order
// of the schema.
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

// value returns the value of the column.
func (c *Cut) value(x []float64) float64 {
	if c.Levels > 0 {
		return float64(slices.Index(x[c.Feature:c.Feature+c.Levels], 1))
	}
	if v := x[c.Feature]; !math.IsNaN(v) {
		return v
	}
	return c.Mean
}
