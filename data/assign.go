package data

import "math"

// assignment says to which part each row of an ingested table belongs. The shares of a random one are expectations: a row is
// assigned by its hash or that of its group, see rowHash.
type assignment struct {
	Split
	rows   int // kept rows of the table, for Kind chronological
	fixed  *mark
	listed map[int]int // the shard of each row, by its number; nil: the Split decides
}

// mark returns the part of kept row i, from 0, of the rows under way.
func (a *assignment) mark(i int, r *rows) mark {
	switch {
	case a.fixed != nil:
		return *a.fixed
	case a.Kind == splitColumn:
		return r.mark
	case a.Kind == splitChronological:
		return ofShares(float64(i), a.first(a.train()), a.first(a.Validation))
	}
	return ofShares(share(rowHash(a.Seed, splitStream, a.key(r))), a.train(), a.Validation)
}

// ofShares returns the part of a place on an axis where the training part comes first, then validation, then test.
func ofShares(at, train, validation float64) mark {
	switch {
	case at < train:
		return inTrain
	case at < train+validation:
		return inValidation
	}
	return inTest
}

// first returns a share of the rows, as a whole number.
func (a *assignment) first(share float64) float64 { return math.Round(share * float64(a.rows)) }

// key identifies what stays together: a group, or a row.
func (a *assignment) key(r *rows) uint64 {
	if r.group >= 0 {
		return uint64(r.member)
	}
	return uint64(r.t.row)
}

// calibrates reports whether a row of the training part, kept row i, belongs to the calibration part. Rows of equal values
// stay together, or those of a group.
func (a *assignment) calibrates(i int, r *rows, values []float64) bool {
	switch {
	case a.Calibration == 0:
		return false
	case a.Kind == splitChronological:
		n := a.first(a.train())
		return float64(i) >= n-math.Round(a.Calibration*n)
	}
	key := valuesKey(values)
	if r.group >= 0 {
		key = uint64(r.member)
	}
	return share(rowHash(a.Seed, calibStream, key)) < a.Calibration
}
