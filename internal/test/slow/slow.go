// Package slow selects the cases of a slow test: a few of them by default, more under CI=true, all of them under
// TEST_CASES=all, which make matrix sets; under the race detector a few, with which it finds the same races.
// The selection is fixed, so that tests are reproducible.
package slow

import (
	"os"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// effort is how many cases run.
type effort int

const (
	few effort = iota
	more
	all
)

func current() effort {
	switch {
	case racedetector.Enabled:
		return few
	case os.Getenv("TEST_CASES") == "all":
		return all
	case os.Getenv("CI") == "true":
		return more
	}
	return few
}

// All reports whether make matrix asks for all cases.
func All() bool { return current() == all }

// Cases returns how many cases to run by default and under CI=true.
func Cases(byDefault, ci int) int { return Number(byDefault, ci, ci) }

// Number returns how many cases to run by default, under CI=true, and by make matrix.
func Number(byDefault, ci, matrix int) int {
	return []int{few: byDefault, more: ci, all: matrix}[current()]
}

// Share returns every n-th case from index start modulo n on; under CI=true all cases.
// Tests that divide the cases among them use different starts.
func Share[T any](cases []T, n, start int) []T { return Draw(cases, n, 1, start) }

// Draw returns every n-th case from index start modulo n on, under CI=true every ci-th likewise, and all cases by make
// matrix.
func Draw[T any](cases []T, n, ci, start int) []T {
	step := Number(n, ci, 1)
	var share []T
	for i := start % step; i < len(cases); i += step {
		share = append(share, cases[i])
	}
	return share
}
