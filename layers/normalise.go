package layers

import "gorgonia.org/gorgonia"

// Normalise returns the normalised firing levels [B,R], the paper's equation (4), and
// covered [B,1]: one if the firing levels [B,R] of a sample sum to more than least, else
// zero. The normalised levels of an uncovered sample are zero.
func Normalise(b *Builder, firing *gorgonia.Node, least float64) (normalised, covered *gorgonia.Node) {
	B := firing.Shape()[0]
	sum := b.reshape(b.sum(firing, 1), B, 1)
	covered = b.above(sum, least)
	// Add one where the sum is (nearly) zero, to avoid division by zero.
	safe := b.binary(gorgonia.Add, sum, b.binary(gorgonia.Sub, b.constant(1), covered))
	level := b.binary(gorgonia.HadamardDiv, firing, b.stretch(safe, firing, 1))
	return b.binary(gorgonia.HadamardProd, level, b.stretch(covered, firing, 1)), covered
}
