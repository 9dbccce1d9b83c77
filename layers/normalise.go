package layers

import "gorgonia.org/gorgonia"

// Normalise returns the normalised firing levels, the paper's equation (4), and
// covered [B,1]: one where the firing levels [B,R] of a sample sum to more than
// least, zero where no rule covers it. The levels of such a sample are zero.
func Normalise(b *Builder, firing node, least float64) (normalised, covered node) {
	B := firing.Shape()[0]
	sum := b.reshape(b.sum(firing, 1), B, 1)
	covered = b.above(sum, least)
	// One is added where the sum is (nearly) zero, so that nothing is divided by it.
	safe := b.binary(gorgonia.Add, sum, b.binary(gorgonia.Sub, b.constant(1), covered))
	level := b.binary(gorgonia.HadamardDiv, firing, b.stretch(safe, firing, 1))
	return b.binary(gorgonia.HadamardProd, level, b.stretch(covered, firing, 1)), covered
}
