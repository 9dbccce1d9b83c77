package verify

import (
	"errors"
	"fmt"
	"slices"
)

// ErrFailed is wrapped by the error of a [Report] that did not pass.
var ErrFailed = errors.New("verify: failed")

// Report is the outcome of a verification.
type Report struct {
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"` // by shape, parameter and pair

	// Fault is about the first problem with a failed check, in three lines: what is wrong, a shape, a loss or another part of the
	// problem; a value by all routes; and which route stands alone, with the method that it uses. Nil: none failed.
	Fault []string `json:"fault,omitempty"`
}

// add merges the checks of one problem.
func (r *Report) add(checks []Check, skipped int) {
	for _, c := range checks {
		c.Skipped = skipped
		r.Passed = r.Passed && c.Passed
		if known := r.find(c.Membership, c.Parameter, c.Pair); known != nil {
			known.merge(c)
		} else {
			r.Checks = append(r.Checks, c)
		}
	}
}

func (r *Report) find(shape, parameter, pair string) *Check {
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Membership == shape && c.Parameter == parameter && c.Pair == pair {
			return c
		}
	}
	return nil
}

// Failures returns Fault or, if it is nil, a line for each constraint that is not kept.
func (r *Report) Failures() []string {
	if r.Fault != nil {
		return r.Fault
	}
	var lines []string
	for _, c := range r.Checks {
		if line := c.Membership + ": " + c.Mismatch; !c.Passed && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// Err returns nil if the report passed, else an error with the number of failures.
func (r *Report) Err() error {
	failed := 0
	for _, c := range r.Checks {
		if !c.Passed {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%w: %d of %d checks", ErrFailed, failed, len(r.Checks))
	}
	return nil
}
