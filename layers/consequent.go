package layers

import "gorgonia.org/gorgonia"

// Consequent returns the rule outputs y_r(x_n), the paper's equation (1), as a
// node [B,R], from x [B,M], slopes [M,R] and biases [1,R] of one output.
func Consequent(b *Builder, x, slopes, biases *gorgonia.Node) *gorgonia.Node {
	linear := b.binary(gorgonia.Mul, x, slopes)
	return b.binary(gorgonia.Add, linear, b.stretch(biases, linear, 0))
}

// OfOutput returns the part of output c of C in the rows of a parameter: of rows of all
// outputs, one output after the other.
func OfOutput(b *Builder, parameter *gorgonia.Node, c, C int) *gorgonia.Node {
	if C == 1 || b.err != nil {
		return parameter
	}
	rows, columns := parameter.Shape()[0]/C, parameter.Shape()[1]
	part := b.do(func() (node, error) { return gorgonia.Slice(parameter, gorgonia.S(c*rows, (c+1)*rows)) })
	return b.reshape(part, rows, columns) // a slice of one row is a vector
}
