package certify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/loss"
)

// enclosure encloses a prediction in a box.
type enclosure struct {
	f       []span   // [J]
	by      [][]span // [J] derivatives by the columns of the domain, per unit; empty by one without numbers
	covered bool     // a rule of each member fires everywhere
	sums    []span   // of the levels of each member
	leader  int      // the rule of the first member with the largest share, and the least that it has
	share   float64
	rules   []*rulesIn
	off     [len(precisions)][]float64 // [J] errors of predictions in numbers of each precision, of [space.rounding]
}

// add adds the rules of a member.
func (e *enclosure) add(in *rulesIn) {
	if len(e.rules) == 0 {
		for r, p := range in.p {
			if p.lo > e.share {
				e.leader, e.share = r, p.lo
			}
		}
	}
	e.rules, e.sums, e.covered = append(e.rules, in), append(e.sums, in.sum), e.covered && in.covered
}

// respond encloses the response of a member to its outputs y [C] with derivatives by the columns.
func (m *member) respond(y []span, by [][]span) (f []span, byColumn [][]span) {
	switch m.Link {
	case "logit":
		p, slope := sigmoid(y[0]), logisticSlope(y[0])
		d := scaledBy(by[0], slope)
		return []span{sub(one, p), p}, [][]span{negated(d), d}
	case "softmax":
		return softmax(y, by)
	case "log":
		limited := span{min(y[0].lo, loss.MaxLog), min(y[0].hi, loss.MaxLog)}
		v := mul(exp(limited), point(m.Targets[0].Mean))
		slope := v
		if y[0].hi > loss.MaxLog {
			slope = hull(slope, zero)
		}
		f, byColumn = []span{v}, [][]span{scaledBy(by[0], slope)}
	case "ordered":
		y, by = sorted(y, by)
		fallthrough
	default:
		for c, v := range y {
			scale := point(m.Targets[c].Scale)
			f = append(f, add(point(m.Targets[c].Mean), mul(v, scale)))
			byColumn = append(byColumn, scaledBy(by[c], scale))
		}
	}
	for j, v := range f {
		limited := span{max(m.Low[j], min(m.High[j], v.lo)), max(m.Low[j], min(m.High[j], v.hi))}
		switch {
		case v.hi <= m.Low[j] || v.lo >= m.High[j]:
			byColumn[j] = make([]span, len(byColumn[j]))
		case limited != v:
			for c, d := range byColumn[j] {
				byColumn[j][c] = hull(d, zero)
			}
		}
		f[j] = limited
	}
	return f, byColumn
}

// logisticSlope returns s(1-s) of the logistic function, largest at zero.
func logisticSlope(x span) span {
	a, b := sigmoid(point(x.lo)), sigmoid(point(x.hi))
	slope := hull(mul(a, sub(one, a)), mul(b, sub(one, b)))
	if x.lo <= 0 && x.hi >= 0 {
		slope.hi = 0.25
	}
	return span{max(0, slope.lo), min(0.25, slope.hi)}
}

func scaledBy(d []span, v span) []span {
	scaled := make([]span, len(d))
	for c := range d {
		scaled[c] = mul(d[c], v)
	}
	return scaled
}

func negated(d []span) []span {
	n := make([]span, len(d))
	for c := range d {
		n[c] = neg(d[c])
	}
	return n
}

// softmax encloses probabilities, of which that of class c is 1/sum_k exp(y_k - y_c), with the derivative p_c sum_k p_k (y_c' - y_k').
func softmax(y []span, by [][]span) (p []span, byColumn [][]span) {
	for c := range y {
		sum := one
		for k := range y {
			if k != c {
				sum = add(sum, exp(sub(y[k], y[c])))
			}
		}
		p = append(p, meet(span{0, 1}, div(one, sum)))
	}
	for c := range y {
		d := make([]span, len(by[c]))
		for at := range d {
			apart := make([]span, len(y))
			for k := range y {
				if k != c {
					apart[k] = sub(by[c][at], by[k][at])
				}
			}
			d[at] = mul(p[c], mean(p, apart))
		}
		byColumn = append(byColumn, d)
	}
	return p, byColumn
}

