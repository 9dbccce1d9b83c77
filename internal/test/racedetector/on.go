//go:build race

// Package racedetector reports whether tests run under the race detector, which makes
// arithmetic ten times slower.
package racedetector

// Enabled reports whether the race detector is on.
const Enabled = true
