// Package slow decides how much of a slow test is run: a part of its cases by
// default, all of them under CI=true. The part is fixed, so that a test that passes
// passes again.
package slow

import "os"

// all reports whether every case is to be run.
func all() bool { return os.Getenv("CI") == "true" }

// Cases returns how many cases to run: few, or all under CI=true.
func Cases(few, every int) int {
	if all() {
		return every
	}
	return few
}

// Share returns every n-th of the cases, from the one at index start modulo n on, or
// all cases under CI=true. Tests that share cases between them take different starts.
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
