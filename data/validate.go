package data

import "math"

// Validate checks a Dataset that was made by hand, as training and evaluation do: a valid schema; at least one
// sample; as many targets, and weights, Groups and Rows where there are any; M values in each row, finite but for the
// missing ones (NaN) under Missing "mean"; finite targets; no Groups where it is Ordered; weights as Weights says. A fault is an *Error, which
// names row and column.
func (d *Dataset) Validate() error {
	if err := d.Schema.Validate(); err != nil {
		return &Error{Message: err.Error(), Err: err}
	}
	if len(d.X) == 0 || len(d.X) != len(d.Y) {
		return faultf("", "%d rows of x and %d of y: want the same number, at least one", len(d.X), len(d.Y))
	}
	names := d.Schema.Features()
	for i, row := range d.X {
		if len(row) != len(names) {
			return faultf("", "row %d has %d values, want %d", i+1, len(row), len(names))
		}
		for m, v := range row {
			if !finite(v) && !(math.IsNaN(v) && d.Missing.Policy == missingMean) {
				return faultf("", "row %d, %s: %v is not finite", i+1, quote(names[m]), v)
			}
		}
		if !finite(d.Y[i]) {
			return faultf("", "row %d, %s: %v is not finite", i+1, quote(d.Schema.Target), d.Y[i])
		}
	}
	if d.Rows != nil && len(d.Rows) != len(d.X) {
		return faultf("", "%d row numbers for %d rows", len(d.Rows), len(d.X))
	}
	if d.Groups != nil && len(d.Groups) != len(d.X) {
		return faultf("", "%d groups for %d rows", len(d.Groups), len(d.X))
	}
	if d.Groups != nil && d.Ordered {
		return faultf("", "groups do not go with samples in time order: leave data.group out, or set data.split and tune.split to random")
	}
	if d.Weights == nil {
		return nil
	}
	if len(d.Weights) != len(d.X) {
		return faultf("", "%d weights for %d rows", len(d.Weights), len(d.X))
	}
	for i, w := range d.Weights {
		if !finite(w) || w < 0 {
			return faultf("", "row %d: the weight %v: want it finite, 0 or greater", i+1, w)
		}
	}
	if err := d.checkWeights(); err != nil {
		return faultf("", "%v", err)
	}
	return nil
}
