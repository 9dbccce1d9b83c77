package tree

import "gonum.org/v1/gonum/mathext"

// sameAbove is the probability above which two leaves say the same: that of a gain at
// least as large as theirs if a single plane describes the samples of both.
const sameAbove = 0.05

// merge merges, from the leaves upwards, the two leaves of a split that say the same.
func (g *grower) merge(n *node) {
	if n.below == nil {
		return
	}
	g.merge(n.below)
	g.merge(n.above)
	if n.below.below == nil && n.above.below == nil && g.same(n) {
		n.below, n.above = nil, nil
		g.merged++
	}
}

// same is the test of Chow ("Tests of equality between sets of coefficients in two linear
// regressions", Econometrica 28 (1960)): with P coefficients, n samples, the error S of one
// plane and the error T of two,
//
//	F = ((S - T) / P) / (T / (n - 2P))
//
// has P and n - 2P degrees of freedom; over C outputs, taken as independent, C times as many. The split was chosen among many for its gain, so
// the test keeps too many rather than too few: with a correction for their number
// (Bonferroni), trained models err more. With n <= 2P nothing can be said: leaves that
// small are merged.
func (g *grower) same(n *node) bool {
	P := float64(g.width - g.outputs)
	free := float64(len(n.rows)) - float64(2*P)
	if free <= 0 {
		return true
	}
	two := n.below.squares + n.above.squares
	share := (n.squares - two) / n.squares // P F / (P F + n - 2P)
	if !(share > 0) {                      // nothing is gained, up to rounding
		return true
	}
	C := float64(g.outputs)
	return 1-mathext.RegIncBeta(C*P/2, C*free/2, min(share, 1)) > sameAbove
}
