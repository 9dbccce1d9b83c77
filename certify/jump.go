package certify

// jump encloses how far predictions [J] change from one side of a step of a column to the other, in a box in which the column is these two
// numbers: as the difference of both sides; as the mean of the differences of each rule before and each rule after; and in mean-value form
// by the other columns.
func (s *space) jump(b box, column int) enclosure {
	before, after := append(box{}, b...), append(box{}, b...)
	before[column].hi, before[column].points = b[column].lo, nil
	after[column].lo, after[column].points = b[column].hi, nil
	left, right := s.enclose(before), s.enclose(after)
	jumps := make([]span, len(left.f))
	for j := range jumps {
		jumps[j] = sub(right.f[j], left.f[j])
	}
	e := enclosure{f: jumps, covered: left.covered && right.covered, rules: append(left.rules, right.rules...)}
	together := make([]span, len(jumps))
	for k, m := range s.members {
		if m.Outputs != len(jumps) || m.Link != "identity" || !e.covered {
			return e
		}
		for c := range together {
			d := mul(e.rules[k].to(e.rules[len(s.members)+k], c), point(m.Targets[c].Scale))
			if m.limits(e.rules[k], c) || m.limits(e.rules[len(s.members)+k], c) {
				d = hull(d, zero)
			}
			together[c] = add(together[c], d)
		}
	}
	for j := range jumps {
		jumps[j] = meet(jumps[j], div(together[j], point(float64(len(s.members)))))
	}
	return e
}

// limits reports whether output c may be beyond the limits of its target.
func (m *member) limits(e *rulesIn, c int) bool {
	v := add(point(m.Targets[c].Mean), mul(e.outputOf(c, nil), point(m.Targets[c].Scale)))
	return !v.within(m.Low[c], m.High[c])
}

// to encloses output c in another box, of which all columns but one are the same, less that in this box.
func (e *rulesIn) to(o *rulesIn, c int) span {
	v := e.pairs(o, c)
	if e.atMid == nil || o.atMid == nil {
		return v
	}
	by := e.atMid.pairs(o.atMid, c)
	mine, others := e.derivatives(c, e.outputOf(c, nil)), o.derivatives(c, o.outputOf(c, nil))
	for d, p := range e.places {
		if e.category[d] || p.z.lo == p.z.hi && o.places[d].z.lo == o.places[d].z.hi {
			continue
		}
		by = add(by, mul(sub(others[d], mine[d]), e.away(d, p)))
	}
	return meet(v, sane(by))
}

// pairs encloses the mean, by the products of shares, of the outputs of rules there less those of rules here.
func (e *rulesIn) pairs(o *rulesIn, c int) span {
	var shares, apart []span
	for _, r := range o.firing {
		for _, q := range e.firing {
			if o.p[r].hi == 0 || e.p[q].hi == 0 {
				continue
			}
			shares, apart = append(shares, mul(o.p[r], e.p[q])), append(apart, e.across(o, c, q, r))
		}
	}
	return sane(mean(shares, apart))
}

// across encloses output c of rule r in the other box less that of rule q here. Where a dimension has the same nodes on both sides it is
// linear between them.
func (e *rulesIn) across(o *rulesIn, c, q, r int) span {
	v := sub(point(o.Rules[r].Weights[c][0]), point(e.Rules[q].Weights[c][0]))
	mine, others := 0, 0
	for d, p := range e.places {
		n, k := len(p.nodes)+len(p.points), len(o.places[d].nodes)+len(o.places[d].points)
		here, there := e.at[c][q][mine:mine+n], o.at[c][r][others:others+k]
		part := sub(ends(there), ends(here))
		if p.z == o.places[d].z {
			part = sub(there[0], here[0])
			for i := range there[1:] {
				part = hull(part, sub(there[i+1], here[i+1]))
			}
		}
		v = add(v, part)
		mine, others = mine+n, others+k
	}
	return v
}
