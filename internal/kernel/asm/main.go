// Command asm writes the AVX2 and FMA kernels of package kernel; `go generate` in
// that package runs it.
//
// It is a module of its own, so that the assembler's generator is no dependency
// of the toolkit. Functions carry the names of the Go ones they replace, whose
// comments say what they compute.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")

	exp()
	log()
	shiftRows()
	dropRows()
	normalise()
	normaliseBackward()

	divide()
	legs()
	gaussianForward()
	gaussianBackward()
	trapezoidForward()
	trapezoidBackward()
	consequents()
	consequentsBackward()

	adaBound()
	expandMask()
	sumSquares()
	within()
	Generate()
}

// function begins a function of no result.
func function(name, params string) { functionOf(name, params, "") }

// functionOf begins a function.
func functionOf(name, params, result string) {
	TEXT(name+"AVX2", NOSPLIT, "func("+params+") "+result)
	Pragma("noescape")
}
