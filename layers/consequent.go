package layers

import "gorgonia.org/gorgonia"

// Consequent returns the rule outputs y_r(x_n), the paper's equation (1), as a
// node [B,R], from x [B,M], slopes [M,R] and biases [1,R].
func Consequent(b *Builder, x, slopes, biases node) node {
	linear := b.binary(gorgonia.Mul, x, slopes)
	return b.binary(gorgonia.Add, linear, b.stretch(biases, linear, 0))
}
