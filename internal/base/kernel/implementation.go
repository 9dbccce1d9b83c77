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

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

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

// Scratch is the working memory of kernels, so that they do not allocate. The zero value
// is empty: call [Scratch.Size] once before use. Only one goroutine may use it at a time.
// Kernels keep nothing in it between calls.
type Scratch struct {
	params [6][]float64 // [M,R] each: values derived from parameters
	sums   [4][]float64 // [R,M] each: sums of gradients

	weight []float64 // [B]: nonzero v of a rule, see counting
	row    []int     // [B]: offsets of their samples in x
}

// Size allocates memory for B samples, M features and R rules.
func (s *Scratch) Size(B, M, R int) {
	s.weight, s.row = make([]float64, B), make([]int, B)
	for i := range s.params {
		s.params[i] = make([]float64, M*R)
	}
	for i := range s.sums {
		s.sums[i] = make([]float64, M*R)
	}
}

// transpose writes src [rows,cols] to dst [cols,rows].
func transpose(dst, src []float64, rows, cols int) {
	for i := range rows {
		for j, v := range src[i*cols : (i+1)*cols] {
			dst[j*rows+i] = v
		}
	}
}

// counting lists the samples for which v [B,R] is not zero at rule r. It has no branch,
// since random masks would mispredict it half the time.
func (s *Scratch) counting(v []float64, r, B, M, R int) (weight []float64, row []int) {
	n := 0
	for b := range B {
		w := v[b*R+r]
		s.weight[n], s.row[n] = w, b*M
		n += NotZero(w)
	}
	return s.weight[:n], s.row[:n]
}

// NotZero returns 0 if v is zero, of either sign, and 1 otherwise.
func NotZero(v float64) int {
	bits := math.Float64bits(v) << 1
	return int((bits | -bits) >> 63)
}

// SumSquares returns the sum of the squares of x.
func SumSquares(x []float64) float64 { return use.sumSquares(x) }

func sumSquares(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

// Within reports whether |x[i]| < limit for every element; it is false for NaN.
func Within(x []float64, limit float64) bool { return use.within(x, limit) }

func within(x []float64, limit float64) bool {
	for _, v := range x {
		if !(math.Abs(v) < limit) {
			return false
		}
	}
	return true
}

// divide computes a/x.
func divide(dst []float64, a float64, x []float64) {
	for i, v := range x {
		dst[i] = a / v
	}
}
