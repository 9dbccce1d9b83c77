package fis

import (
	"math"
	"math/big"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
)

// exact returns v as a number that arithmetic does not round.
func exact(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// rounded returns the nearest float64; an infinity beyond the largest.
func rounded(r *big.Rat) float64 {
	v, _ := r.Float64()
	return v
}

// times returns the product a*b.
func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// inUnits converts a scaled parameter of a membership function to the units of its column,
// rounded once.
func inUnits(v float64, kind membership.Kind, in export.Input) float64 {
	switch kind {
	case membership.Position:
		r := times(exact(v), exact(in.SD))
		return rounded(r.Add(r, exact(in.Mean)))
	case membership.Spread:
		return v * in.SD
	case membership.Slope:
		return v / in.SD
	}
	return v
}

// plane returns the slopes [M] and the constant of an output in units of the columns and of the
// target, for weights [1+M] of z-scores. The slopes are rounded once. The constant is exact for
// these slopes and rounded once, so that the plane differs least at the means of the columns. A slope that
// overflows makes the constant infinite.
func plane(w []float64, inputs []export.Input, t export.Scale) []float64 {
	scale := exact(t.Scale)
	constant := times(scale, exact(w[0]))
	constant.Add(constant, exact(t.Mean))
	p := make([]float64, len(w))
	for i, in := range inputs {
		slope := times(scale, exact(w[i+1]))
		if p[i] = rounded(slope.Quo(slope, exact(in.SD))); math.IsInf(p[i], 0) {
			p[len(inputs)] = p[i]
			return p
		}
		constant.Sub(constant, times(exact(p[i]), exact(in.Mean)))
	}
	p[len(inputs)] = rounded(constant)
	return p
}
