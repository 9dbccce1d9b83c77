package testenv

import "testing"

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
		t.Skip("takes long: run under CI=true only")
	}
}
