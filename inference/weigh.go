package inference

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// LeastFiring is the firing level below which a rule has the weight zero, except with [TSK]:
// the smallest normal number, whose reciprocal is finite.
const LeastFiring = 0x1p-1022

// Weigh replaces the firing levels f, or their logarithms if logs, of a rulebase with M
// features by weights, or their logarithms. The levels of [TSK] are unchanged.
func Weigh(d Defuzzification, f []float64, M int, logs bool) {
	if d == (TSK{}) {
		return
	}
	for i, v := range f {
		f[i] = weight(d, v, M, logs)
	}
}

func weight(d Defuzzification, f float64, M int, logs bool) float64 {
	switch {
	case logs:
		return d.LogWeight(f, M)
	case f < LeastFiring:
		return 0
	}
	return numeric.Exp(d.LogWeight(math.Log(f), M))
}

// WeightGradient returns dw/df, or d log w/d log f if logs, for a firing level f, or its
// logarithm if logs.
func WeightGradient(d Defuzzification, f float64, M int, logs bool) float64 {
	switch {
	case logs:
		return d.Gradient(f, M)
	case d == (TSK{}):
		return 1
	case f < LeastFiring:
		return 0
	}
	z := math.Log(f)
	return numeric.Exp(d.LogWeight(z, M)) * d.Gradient(z, M) / f
}
