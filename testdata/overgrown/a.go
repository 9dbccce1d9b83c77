// Package overgrown breaks the limits that the house test holds.
package overgrown

// T has methods in three files.
type T struct{}

// A is one.
func (T) A() {}
