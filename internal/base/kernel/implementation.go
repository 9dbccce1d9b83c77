package kernel

import "github.com/tskgraph/tskgraph/internal/base/numeric"

//go:generate go -C ../../../tools run ./asm -out ../internal/base/kernel/avx2_amd64.s -stubs ../internal/base/kernel/stubs_amd64.go -pkg kernel

// implementation holds the functions behind the exported ones, which check the lengths:
// matrices have the sizes given by B, M and R, vectors of one function the same length.
type implementation struct {
	name string

	exp, log func(dst, x []float64)

	divide            func(dst []float64, a float64, x []float64)
	gaussianForward   func(z, x, c, k []float64, B, M, R int)
	gaussianBackward  func(gc, gsigma, v, x, c, sigma []float64, B, M, R int, s *Scratch)
	legs              func(left, right, a, b, c, d []float64)
	trapezoidForward  func(f, x, a, d, left, right []float64, B, M, R int)
	trapezoidBackward func(ga, gb, gc, gd, v, x, a, b, c, d []float64, B, M, R int, s *Scratch)

	consequents         func(y, x, slope, bias []float64, B, M, R int)
	consequentsBackward func(gslope, gbias, h, x, slope []float64, lambda float64, B, M, R int)

	locate         func(at []int, share, z, inner, knots []float64, first []int, n, cells, stride, T int)
	addCurves      func(y []float64, at []int, share, v []float64, B, P, R int)
	addShared      func(y []float64, at []int, share, v []float64, B, P, R int)
	curvesBackward func(g []float64, at []int, share, h []float64, B, P, R int)
	sharedBackward func(g []float64, at []int, share, h []float64, B, P, R int)

	gaussianColumn   func(z, x, p []float64, B, M int)
	trapezoidColumn  func(f, x, p []float64, B, M int)
	moderate         func(x []float64) bool
	consequentColumn func(y, x, w []float64, B, M int)
	shiftColumns     func(z []float64, B, R int)
	normaliseColumns func(covered, level []float64, least float64, B, R int)
	addWeighted      func(sum, level, v []float64)
	log1p, expm1     func(dst, x []float64)

	expRows           func(f, z, mask []float64, B, R int)
	dropRows          func(level, used, f, mask []float64, least float64, B, R int)
	normalise         func(y, scale, covered, level, outputs []float64, least float64, B, R int)
	normaliseBackward func(byFiring, byOutput, level, factor, outputs, y, dy, scale []float64, B, R int)
	ambiguity         func(d, rounding, level, outputs, y, weight []float64, B, R int) float64
	ambiguityBackward func(byFiring, byOutput, level, factor, outputs, y, d, rounding, weight, scale []float64, alpha float64, B, R int)

	adaBound   func(value, grad, m, v []float64, alpha, epsilon, b1, a1, b2, a2, c1, c2, lower, upper float64)
	expandMask func(mask []float64, words []uint64, threshold uint64, B, R int)
	sumSquares func(x []float64) float64
	shrink     func(g, v []float64, by, deviation float64, n, R int) (means, deviations float64)
	within     func(x []float64, limit float64) bool
}

// plain is the implementation in Go, which works everywhere.
var plain = implementation{
	name: "go",

	exp: numeric.Exps, log: numeric.Logs,

	divide: divide, gaussianForward: gaussianForward, gaussianBackward: gaussianBackward,
	legs: legs, trapezoidForward: trapezoidForward, trapezoidBackward: trapezoidBackward,

	consequents: consequents, consequentsBackward: consequentsBackward,

	locate: locate, addCurves: addCurves, addShared: addShared,
	curvesBackward: curvesBackward, sharedBackward: sharedBackward,

	gaussianColumn: gaussianColumn, trapezoidColumn: trapezoidColumn, moderate: moderate,
	consequentColumn: consequentColumn, shiftColumns: shiftColumns, normaliseColumns: normaliseColumns, addWeighted: addWeighted,
	log1p: leave, expm1: leave,

	expRows: expRows, dropRows: dropRows, normalise: normalise, normaliseBackward: normaliseBackward,
	ambiguity: ambiguity, ambiguityBackward: ambiguityBackward,

	adaBound: adaBound, expandMask: expandMask, sumSquares: sumSquares, shrink: shrink, within: within,
}

// use is the implementation in use, chosen once.
var use = fastest()

// Name returns the name of the implementation in use: "avx2" on amd64 processors with
// AVX2 and FMA, else "go". Their results differ in the last bits.
func Name() string { return use.name }

// cut returns the first n cells of v, with n at least one. It panics if v is shorter.
func cut(v []float64, n int) []float64 {
	_ = v[n-1]
	return v[:n]
}
