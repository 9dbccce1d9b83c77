package certify

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
)

// addShares adds the normalised levels.
func (e *rulesIn) addShares() {
	e.p = make([]span, len(e.Rules))
	if e.LogSpace {
		e.addLogShares()
		return
	}
	e.sum = zero
	for _, r := range e.firing {
		e.sum = add(e.sum, e.level[r])
	}
	if e.atMid != nil { // in mean-value form, where what one rule loses another one gains
		v := e.atMid.sum
		for d, p := range e.places {
			v = add(v, mul(e.totalBy(d), e.away(d, p)))
		}
		e.sum = meet(e.sum, v)
	}
	if e.corners == nil {
		e.corners = e.atCorners()
	}
	if e.corners != nil {
		e.sum = meet(e.sum, e.corners.sum())
	}
	e.covered = e.sum.lo > export.MinFiring && e.sum.hi < math.Inf(1)
	positive := !slices.ContainsFunc(e.level, func(l span) bool { return !(l.lo >= 0) })
	total := zero
	for _, r := range e.firing {
		total = add(total, e.level[r])
	}
	for _, r := range e.firing {
		e.p[r] = div(e.level[r], e.sum)
		if positive {
			e.p[r] = meet(e.p[r], e.shareOf(r, total))
		}
	}
}

// shareOf returns the share of a level that is not negative among all: it increases with the level, and decreases with the others.
func (e *rulesIn) shareOf(r int, total span) span {
	l, share := e.level[r], span{0, 1}
	others := span{max(0, down(total.lo-l.lo)), up(total.hi - l.hi)}
	if l.lo > 0 {
		share.lo = max(0, belowProduct(l.lo/up(l.lo+others.hi)))
	}
	if others.lo > 0 && l.hi < math.Inf(1) {
		share.hi = min(1, aboveProduct(l.hi/down(l.hi+others.lo)))
	}
	return share
}

// totalBy returns the derivative of the sum of the levels by a dimension.
func (e *rulesIn) totalBy(d int) span {
	total := zero
	for _, r := range e.firing {
		total = add(total, e.byDim[r][d])
	}
	return total
}

// away returns how far a dimension is from its middle.
func (e *rulesIn) away(d int, p place) span {
	if e.category[d] {
		return zero
	}
	return sub(p.z, point(p.mid))
}

// addLogShares adds shares by the differences of logarithms: that of rule r is 1/sum_s exp(l_s - l_r).
func (e *rulesIn) addLogShares() {
	R := len(e.Rules)
	e.covered = true
	sums := make([]span, R)
	for r := range R {
		sums[r] = add(sums[r], one)
		for s := range r {
			d := e.logDifference(s, r)
			e.covered = e.covered && d.lo > math.Inf(-1) && d.hi < math.Inf(1)
			sums[r], sums[s] = add(sums[r], exp(d)), add(sums[s], exp(neg(d)))
		}
	}
	for r := range R {
		share := div(one, sums[r])
		e.p[r] = meet(span{0, 1}, share)
	}
}

// logDifference returns the logarithm of the weight of rule s less that of rule r.
func (e *rulesIn) logDifference(s, r int) span {
	if e.apart {
		return e.apartLog(s, r)
	}
	v := sub(e.level[s], e.level[r])
	if e.atMid != nil {
		by := sub(e.atMid.level[s], e.atMid.level[r])
		for d, p := range e.places {
			by = add(by, mul(sub(e.byDim[s][d], e.byDim[r][d]), e.away(d, p)))
		}
		v = meet(v, by)
	}
	return v
}

// mean returns the mean of values by shares that sum to one: for any number t it is t + sum p (v - t), which is least tight at a t where
// the larger values have used up what is left of the shares.
func mean(p, v []span) span {
	return span{-upperMean(p, func(r int) float64 { return -v[r].lo }), upperMean(p, func(r int) float64 { return v[r].hi })}
}

