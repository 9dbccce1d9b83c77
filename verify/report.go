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
	Passed  bool    `json:"passed"`
	Checks  []Check `json:"checks"` // by shape, parameter and pair
	Mutants Caught  `json:"mutants"`
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

// Failures describes the failed checks in distinct lines that name the shape, the
// parameter and the index of the worst element:
//
//	gaussian: sigma[r=2,m=0]: autodiff -4.03, closed form -3.84, finite difference -3.84
func (r *Report) Failures() []string {
	var lines []string
	for _, c := range r.Checks {
		if line := c.Membership + ": " + c.Mismatch; !c.Passed && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, t := range r.Mutants.Trials {
		if !t.Caught {
			lines = append(lines, fmt.Sprintf("%s: not caught: %s (%s)", t.Membership, t.Wrong, t.In))
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
	missed := r.Mutants.Tried - r.Mutants.Caught
	switch {
	case failed > 0:
		return fmt.Errorf("%w: %d of %d checks", ErrFailed, failed, len(r.Checks))
	case missed > 0:
		return fmt.Errorf("%w: %d of %d mutants were not caught, so that the checks cannot be trusted", ErrFailed, missed, r.Mutants.Tried)
	}
	return nil
}
