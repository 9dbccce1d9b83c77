package data

import (
	"math"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// checkTargets checks the values of the targets, N of each.
func checkTargets(d *Dataset) error {
	if len(d.Others) != len(d.Schema.Others) {
		return table.Faultf("", "values of %d further targets, the schema names %d", len(d.Others), len(d.Schema.Others))
	}
	for c, name := range d.Schema.Targets() {
		values := d.Y
		if c > 0 {
			values = d.Others[c-1]
		}
		if len(values) != d.Len() {
			return table.Faultf("", "%d values of %s for %d rows", len(values), escape.Quote(name), d.Len())
		}
		for i, v := range values {
			if !numeric.Finite(v) {
				return table.Faultf("", "row %d, %s: %v is not finite", i+1, escape.Quote(name), v)
			}
		}
	}
	if k := len(d.Schema.Classes); k > 0 {
		for i, y := range d.Y {
			if y != math.Trunc(y) || y < 0 || y >= float64(k) {
				return table.Faultf("", "row %d, %s: %v is not the index of one of %d classes", i+1, escape.Quote(d.Schema.Target), y, k)
			}
		}
	}
	return nil
}

// pickAll picks from each of several columns.
func pickAll(from [][]float64, rows []int) [][]float64 {
	if from == nil {
		return nil
	}
	to := make([][]float64, len(from))
	for c, values := range from {
		to[c] = pick(values, rows)
	}
	return to
}
