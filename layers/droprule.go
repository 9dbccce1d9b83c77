package layers

import "gorgonia.org/gorgonia"

// DropRule returns the firing levels [B,R] of the kept rules and zero for the
// others; mask [B,R] is one where a rule is kept. If the kept levels of a sample sum to
// at most least, it uses all rules.
func DropRule(b *Builder, firing, mask *gorgonia.Node, least float64) *gorgonia.Node {
	B := firing.Shape()[0]
	kept := b.binary(gorgonia.HadamardProd, firing, mask)
	// open is zero for samples that use all rules, and then disables the mask.
	open := b.stretch(b.above(b.reshape(b.sum(kept, 1), B, 1), least), firing, 1)
	one := b.constant(1)
	dropped := b.binary(gorgonia.Sub, one, mask)
	lifted := b.binary(gorgonia.Sub, one, b.binary(gorgonia.HadamardProd, open, dropped))
	return b.binary(gorgonia.HadamardProd, firing, lifted)
}

// LogDropRule returns firing levels [B,R] from their logarithms, relative to the largest
// kept one of each sample (a factor that normalisation cancels), and zero for dropped
// rules. The mask must keep at least one rule per sample.
func LogDropRule(b *Builder, logFiring, mask *gorgonia.Node) *gorgonia.Node {
	B := logFiring.Shape()[0]
	// The logarithm of a dropped rule is so negative that its exponential is zero.
	pushed := b.binary(gorgonia.Mul, b.binary(gorgonia.Sub, mask, b.constant(1)), b.constant(pushDown))
	kept := b.binary(gorgonia.Add, logFiring, pushed)
	top := b.reshape(b.do(func() (node, error) { return gorgonia.Max(kept, 1) }), B, 1)
	return b.unary(gorgonia.Exp, b.binary(gorgonia.Sub, kept, b.stretch(top, kept, 1)))
}

// pushDown is larger than the size of any relevant logarithm of a firing level.
const pushDown = 1e300
