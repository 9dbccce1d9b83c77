//go:build !amd64 || purego

package kernel

// fastest returns the only implementation.
func fastest() *implementation { return &plain }

func callExp(dst, x []float64) { exp(dst, x) }
func callLog(dst, x []float64) { log(dst, x) }
