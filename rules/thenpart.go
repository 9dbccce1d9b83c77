package rules

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

// thenPart is a block of samples as the consequents see it. Its memory serves one block after the other.
type thenPart struct {
	b       int       // samples
	z       []float64 // [M,B]
	first   []int     // the number of the first knot of each of the P features that have curves
	at      []int     // [P,B], the knot below, numbered by feature
	share   []float64 // [P,B], the share of the way to the next one
	sums    []float64 // [B], of curves
	shared  []float64 // [C,B], sums of the curves that all rules share
	perRule bool      // every rule has curves of its own

	// of many samples, see prepare
	curves []*kernel.Curve
	slopes [][]int // [R C], the features whose slopes are not zero
	bends  [][]int // of each row of curves, the features, of the P, whose curves are not zero everywhere
	sparse bool    // columns that are zero add nothing to an output: the inputs are finite
}

// prepare finds what is zero in the consequents, and how to locate many samples.
func (s *thenPart) prepare(rb *RuleBase) {
	M := rb.Features()
	for _, w := range rb.Consequents {
		for c := range rb.OutputCount() {
			s.slopes = append(s.slopes, notZero(w[c*(M+1)+1:][:M]))
		}
	}
	if rb.Curves == nil {
		return
	}
	for _, k := range rb.Knots {
		if len(k) > 0 {
			s.curves = append(s.curves, kernel.NewCurve(k))
		}
	}
	for _, values := range rb.Curves {
		var bent []int
		p := 0
		for _, k := range rb.Knots {
			if len(k) == 0 {
				continue
			}
			if len(notZero(values[:len(k)])) > 0 {
				bent = append(bent, p)
			}
			values = values[len(k):]
			p++
		}
		s.bends = append(s.bends, bent)
	}
}

// notZero returns the indices of the values that are not zero.
func notZero(values []float64) (all []int) {
	for i, v := range values {
		if v != 0 {
			all = append(all, i)
		}
	}
	return all
}

// locate turns to samples z [M,B] of the rulebase.
func (s *thenPart) locate(rb *RuleBase, z []float64, B int) {
	s.b, s.z, s.sparse = B, z, s.slopes != nil && kernel.Within(z[:rb.Features()*B], math.MaxFloat64)
	if rb.Curves == nil {
		return
	}
	s.first, s.at, s.share, s.shared = s.first[:0], s.at[:0], s.share[:0], s.shared[:0]
	first := 0
	for m, k := range rb.Knots {
		if len(k) == 0 {
			continue
		}
		s.find(k, z[m*B:(m+1)*B])
		s.first = append(s.first, first)
		first += len(k)
	}
	s.sums = append(s.sums[:0], z[:B]...)
	if s.perRule = len(rb.Curves) > rb.OutputCount(); s.perRule {
		return
	}
	for row := range rb.Curves {
		s.addUp(rb, row)
		s.shared = append(s.shared, s.sums...)
	}
}

// find appends the places of the samples z [B] of the next feature.
func (s *thenPart) find(knots, z []float64) {
	if s.curves == nil {
		for _, v := range z {
			q, t := Between(knots, v)
			s.at, s.share = append(s.at, q), append(s.share, t)
		}
		return
	}
	n := len(s.at)
	s.at, s.share = slices.Grow(s.at, len(z))[:n+len(z)], append(s.share, z...)
	s.curves[len(s.first)].Locate(s.at[n:], s.share[n:], z)
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
		s.addUp(rb, c*rb.Rules()+r)
		kernel.Add(y, s.sums)
	}
}

// one returns output c of rule r for sample n, to the bit as output, if sparse.
func (s *thenPart) one(n int, rb *RuleBase, r, c int) float64 {
	C := rb.OutputCount()
	w := rb.Consequents[r][c*(rb.Features()+1):]
	y := w[0]
	for _, m := range s.slopes[r*C+c] {
		y += float64(w[m+1] * s.z[m*s.b+n])
	}
	switch {
	case rb.Curves == nil:
		return y
	case !s.perRule:
		return y + s.shared[c*s.b+n]
	}
	row, sum := c*rb.Rules()+r, 0.0
	for _, p := range s.bends[row] {
		i := p*s.b + n
		sum += Place{s.first[p] + s.at[i], s.share[i]}.On(rb.Curves[row])
	}
	return y + sum
}

// addUp sums the curves with a row of values at the knots. Those that are zero everywhere are left out after prepare: they
// make a difference for inputs only that are not finite, where the slopes make it, too.
func (s *thenPart) addUp(rb *RuleBase, row int) {
	clear(s.sums)
	if s.bends == nil {
		for p := range s.first {
			s.add(p, rb.Curves[row])
		}
		return
	}
	for _, p := range s.bends[row] {
		s.add(p, rb.Curves[row])
	}
}

// add adds the curve of feature p of the P to the sums.
func (s *thenPart) add(p int, values []float64) {
	values = values[s.first[p]:]
	at, share := s.at[p*s.b:][:len(s.sums)], s.share[p*s.b:][:len(s.sums)]
	for n, q := range at {
		s.sums[n] += Place{q, share[n]}.On(values)
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
