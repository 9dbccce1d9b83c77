package rules

// thenPart is a sample as the consequents see it. Its memory serves one sample after the other.
type thenPart struct {
	z       []float64 // [M]
	places  []Place   // see Places
	C       int       // outputs
	perRule bool      // every rule has curves of its own
	shared  []float64 // [C], sums of the curves that all rules share
}

// locate turns to a sample x [M] or [2M] of the rulebase.
func (s *thenPart) locate(rb *RuleBase, x []float64) {
	s.z, s.C = rb.ThenPart(x), rb.OutputCount()
	if rb.Curves == nil {
		return
	}
	s.places, s.shared = Places(s.places[:0], rb.Knots, s.z), s.shared[:0]
	if s.perRule = len(rb.Curves) > s.C; s.perRule {
		return
	}
	for _, values := range rb.Curves {
		s.shared = append(s.shared, curvesAt(values, s.places))
	}
}

// output returns output c of rule r for the sample, equation (1) with curves.
func (s *thenPart) output(rb *RuleBase, r, c int) float64 {
	width := len(s.z) + 1
	w := rb.Consequents[r][c*width:][:width]
	y := w[0]
	for m, v := range s.z {
		y += float64(w[m+1] * v)
	}
	switch {
	case rb.Curves == nil:
		return y
	case !s.perRule:
		return y + s.shared[c]
	}
	return y + curvesAt(rb.Curves[c*rb.Rules()+r], s.places)
}

// curvesAt returns the sum of the curves with the given values [Q] at the knots.
func curvesAt(values []float64, places []Place) float64 {
	sum := 0.0
	for _, p := range places {
		sum += p.On(values)
	}
	return sum
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
