//go:build js && wasm

package main

import "runtime/debug"

// Memory in bytes: what the workers of a race may take together, what a program takes without a table, and with one for each byte of it.
const (
	together = 300e6
	alone    = 24e6
	perByte  = 7
)

// needed returns the memory that a program takes with a table of some bytes.
func needed(table int64) int64 { return alone + perByte*table }

// suit lets the garbage collector keep to the memory that is needed with a table of some bytes, as memory that a page once had is never
// free again. Below that it is lazy: a small heap would be collected all the time.
func suit(table int64) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(needed(table))
}

// workers returns the number of workers of a race on a table of some bytes: one for each processor, as long as their memory suffices.
func workers(processors int, table int64) int {
	return max(1, min(processors, 8, int(together/needed(table))))
}
