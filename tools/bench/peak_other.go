//go:build !unix

package main

import "os"

// peakMiB is zero where the system does not say.
func peakMiB(*os.ProcessState) float64 { return 0 }
