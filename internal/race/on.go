//go:build race

// Package race tells tests whether they run under the race detector, which makes
// arithmetic ten times slower.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
