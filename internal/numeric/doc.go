// Package numeric has functions of package math, and its random normal numbers, whose
// bits do not depend on the build: package math is compiled with x*y + z fused where
// the processor can, from GOAMD64=v3 on, and then Log1p and others give other last
// bits. On amd64 without it they give the bits of these.
//
// Exp, Log, Sqrt and Pow of package math need no substitute on amd64: they are written in
// assembly, or add nothing to a product but itself.
package numeric
