// Package numeric provides functions of package math and normal random numbers whose bits
// do not depend on the build. With fused multiply-add, from GOAMD64=v3 on, Log1p and
// others of package math give different last bits; the functions of this package always
// give those of package math on amd64 without it.
//
// Log, Sqrt and Pow of package math need no substitute on amd64: they are written in assembly,
// or add to no product but its own copy. So is Exp, whose bits are those of amd64 alone: with the
// build tag purego and in WebAssembly, Exp has the same operations on all processors.
package numeric
