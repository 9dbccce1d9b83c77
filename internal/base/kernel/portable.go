//go:build !amd64 || purego

package kernel

import "github.com/tskgraph/tskgraph/internal/base/numeric"

// fastest returns the only implementation.
func fastest() *implementation { return &plain }

func callExp(dst, x []float64) { numeric.Exps(dst, x) }
func callLog(dst, x []float64) { numeric.Logs(dst, x) }
