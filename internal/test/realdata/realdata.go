// Package realdata finds the real data sets that tests and benchmarks read.
package realdata

import (
	"os"
	"testing"
)

// Dir returns the directory that TSKGRAPH_DATA names. If it is not set, Dir skips the
// test, or fails it under CI=true.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("TSKGRAPH_DATA")
	switch {
	case dir != "":
	case os.Getenv("CI") == "true":
		t.Fatal("TSKGRAPH_DATA is not set: name the directory of the real data sets")
	default:
		t.Skip("TSKGRAPH_DATA is not set")
	}
	return dir
}
