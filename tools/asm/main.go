// Command asm writes the AVX2 and FMA kernels of package kernel; `go generate` in
// that package runs it.
//
// Functions have the names of the Go functions that they replace, which document them.
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
	ambiguity()
	ambiguityBackward()

	divide()
	legs()
	gaussianForward()
	gaussianBackward()
	trapezoidForward()
	trapezoidBackward()
	consequents()
	consequentsBackward()
	locate()
	addCurves()
	addShared()
	curvesBackward()
	sharedBackward()

	gaussianColumn()
	trapezoidColumn()
	moderate()
	consequentColumn()
	shiftColumns()
	normaliseColumns()
	addWeighted()
	log1p()
	expm1()

	adaBound()
	expandMask()
	sumSquares()
	shrink()
	within()
	Generate()
}

// function begins a function without a result.
func function(name, params string) { functionOf(name, params, "") }

// functionOf begins a function.
func functionOf(name, params, result string) {
	TEXT(name+"AVX2", NOSPLIT, "func("+params+") "+result)
	Pragma("noescape")
}
