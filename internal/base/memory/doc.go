// Package memory reports how much memory the process may use.
package memory

// Least is the least memory that a table may be given, in bytes.
const Least = 64 << 20
