package layers

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/inference"
)

// Weights returns the weights of the rules, a node [B,R], from their firing levels [B,R] over
// M features, or the logarithms of both if logs; see [inference.Weigh]. For
// [inference.TSK] it adds no node.
func Weights(b *Builder, d inference.Defuzzification, firing *gorgonia.Node, M int, logs bool) *gorgonia.Node {
	switch {
	case b.err != nil || d == (inference.TSK{}):
		return firing
	case logs:
		return d.Expr(b, firing, M).(node)
	}
	fires := b.above(firing, inference.LeastFiring)
	// The logarithm of one where a rule does not fire, to avoid that of zero.
	safe := b.binary(gorgonia.Add, firing, b.binary(gorgonia.Sub, b.constant(1), fires))
	z := b.unary(gorgonia.Log, safe)
	if b.err != nil {
		return nil
	}
	return b.binary(gorgonia.HadamardProd, b.unary(gorgonia.Exp, d.Expr(b, z, M)), fires)
}
