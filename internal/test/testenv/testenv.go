// Package testenv is what tests need of their environment: the real data sets, PostgreSQL servers, contexts that end after a counted
// number of checks, commands of guides in Markdown, whether the race detector is on, and how many cases a slow test
// runs: a few by default, more under CI=true, all under TEST_CASES=all, which make matrix sets; under the race detector
// a few, with which it finds the same races. The selection is fixed.
package testenv

import (
	"os"
	"runtime/debug"
	"testing"
)

// Tests allocate much and keep little: collecting garbage less often takes a sixth off their processor time.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// effort is how many cases run.
type effort int

const (
	few effort = iota
	more
	all
)

func current() effort {
	switch {
	case Race:
		return few
	case os.Getenv("TEST_CASES") == "all":
		return all
	case os.Getenv("CI") == "true":
		return more
	}
	return few
}

// AllCases reports whether make matrix asks for all cases.
func AllCases() bool { return current() == all }

// Cases returns how many cases to run by default and under CI=true.
func Cases(byDefault, ci int) int { return CaseNumber(byDefault, ci, ci) }

// CaseNumber returns how many cases to run by default, under CI=true, and by make matrix.
func CaseNumber(byDefault, ci, matrix int) int {
	return []int{few: byDefault, more: ci, all: matrix}[current()]
}

// Share returns every n-th case from index start modulo n on; under CI=true all cases.
// Tests that divide the cases among them use different starts.
func Share[T any](cases []T, n, start int) []T { return Draw(cases, n, 1, start) }

// Draw returns every n-th case from index start modulo n on, under CI=true every ci-th likewise, and all cases by make
// matrix.
func Draw[T any](cases []T, n, ci, start int) []T {
	step := CaseNumber(n, ci, 1)
	var share []T
	for i := start % step; i < len(cases); i += step {
		share = append(share, cases[i])
	}
	return share
}

// Race reports whether the race detector is on; race.go sets it.
var Race bool

// SkipRace skips a test under the race detector that starts no goroutines, or only those that shorter tests start, too.
func SkipRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("too slow with the race detector, which other tests give the same goroutines")
	}
}

// OnlyCI skips a test by default and under the race detector: it takes long, and shorter tests hold the parts of what it holds together.
func OnlyCI(t testing.TB) {
	t.Helper()
	if current() == few {
		t.Skip("takes long: CI=true go test, and make matrix, run it")
	}
}
