//go:build !amd64 || purego

package kernel

// fastest returns the only implementation there is.
func fastest() *implementation { return &plain }
