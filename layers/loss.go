package layers

import "gorgonia.org/gorgonia"

// Loss returns the two parts of the paper's equation (7), as scalars: half the
// weighted sum of squared errors of the covered samples, and lambda/2 times the
// sum of squared slopes. Biases are not penalised. prediction, target, weight and
// covered are [B,1], slopes [M,R].
func Loss(b *Builder, prediction, target, weight, covered, slopes node, lambda float64) (data, penalty node) {
	half := func(sum node, by float64) node { return b.binary(gorgonia.Mul, sum, b.constant(by)) }
	square := b.unary(gorgonia.Square, b.binary(gorgonia.Sub, prediction, target))
	square = b.binary(gorgonia.HadamardProd, square, b.binary(gorgonia.HadamardProd, weight, covered))
	data = half(b.sum(square), 0.5)
	penalty = half(b.sum(b.unary(gorgonia.Square, slopes)), lambda/2)
	return data, penalty
}
