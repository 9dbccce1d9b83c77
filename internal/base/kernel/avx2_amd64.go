//go:build !purego

package kernel

import (
	"golang.org/x/sys/cpu"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// fastest returns avx2 if the processor and the operating system support it.
func fastest() *implementation {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return &avx2
	}
	return &plain
}

// avx2 is the implementation in AVX2 and FMA assembly, four numbers at a time. Rows may
// have any length and alignment.
var avx2 = implementation{
	name: "avx2",

	exp: expAVX2, log: logAVX2,

	divide: divideAVX2, gaussianForward: gaussianForwardAVX2,
	gaussianBackward: func(gc, gsigma, v, x, c, sigma []float64, B, M, R int, _ *Scratch) {
		gaussianBackwardAVX2(gc, gsigma, v, x, c, sigma, B, M, R)
	},
	legs: legsAVX2, trapezoidForward: trapezoidForwardAVX2,
	trapezoidBackward: func(ga, gb, gc, gd, v, x, a, b, c, d []float64, B, M, R int, _ *Scratch) {
		trapezoidBackwardAVX2(ga, gb, gc, gd, v, x, a, b, c, d, B, M, R)
	},

	consequents: consequentsAVX2, consequentsBackward: consequentsBackwardAVX2,

	locate: locateAVX2, addCurves: addCurvesAVX2, addShared: addSharedAVX2,
	curvesBackward: curvesBackwardAVX2, sharedBackward: sharedBackwardAVX2,

	gaussianColumn: gaussianColumnAVX2, trapezoidColumn: trapezoidColumnAVX2, moderate: moderateAVX2,
	consequentColumn: consequentColumnAVX2, shiftColumns: shiftColumnsAVX2, normaliseColumns: normaliseColumnsAVX2,
	addWeighted: addWeightedAVX2,
	log1p:       log1pAVX2, expm1: expm1AVX2,

	expRows: func(f, z, mask []float64, B, R int) {
		shiftRowsAVX2(f, z, mask, B, R)
		expAVX2(f, f)
	},
	dropRows: dropRowsAVX2, normalise: normaliseAVX2, normaliseBackward: normaliseBackwardAVX2,
	ambiguity: ambiguityAVX2, ambiguityBackward: ambiguityBackwardAVX2,

	adaBound: adaBoundAVX2, expandMask: expandMaskAVX2, sumSquares: sumSquaresAVX2, shrink: shrinkAVX2, within: withinAVX2,
}

// callExp and callLog call the functions directly, not through the table, so that
// arguments can stay on the stack of the caller.

func callExp(dst, x []float64) {
	if use == &avx2 {
		expAVX2(dst, x)
	} else {
		numeric.Exps(dst, x)
	}
}

func callLog(dst, x []float64) {
	if use == &avx2 {
		logAVX2(dst, x)
	} else {
		numeric.Logs(dst, x)
	}
}
