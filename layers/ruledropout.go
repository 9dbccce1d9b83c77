package layers

import "gorgonia.org/gorgonia"

// RuleDropout returns the normalised firing levels [B,R] of the rules that the mask [B,R] keeps
// with probability keep, over keep, and zero for the others, without normalising again (A. B.
// Khalifa, H. Frigui, Multiple instance fuzzy inference neural networks, 2016). The mean over
// the masks is the levels themselves: to scale in training replaces to scale the predictions
// by keep afterwards.
func RuleDropout(b *Builder, levels, mask *gorgonia.Node, keep float64) *gorgonia.Node {
	if b.err != nil {
		return nil
	}
	return b.Mul(b.Const(1/keep), b.Mul(levels, mask)).(node)
}
