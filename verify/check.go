package verify

import (
	"encoding/json"
	"math"
)

// Check is the comparison of one block by two routes. Its figures are the largest over
// all problems.
type Check struct {
	Membership string  // the shape
	Parameter  string  // prediction, loss, a parameter of the shape, or w
	Pair       string  // "autodiff / closed form"
	MaxAbsErr  float64 // of one element
	MaxRelErr  float64 // norm of the difference over the norm; +Inf for NaN
	Tolerance  float64 // of MaxRelErr; more than the constant if a finite difference is less accurate
	Worst      string  // index of the element that differs most, such as "[r=2,m=0]"
	Skipped    int     // samples that were replaced, for the reasons in the package comment
	Passed     bool

	// Mismatch is empty if Passed. Else it gives the worst element by all routes:
	// "sigma[r=2,m=0]: autodiff -4.03, closed form -3.84".
	Mismatch string

	norm     float64 // of the block with the larger norm
	severity float64 // error over tolerance, for the outcome of Worst and Mismatch
}

// merge merges the outcome of the same check on another problem.
func (c *Check) merge(o Check) {
	merged := *c
	if o.severity > c.severity {
		merged = o
	}
	merged.MaxAbsErr, merged.norm = math.Max(c.MaxAbsErr, o.MaxAbsErr), math.Max(c.norm, o.norm)
	merged.MaxRelErr, merged.Tolerance = math.Max(c.MaxRelErr, o.MaxRelErr), math.Max(c.Tolerance, o.Tolerance)
	merged.Skipped, merged.Passed = c.Skipped+o.Skipped, c.Passed && o.Passed
	*c = merged
}

// MarshalJSON writes errors that are not finite as null.
func (c Check) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Membership   string   `json:"membership"`
		Parameter    string   `json:"parameter"`
		Pair         string   `json:"pair"`
		MaxAbsErr    *float64 `json:"max_abs_err"`
		MaxRelErr    *float64 `json:"max_rel_err"`
		Tolerance    *float64 `json:"tolerance"`
		Worst        string   `json:"worst"`
		KinksSkipped int      `json:"kinks_skipped"`
		Passed       bool     `json:"passed"`
		Mismatch     string   `json:"mismatch,omitempty"`
	}{c.Membership, c.Parameter, c.Pair, number(c.MaxAbsErr), number(c.MaxRelErr), number(c.Tolerance), c.Worst, c.Skipped, c.Passed, c.Mismatch})
}

func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
