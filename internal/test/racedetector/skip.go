package racedetector

import "testing"

// Skip skips a test under the race detector that starts no goroutines, or only those that shorter tests start, too.
func Skip(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("too slow with the race detector, which other tests give the same goroutines")
	}
}
