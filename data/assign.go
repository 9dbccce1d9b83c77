package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"math"
)

// assignment says to which part each row of an ingested table belongs. The shares of a random one are expectations: a row is
// assigned by its hash or that of its group, see rowHash.
type assignment struct {
	Split
	rows   int // kept rows of the table, for Kind chronological
	fixed  *table.Mark
	listed map[int]int // the shard of each row, by its number; nil: the Split decides
}

// mark returns the part of kept row i, from 0, of the rows under way.
func (a *assignment) mark(i int, r *table.Rows) table.Mark {
	switch {
	case a.fixed != nil:
		return *a.fixed
	case a.Kind == splitColumn:
		return r.Mark
	case a.Kind == splitChronological:
		return ofShares(float64(i), a.first(a.train()), a.first(a.Validation))
	}
	return ofShares(share(rowHash(a.Seed, splitStream, a.key(r))), a.train(), a.Validation)
}

// ofShares returns the part of a place on an axis where the training part comes first, then validation, then test.
func ofShares(at, train, validation float64) table.Mark {
	switch {
	case at < train:
		return table.InTrain
	case at < train+validation:
		return table.InValidation
	}
	return table.InTest
}

// first returns a share of the rows, as a whole number.
func (a *assignment) first(share float64) float64 { return math.Round(share * float64(a.rows)) }

// key identifies what stays together: a group, or a row.
func (a *assignment) key(r *table.Rows) uint64 {
	if r.Group >= 0 {
		return uint64(r.Member)
	}
	return uint64(r.T.Row)
}

// calibrates reports whether a row of the training part, kept row i, belongs to the calibration part. Rows of equal values
// stay together, or those of a group.
func (a *assignment) calibrates(i int, r *table.Rows, values []float64) bool {
	switch {
	case a.Calibration == 0:
		return false
	case a.Kind == splitChronological:
		n := a.first(a.train())
		return float64(i) >= n-math.Round(a.Calibration*n)
	}
	key := valuesKey(values)
	if r.Group >= 0 {
		key = uint64(r.Member)
	}
	return share(rowHash(a.Seed, calibStream, key)) < a.Calibration
}
