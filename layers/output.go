package layers

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// Output returns the predictions y(x_n), the paper's equation (5), as a node
// [B,1]: the rule outputs [B,R] weighted by the normalised firing levels [B,R].
func Output(b *Builder, normalised, outputs *gorgonia.Node) *gorgonia.Node {
	B := outputs.Shape()[0]
	return b.reshape(b.sum(b.binary(gorgonia.HadamardProd, normalised, outputs), 1), B, 1)
}

// Columns returns the columns [B,1] as one matrix [B,C].
func Columns(b *Builder, columns []*gorgonia.Node) (all *gorgonia.Node) {
	if len(columns) == 1 {
		return columns[0]
	}
	for c, column := range columns {
		unit := make([]float64, len(columns))
		unit[c] = 1
		term := b.binary(gorgonia.Mul, column, constantMatrix(b, column, fmt.Sprintf("unit %d of %d", c+1, len(columns)), 1, unit))
		if all == nil {
			all = term
			continue
		}
		all = b.binary(gorgonia.Add, all, term)
	}
	return all
}
