// Package kernel is the arithmetic of the fused engine: loops over plain slices,
// which package layers wraps into nodes of the graph.
//
// All matrices are row-major: x [B,M], parameters [M,R], firing levels, masks and
// rule outputs [B,R], for B samples, M features and R rules, each at least one.
// Nothing is allocated. Sums are made in a fixed order, so that the same numbers
// always give the same bits.
package kernel