// upperMean returns an upper bound of the mean of values that are at most v(r).
func upperMean(p []span, v func(r int) float64) float64 {
	order, left := make([]int, 0, len(p)), 1.0
	for r := range p {
		if !p[r].isZero() {
			order = append(order, r)
			left -= p[r].lo
		}
	}
	if len(order) == 0 {
		return math.Inf(1)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v(b), v(a)) })
	t := v(order[len(order)-1])
	for _, r := range order {
		if left -= p[r].hi - p[r].lo; left <= 0 {
			t = v(r)
			break
		}
	}
	if math.IsInf(t, 0) || t != t {
		return math.Inf(1)
	}
	bound := 0.0
	for _, r := range order {
		more := up(v(r) - t)
		bound = up(bound + max(aboveProduct(times(p[r].lo, more)), aboveProduct(times(p[r].hi, more))))
	}
	return up(bound + t)
}

// outputs encloses output c of the rulebase: the mean of the rules, or in mean-value form.
func (e *rulesIn) outputOf(c int, byDim []span) span {
	f := mean(e.p, e.y[c])
	if e.atMid == nil || byDim == nil {
		return sane(f)
	}
	v := mean(e.atMid.p, e.atMid.y[c])
	for d, p := range e.places {
		if !e.category[d] {
			v = add(v, mul(byDim[d], e.away(d, p)))
		}
	}
	return sane(meet(f, v))
}

// bounds encloses output c and its derivatives by the dimensions.
func (e *rulesIn) bounds(c int) (f span, by []span) {
	f = e.outputOf(c, nil)
	by = e.derivatives(c, f)
	if e.corners != nil {
		if v, d, ok := e.corners.outputOf(e, c, e.most()); ok {
			f = meet(f, v)
			for i := range by {
				by[i] = meet(by[i], d[i])
			}
		}
	}
	return meet(f, e.outputOf(c, by)), by
}

// sane replaces ends that are not a number, of which nothing is known.
func sane(x span) span {
	if x.lo != x.lo {
		x.lo = math.Inf(-1)
	}
	if x.hi != x.hi {
		x.hi = math.Inf(1)
	}
	return x
}

// derivatives encloses the derivatives [D] of output c by the dimensions, in which the output lies in f.
func (e *rulesIn) derivatives(c int, f span) []span {
	all := make([]span, len(e.places))
	if e.LogSpace {
		e.logDerivatives(all, c, f)
		return all
	}
	most := e.most()
	apart := make([]span, len(e.Rules))
	for _, r := range e.firing {
		apart[r] = e.apartY(c, r, most)
	}
	rest := meet(sub(e.y[c][most], f), neg(mean(e.p, apart)))
	slopes := make([]span, len(e.Rules))
	for d := range e.places {
		v := zero
		for _, r := range e.firing {
			slopes[r] = e.slopes[c][r][d]
			if r != most && !e.byDim[r][d].isZero() {
				v = add(v, mul(e.byDim[r][d], apart[r]))
			}
		}
		v = add(v, mul(e.totalBy(d), rest))
		all[d] = sane(add(mean(e.p, slopes), div(v, e.sum)))
	}
	return all
}

// most returns the rule that fires with the largest share.
func (e *rulesIn) most() int {
	largest := 0.0
	for _, r := range e.firing {
		largest = max(largest, e.p[r].mid())
	}
	for _, r := range e.firing {
		if e.p[r].mid() >= largest-widening { // the first of equal ones, whatever was rounded
			return r
		}
	}
	return e.firing[0]
}

// logDerivatives is derivatives in LogSpace: that of the output is the mean of those of the rules plus sum p_r (g_r - k)(y_r - f) for the
// derivatives g of the logarithms and any number k, as sum p_r (y_r - f) is zero.
func (e *rulesIn) logDerivatives(all []span, c int, f span) {
	R := len(e.Rules)
	rest := make([]span, R)
	for r := range R {
		rest[r] = sub(e.y[c][r], f)
		others := zero
		for s := range R {
			if s != r {
				others = add(others, mul(e.p[s], e.apartY(c, r, s)))
			}
		}
		rest[r] = meet(rest[r], others)
	}
	v := make([]span, R)
	for d := range e.places {
		k := 0.0
		for r := range R {
			if e.category[d] {
				break
			}
			k += float64(e.p[r].mid() * e.byDim[r][d].mid())
		}
		if math.IsNaN(k) || math.IsInf(k, 0) {
			k = 0
		}
		for r := range R {
			v[r] = e.slopes[c][r][d]
			if g := e.byDim[r][d]; !(k == 0 && g.isZero()) {
				v[r] = add(v[r], mul(sub(g, point(k)), rest[r]))
			}
		}
		all[d] = sane(mean(e.p, v))
	}
}
