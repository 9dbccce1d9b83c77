// Package kernel is the arithmetic of the fused engine and of the solvers: loops
// over plain slices, which package layers wraps into nodes of the graph.
//
// All matrices are row-major: x [B,M], parameters [M,R], firing levels, masks and
// rule outputs [B,R], for B samples, M features and R rules, each at least one. A
// slice that is too short for that panics before anything is written; one that is
// longer keeps its rest. Results do not overlap with what is read, unless it says
// so. Nothing is allocated.
//
// There are two implementations: in Go, which works everywhere, and in assembly
// (AVX2 and FMA), which is chosen when the program starts if the processor has
// these; [Name] says which. The build tag purego leaves assembly out. Sums are made
// in a fixed order, so that the same numbers always give the same bits with the
// same implementation; between the two the last bits differ. What is not finite
// comes out as the formulas say, in both of them; the backward passes of the shapes
// want finite x and parameters.
package kernel
