package certify

import "slices"

// mostSoft is the most columns whose grades are not constant for which corners are looked at.
const mostSoft = 6

// corners are what rules do at the corners of a box in whose soft dimensions, those in which some grade is not constant, all grades are
// linear. Levels, which are products of grades of different dimensions, and sums of them are then multilinear in the soft dimensions:
// means by levels lie between those at the corners.
type corners struct {
	firing []int // rules whose level is not zero
	soft   []int
	level  [][]span // [corner][firing]
	sums   []span   // [corner]
	by     [][][]span
	sumBy  []span // [soft] derivatives of the sum in the box
}

// atCorners returns the corners of a box; nil if grades are not linear, or the soft dimensions too many.
func (e *rulesIn) atCorners() *corners {
	products := !e.LogSpace && e.TNorm == "product" && e.Weight == nil && e.Components == nil
	if !products || e.Shape.Name() != "ramp" || len(e.firing) > 4<<mostSoft {
		return nil
	}
	k := &corners{}
	seen := make([]int, len(e.places)) // 1 + the last rule with a grade that is not constant there
	for _, r := range e.firing {
		k.firing = append(k.firing, r)
		for i, at := range e.Rules[r].If {
			g, d := e.grades[e.kind[r][i]], e.dim[at]
			switch {
			case g.d.isZero() && g.v.width() <= 4*ulp:
				continue
			case e.category[d] || seen[d] == r+1 || !linearRamp(e.Rules[r].Params[i], e.places[d].z):
				return nil
			case seen[d] == 0:
				k.soft = append(k.soft, d)
			}
			seen[d] = r + 1
		}
	}
	if len(k.soft) > mostSoft || len(k.soft) > 0 && len(k.firing) > 4<<len(k.soft) {
		return nil
	}
	k.add(e)
	return k
}

// linearRamp reports whether a ramp is linear in a range: no end of a flank lies within, and one flank at most is not constant.
func linearRamp(p []float64, z span) bool {
	rises := 0
	for _, flank := range [2][2]float64{{p[0], p[1]}, {p[2], p[3]}} {
		from, to := flank[0], flank[1]
		if from > z.lo && from < z.hi || to > z.lo && to < z.hi || from == to && from == z.lo && z.hi > z.lo {
			return false
		}
		if from <= z.lo && z.hi <= to && from < to {
			rises++
		}
	}
	return rises < 2
}

// add adds the levels at the corners and their derivatives by the soft dimensions.
func (k *corners) add(e *rulesIn) {
	n := 1 << len(k.soft)
	k.level, k.by, k.sums, k.sumBy = spans(n, len(k.firing)), make([][][]span, n), make([]span, n), make([]span, len(k.soft))
	ends := make([][2]span, len(e.kinds))
	for i, c := range e.kinds {
		if d := e.dim[c.input]; slices.Contains(k.soft, d) {
			z := e.places[d].z
			ends[i] = [2]span{e.grade(c.params, dual{v: point(z.lo)}).v, e.grade(c.params, dual{v: point(z.hi)}).v}
		}
	}
	for at := range n {
		k.by[at] = spans(len(k.soft), len(k.firing))
		sumBy := make([]span, len(k.soft))
		for f, r := range k.firing {
			k.level[at][f] = k.product(e, r, at, -1, ends)
			k.sums[at] = add(k.sums[at], k.level[at][f])
			for i := range k.soft {
				k.by[at][i][f] = k.product(e, r, at, i, ends)
				sumBy[i] = add(sumBy[i], k.by[at][i][f])
			}
		}
		for i, v := range sumBy {
			if at > 0 {
				v = hull(v, k.sumBy[i])
			}
			k.sumBy[i] = v
		}
	}
}

// product returns the level of rule r at a corner, of which bit i says at which end soft dimension i is; or its derivative by one of these.
func (k *corners) product(e *rulesIn, r, at, by int, ends [][2]span) span {
	level, moves := one, by < 0
	for i, input := range e.Rules[r].If {
		kind := e.kind[r][i]
		g := e.grades[kind]
		of := slices.Index(k.soft, e.dim[input])
		switch {
		case of < 0 || g.d.isZero():
			level = mul(level, g.v)
		case of == by:
			level, moves = mul(level, g.d), true
		default:
			level = mul(level, ends[kind][at>>of&1])
		}
	}
	if !moves {
		return zero
	}
	return level
}

// sum encloses the sum of the levels.
func (k *corners) sum() span { return ends(k.sums) }

// outputOf encloses output c and its derivatives by the dimensions; ok is false if rules differ in what a soft dimension adds to it.
func (k *corners) outputOf(e *rulesIn, c, most int) (f span, by []span, ok bool) {
	total := k.sum()
	if !(total.lo > 0) {
		return zero, nil, false
	}
	y, apart, base, ok := k.parts(e, c, most)
	if !ok {
		return zero, nil, false
	}
	by = make([]span, len(e.places))
	slopes := make([]span, len(k.firing))
	for at := range k.level {
		p := make([]span, len(k.firing))
		for i, l := range k.level[at] {
			p[i] = div(l, k.sums[at])
		}
		v := mean(p, y)
		if at > 0 {
			v = hull(v, f)
		}
		f = v
		for d := range e.places {
			v := zero
			if i := slices.Index(k.soft, d); i >= 0 {
				for j, l := range k.by[at][i] {
					v = add(v, mul(l, apart[j]))
				}
			} else {
				for j, r := range k.firing {
					slopes[j] = e.slopes[c][r][d]
				}
				v = mean(p, slopes)
			}
			if at > 0 {
				v = hull(v, by[d])
			}
			by[d] = v
		}
	}
	rest := neg(mean(e.p, spread(apart, k.firing, len(e.Rules))))
	for i, d := range k.soft {
		by[d] = add(e.slopes[c][most][d], div(add(by[d], mul(k.sumBy[i], rest)), total))
	}
	return add(f, base), by, true
}

// spread returns values of some rules as values of all, zero of others.
func spread(v []span, of []int, n int) []span {
	all := make([]span, n)
	for i, r := range of {
		all[r] = v[i]
	}
	return all
}

// parts returns output c of each rule that fires without what soft dimensions add, that less the output of one rule, and what soft
// dimensions add to all alike; ok is false if they do not.
func (k *corners) parts(e *rulesIn, c, most int) (y, apart []span, base span, ok bool) {
	for _, r := range k.firing {
		v, w := point(e.Rules[r].Weights[c][0]), sub(point(e.Rules[r].Weights[c][0]), point(e.Rules[most].Weights[c][0]))
		at := 0
		for d, p := range e.places {
			n := len(p.nodes) + len(p.points)
			here, there := e.at[c][r][at:at+n], e.at[c][most][at:at+n]
			at += n
			if slices.Contains(k.soft, d) {
				if !slices.Equal(here, there) {
					return nil, nil, zero, false
				}
				if len(y) == 0 {
					base = add(base, ends(here))
				}
				continue
			}
			v = add(v, ends(here))
			if r != most {
				part := sub(here[0], there[0])
				for i := range here[1:] {
					part = hull(part, sub(here[i+1], there[i+1]))
				}
				w = add(w, part)
			}
		}
		y, apart = append(y, v), append(apart, w)
	}
	return y, apart, base, true
}
