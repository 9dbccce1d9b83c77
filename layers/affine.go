package layers

import "gorgonia.org/gorgonia"

// Affine returns gamma x + beta, feature by feature, [B,M], from x [B,M] and gamma and beta
// [1,M].
func Affine(b *Builder, x, gamma, beta *gorgonia.Node) *gorgonia.Node {
	if b.err != nil {
		return nil
	}
	scaled := b.Mul(x, b.stretch(gamma, x, 0))
	return b.Add(scaled, b.stretch(beta, x, 0)).(node)
}
