// Package overgrown breaks the limits that the house test holds.
package overgrown

// T has methods in three files.
type T struct{}

// A is one.
func (T) A() {}

// C is in a line of 141 columns, of which the tab below counts as one, as do letters of more than one byte: é. These words fill the rest of.
func (T) C() {}
