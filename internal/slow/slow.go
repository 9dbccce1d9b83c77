// Package slow selects the cases of a slow test: some of them by default, all of them
// under CI=true, except under the race detector, where the same cases find the same races.
// The selection is fixed, so that tests are reproducible.
package slow

import (
	"os"

	"github.com/tskgraph/tskgraph/internal/racedetector"
)

// all reports whether to run every case.
func all() bool { return os.Getenv("CI") == "true" && !racedetector.Enabled }

// Cases returns how many cases to run: few, or all, see the package comment.
func Cases(few, every int) int {
	if all() {
		return every
	}
	return few
}

// Share returns every n-th case from index start modulo n on, or all cases.
// Tests that divide the cases among them use different starts.
func Share[T any](cases []T, n, start int) []T {
	if all() {
		return cases
	}
	var share []T
	for i := start % n; i < len(cases); i += n {
		share = append(share, cases[i])
	}
	return share
}
