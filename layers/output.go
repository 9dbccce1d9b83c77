package layers

import "gorgonia.org/gorgonia"

// Output returns the predictions y(x_n), the paper's equation (5), as a node
// [B,1]: the rule outputs [B,R] weighted by the normalised firing levels [B,R].
func Output(b *Builder, normalised, outputs node) node {
	B := outputs.Shape()[0]
	return b.reshape(b.sum(b.binary(gorgonia.HadamardProd, normalised, outputs), 1), B, 1)
}
