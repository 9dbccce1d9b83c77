// Package kernel is the arithmetic of the fused engine and of the solvers: loops
// over plain slices, which package layers wraps into nodes of the graph.
//
// All matrices are row-major: x [B,M], parameters [M,R], firing levels, masks and
// rule outputs [B,R], for B samples, M features and R rules, each at least one. If a
// slice is too short, the function panics before it writes; elements beyond the needed
// length are not changed. Results must not overlap operands unless documented otherwise.
// Kernels do not allocate.
//
// There are two implementations: portable Go, and assembly for processors with AVX2 and
// FMA, selected at program start; [Name] returns the one in use. The build tag purego
// excludes assembly. Each implementation sums in a fixed order, so that the same numbers
// always give the same bits; between the two the last bits differ, except of the kernels for
// columns of samples (columns.go), which predict. Both propagate values
// that are not finite by the formulas, but the backward passes of the shapes require
// finite x and parameters.
package kernel
