package layers

import "gorgonia.org/gorgonia"

// Loss returns the data part of the paper's equation (7), a scalar: half the
// weighted sum of squared errors of the covered samples. prediction, target, weight
// and covered are [B,1].
func Loss(b *Builder, prediction, target, weight, covered node) node {
	square := b.unary(gorgonia.Square, b.binary(gorgonia.Sub, prediction, target))
	square = b.binary(gorgonia.HadamardProd, square, b.binary(gorgonia.HadamardProd, weight, covered))
	return b.times(b.sum(square), 0.5)
}

// SlopePenalty returns lambda/2 times the sum of squared slopes [M,R], the other
// part of equation (7), a scalar. With toMean it is that of the slopes less their
// mean over the rules.
func SlopePenalty(b *Builder, slopes node, lambda float64, toMean bool) node {
	if toMean {
		M, R := slopes.Shape()[0], slopes.Shape()[1]
		mean := b.times(b.reshape(b.sum(slopes, 1), M, 1), 1/float64(R))
		slopes = b.binary(gorgonia.Sub, slopes, b.stretch(mean, slopes, 1))
	}
	return b.times(b.sum(b.unary(gorgonia.Square, slopes)), lambda/2)
}

// UniformPenalty returns uniform R sum_r (mean_n fbar_r(x_n) - 1/R)^2, a scalar, from
// normalised firing levels [B,R].
func UniformPenalty(b *Builder, normalised node, uniform float64) node {
	B, R := normalised.Shape()[0], normalised.Shape()[1]
	mean := b.times(b.reshape(b.sum(normalised, 0), 1, R), 1/float64(B))
	off := b.binary(gorgonia.Sub, mean, b.constant(1/float64(R)))
	return b.times(b.sum(b.unary(gorgonia.Square, off)), uniform*float64(R))
}

// times returns v x.
func (b *Builder) times(x node, v float64) node { return b.binary(gorgonia.Mul, x, b.constant(v)) }
