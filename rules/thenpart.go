package rules

import "github.com/tskgraph/tskgraph/internal/base/kernel"

// thenPart is a block of samples as the consequents see it. Its memory serves one block after the other.
type thenPart struct {
	b       int       // samples
	z       []float64 // [M,B]
	places  []Place   // [P,B] of the P features that have curves
	sums    []float64 // [B], of curves
	shared  []float64 // [C,B], sums of the curves that all rules share
	perRule bool      // every rule has curves of its own
}

// locate turns to samples z [M,B] of the rulebase.
func (s *thenPart) locate(rb *RuleBase, z []float64, B int) {
	s.b, s.z = B, z
	if rb.Curves == nil {
		return
	}
	s.places, s.shared = s.places[:0], s.shared[:0]
	first := 0
	for m, k := range rb.Knots {
		if len(k) == 0 {
			continue
		}
		for _, v := range z[m*B : (m+1)*B] {
			q, t := Between(k, v)
			s.places = append(s.places, Place{first + q, t})
		}
		first += len(k)
	}
	s.sums = append(s.sums[:0], z[:B]...)
	if s.perRule = len(rb.Curves) > rb.OutputCount(); s.perRule {
		return
	}
	for _, values := range rb.Curves {
		s.addUp(values)
		s.shared = append(s.shared, s.sums...)
	}
}

// output writes output c of rule r for the samples to y [B], equation (1) with curves.
func (s *thenPart) output(y []float64, rb *RuleBase, r, c int) {
	M := rb.Features()
	kernel.ConsequentColumn(y, s.z, rb.Consequents[r][c*(M+1):], s.b, M)
	switch {
	case rb.Curves == nil:
	case !s.perRule:
		kernel.Add(y, s.shared[c*s.b:])
	default:
		s.addUp(rb.Curves[c*rb.Rules()+r])
		kernel.Add(y, s.sums)
	}
}

// addUp sums the curves with the given values [Q] at the knots.
func (s *thenPart) addUp(values []float64) {
	clear(s.sums)
	for i := 0; i < len(s.places); i += s.b {
		for n, p := range s.places[i : i+s.b] {
			s.sums[n] += p.On(values)
		}
	}
}

// Place is a position on the curve of a feature: a share of the way from knot Knot to the
// next one. Knots are numbered over all features.
type Place struct {
	Knot  int
	Share float64
}

// Places appends the positions of the inputs of the consequents z [M] on the curves with the
// given knots [M] to dst, one for each feature that has a curve, in order.
func Places(dst []Place, knots [][]float64, z []float64) []Place {
	first := 0
	for m, k := range knots {
		if len(k) > 0 {
			q, t := Between(k, z[m])
			dst = append(dst, Place{first + q, t})
			first += len(k)
		}
	}
	return dst
}

// On returns the value of a curve with the given values [Q] at the knots.
func (p Place) On(values []float64) float64 {
	low := values[p.Knot]
	return low + float64(p.Share*(values[p.Knot+1]-low))
}

// Between returns the index q of a knot and t in [0, 1] so that v, limited to the range of
// the knots, is (1-t) knots[q] + t knots[q+1]. There are at least two knots, ascending. For
// NaN, t is NaN.
func Between(knots []float64, v float64) (q int, t float64) {
	for n := len(knots) - 1; n > 1; { // the interval is one of n from q
		half, above := n/2, 0
		if v >= knots[q+half] { // a comparison that sets above, not a branch
			above = 1
		}
		q += half & -above
		n -= half
	}
	t = (v - knots[q]) / (knots[q+1] - knots[q])
	return q, max(0, min(1, t))
}