// sorted encloses outputs in increasing order: the ends in order, and the derivatives of all whose values may be at a place.
func sorted(y []span, by [][]span) ([]span, [][]span) {
	f, d := make([]span, len(y)), make([][]span, len(y))
	var low, high []float64
	for _, v := range y {
		low, high = append(low, v.lo), append(high, v.hi)
	}
	slices.Sort(low)
	slices.Sort(high)
	for j := range y {
		f[j] = span{low[j], high[j]}
		for c, v := range y {
			if v.lo > f[j].hi || v.hi < f[j].lo {
				continue
			}
			if d[j] == nil {
				d[j] = append(d[j], by[c]...)
				continue
			}
			for at := range d[j] {
				d[j][at] = hull(d[j][at], by[c][at])
			}
		}
	}
	return f, d
}

// levels encloses the levels of rules in a box.
func (s *space) levels(b box) enclosure {
	e := enclosure{covered: true}
	for _, m := range s.members {
		in := m.in(b, true, s.pages)
		e.add(in)
	}
	return e
}

// enclose encloses predictions in a box, and their derivatives.
func (s *space) enclose(b box) enclosure {
	e := enclosure{covered: true}
	K := float64(len(s.members))
	for k, m := range s.members {
		in := m.in(b, false, s.pages)
		f, by := s.respond(m, in)
		e.add(in)
		if k == 0 {
			e.f, e.by = f, by
			continue
		}
		for j := range f {
			e.f[j] = add(e.f[j], f[j])
			for c := range by[j] {
				e.by[j][c] = add(e.by[j][c], by[j][c])
			}
		}
	}
	if K > 1 {
		for j := range e.f {
			e.f[j] = div(e.f[j], point(K))
			e.by[j] = scaledBy(e.by[j], div(one, point(K)))
		}
	}
	if s.form.Ordered {
		s.cross(&e)
	}
	for c, of := range b {
		for j := range e.by {
			if !of.numbers() {
				e.by[j][c] = span{math.Inf(1), math.Inf(-1)}
			}
		}
	}
	return e
}

// cross makes each output at least the one before.
func (s *space) cross(e *enclosure) {
	for j := 1; j < len(e.f); j++ {
		if e.f[j-1].hi > e.f[j].lo {
			for c := range e.by[j] {
				e.by[j][c] = hull(e.by[j][c], e.by[j-1][c])
			}
		}
		e.f[j] = greater(e.f[j], e.f[j-1])
	}
}

// respond encloses the response of a member in a box.
func (s *space) respond(m *member, in *rulesIn) (f []span, by [][]span) {
	switch {
	case in.partial:
		f, by = s.unknown()
		for j := range m.Low {
			f[j] = hull(span{m.Low[j], m.High[j]}, point(m.Uncovered[j]))
		}
		return f, by
	case len(in.firing) == 0: // no row of the box is covered
		f, by = s.unknown()
		for j := range f {
			f[j], by[j] = point(m.Uncovered[j]), make([]span, len(by[j]))
		}
		return f, by
	}
	var y []span
	var byColumn [][]span
	finite := true
	for c := range m.Outputs {
		v, d := in.bounds(c)
		finite = finite && v.lo > math.Inf(-1) && v.hi < math.Inf(1)
		y, byColumn = append(y, v), append(byColumn, s.byColumns(m, d))
	}
	f, by = m.respond(y, byColumn)
	if in.covered && finite {
		return f, by
	}
	for j := range f { // that of a row that no rule covers, too
		f[j] = hull(f[j], point(m.Uncovered[j]))
		for c := range by[j] {
			by[j][c] = all
		}
	}
	return f, by
}

// unknown returns predictions of which nothing is known.
func (s *space) unknown() (f []span, by [][]span) {
	for range s.form.Outputs {
		d := make([]span, len(s.domain.Columns))
		for c := range d {
			d[c] = all
		}
		f, by = append(f, all), append(by, d)
	}
	return f, by
}

// byColumns returns derivatives by the columns, per unit, of those by the dimensions of a member.
func (s *space) byColumns(m *member, d []span) []span {
	by := make([]span, len(s.domain.Columns))
	for i, c := range m.column {
		if s.domain.Columns[c].Range == nil || m.beside[i] {
			continue
		}
		v := zero
		if m.Components == nil {
			v = d[m.dim[i]]
		}
		for k, loadings := range m.Components {
			v = add(v, mul(d[k], point(loadings[i])))
		}
		by[c] = div(v, point(m.Inputs[i].SD))
	}
	return by
}
