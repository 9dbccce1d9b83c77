package certify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
)

// rulesIn encloses what the rules of a member do in a box.
type rulesIn struct {
	*member
	places  []place
	partial bool       // without outputs
	firing  []int      // rules whose level is not zero everywhere
	grades  []dual     // of the different conditions
	p       []span     // [R] normalised levels
	sum     span       // of levels, before; in LogSpace of those relative to the largest
	covered bool       // some rule fires everywhere in the box
	y       [][]span   // [C][R] outputs
	slopes  [][][]span // [C][R][D] of outputs by dimensions
	at      [][][]span // [C][R][D][nodes] parts of outputs, flattened over nodes
	byDim   [][]span   // [R][D] derivatives of levels by dimensions, in LogSpace of their logarithms
	logs    [][]span   // apart: [R][D] parts of logarithms of levels
	level   []span     // else: [R] levels, or their logarithms
	corners *corners   // nil: none
	atMid   *rulesIn   // the same at the middle
}

// in encloses the rules in a box; of levels alone if that is asked, or if a page is not covered everywhere: the box is too large then.
func (m *member) in(b box, levels, page bool) *rulesIn {
	places, exact := m.places(b)
	e := m.inPlaces(places)
	if exact && (e.corners == nil || len(e.corners.soft) > 0 && !levels) && !(page && !e.covered) {
		middle := make([]place, len(places))
		for d, p := range places {
			if middle[d] = p; !m.category[d] {
				middle[d] = place{z: point(p.mid), mid: p.mid, nodes: []float64{p.mid}}
			}
		}
		e.atMid = m.inPlaces(middle)
		e.addShares()
	}
	if e.partial = levels || page && !e.covered; !e.partial {
		e.addOutputs()
		if e.atMid != nil {
			e.atMid.addOutputs()
		}
	}
	return e
}

// inPlaces encloses levels.
func (m *member) inPlaces(places []place) *rulesIn {
	e := &rulesIn{member: m, places: places}
	e.addGrades()
	if m.apart {
		e.addLogs()
	} else {
		e.addLevels()
	}
	for r := range m.Rules {
		if m.LogSpace || !e.level[r].isZero() || slices.ContainsFunc(e.byDim[r], func(d span) bool { return !d.isZero() }) {
			e.firing = append(e.firing, r)
		}
	}
	e.addShares()
	return e
}

// addOutputs adds the outputs of the rules that fire, and their slopes.
func (e *rulesIn) addOutputs() {
	R := len(e.Rules)
	for c := range e.Outputs {
		y, slopes, at := make([]span, R), spans(R, len(e.places)), make([][]span, R)
		for _, r := range e.firing {
			rule := e.Rules[r]
			y[r] = point(rule.Weights[c][0])
			for d, p := range e.places {
				nodes := e.atNodes(c, r, d, p)
				at[r] = append(at[r], nodes...)
				y[r] = add(y[r], ends(nodes))
				if !e.category[d] {
					slopes[r][d] = e.slope(c, r, e.inputs[d][0], p.z)
				}
			}
		}
		e.y, e.slopes, e.at = append(e.y, y), append(e.slopes, slopes), append(e.at, at)
	}
}

// atNodes returns what a dimension adds to output c of rule r at its nodes, or points.
func (e *rulesIn) atNodes(c, r, d int, p place) (all []span) {
	for _, z := range p.nodes {
		all = append(all, e.output(c, r, e.inputs[d][0], z))
	}
	for _, k := range p.points {
		v := zero
		for _, i := range e.inputs[d] {
			v = add(v, e.output(c, r, i, e.points[i][k]))
		}
		all = append(all, v)
	}
	return all
}

// ends returns the hull of intervals.
func ends(of []span) span {
	h := of[0]
	for _, v := range of[1:] {
		h = hull(h, v)
	}
	return h
}

// apartY returns output c of rule r less that of rule s: exact, as both are linear between nodes.
func (e *rulesIn) apartY(c, r, s int) span {
	if r == s {
		return zero
	}
	v, at := sub(point(e.Rules[r].Weights[c][0]), point(e.Rules[s].Weights[c][0])), 0
	for _, p := range e.places {
		n := len(p.nodes) + len(p.points)
		d := sub(e.at[c][r][at], e.at[c][s][at])
		for k := at + 1; k < at+n; k++ {
			d = hull(d, sub(e.at[c][r][k], e.at[c][s][k]))
		}
		v, at = add(v, d), at+n
	}
	return v
}

// addLogs adds the parts of the logarithms of weights, and their derivatives.
func (e *rulesIn) addLogs() {
	R, D := len(e.Rules), len(e.places)
	e.logs, e.byDim = spans(R, D), spans(R, D)
	for r, rule := range e.Rules {
		for i, at := range rule.If {
			d := e.dim[at]
			if e.category[d] {
				continue
			}
			g := e.grades[e.kind[r][i]]
			e.logs[r][d], e.byDim[r][d] = add(e.logs[r][d], g.v), add(e.byDim[r][d], g.d)
		}
		for d, p := range e.places {
			if !e.category[d] {
				continue
			}
			e.logs[r][d] = e.member.logs[r][d][p.points[0]]
			for _, k := range p.points[1:] {
				e.logs[r][d] = hull(e.logs[r][d], e.member.logs[r][d][k])
			}
		}
	}
}

func spans(n, width int) [][]span {
	rows, cells := make([][]span, n), make([]span, n*width)
	for i := range rows {
		rows[i] = cells[i*width : (i+1)*width : (i+1)*width]
	}
	return rows
}

// apartLog returns the logarithm of the weight of rule s less that of rule r, dimension by dimension: the difference of the parts, or, in
// mean-value form, that at the middle and the difference of the derivatives.
func (e *rulesIn) apartLog(s, r int) span {
	v := zero
	for d, p := range e.places {
		a, b := e.logs[s][d], e.logs[r][d]
		if a.isZero() && b.isZero() {
			continue
		}
		part := sub(a, b)
		switch {
		case e.category[d]:
			of := sub(e.member.logs[s][d][p.points[0]], e.member.logs[r][d][p.points[0]])
			for _, k := range p.points[1:] {
				of = hull(of, sub(e.member.logs[s][d][k], e.member.logs[r][d][k]))
			}
			part = of
		case e.atMid != nil:
			from := sub(e.atMid.logs[s][d], e.atMid.logs[r][d])
			by := mul(sub(e.byDim[s][d], e.byDim[r][d]), sub(p.z, point(p.mid)))
			part = meet(part, add(from, by))
		}
		v = add(v, part)
	}
	return v
}

// addGrades adds the grades of all conditions, or their logarithms; of those on categories none if these are summed.
func (e *rulesIn) addGrades() {
	e.grades = make([]dual, len(e.kinds))
	for k, c := range e.kinds {
		switch d := e.dim[c.input]; {
		case !e.category[d]:
			e.grades[k] = e.grade(c.params, e.input(c.input, e.places[d].z))
		case !e.apart:
			e.grades[k] = e.grade(c.params, e.input(c.input, e.pointsOf(c.input, e.places[d].points)))
		}
	}
}

// addLevels adds levels that are no sums, or their logarithms, and their derivatives.
func (e *rulesIn) addLevels() {
	R, D := len(e.Rules), len(e.places)
	e.level, e.byDim = make([]span, R), spans(R, D)
	memory, product := make([]dual, 0, 8), e.TNorm == "product" && !e.LogSpace
	for r, rule := range e.Rules {
		level, byDim := point(e.Start()), e.byDim[r]
		for i, at := range rule.If {
			d, g := e.dim[at], e.grades[e.kind[r][i]]
			if product {
				e.times(byDim, level, g, d)
				level = mul(level, g.v)
				continue
			}
			byLevel := run(e.Join, memory, dual{level, one}, dual{v: g.v})
			byGrade := run(e.Join, memory, dual{v: level}, dual{g.v, one})
			for k, v := range byDim {
				if !v.isZero() {
					byDim[k] = mul(v, byLevel.d)
				}
			}
			if !e.category[d] {
				byDim[d] = add(byDim[d], mul(byGrade.d, g.d))
			}
			level = byLevel.v
		}
		e.level[r] = e.weigh(level, byDim)
	}
}

// times multiplies the derivatives of a level by a further grade, and adds that by its dimension.
func (e *rulesIn) times(byDim []span, level span, g dual, d int) {
	for k, v := range byDim {
		if !v.isZero() {
			byDim[k] = mul(v, g.v)
		}
	}
	if !e.category[d] && !g.d.isZero() {
		byDim[d] = add(byDim[d], mul(level, g.d))
	}
}

// weigh returns the weight of a rule by its level, and multiplies the derivatives by that of the weight.
func (e *rulesIn) weigh(level span, byDim []span) span {
	if e.Weight == nil {
		return level
	}
	var w dual
	switch {
	case e.LogSpace:
		w = run(e.Weight, nil, dual{level, one})
	case level.hi < export.LeastLevel:
	default:
		l := dual{log(level), div(one, level)}
		w = run(e.Weight, nil, l)
		w = function(export.Exp, w)
		if level.lo < export.LeastLevel { // the weight may be zero, or jump
			w = dual{hull(zero, w.v), all}
		}
	}
	for d, v := range byDim {
		byDim[d] = mul(v, w.d)
	}
	return w.v
}

// pointsOf returns the hull of an input at points of its column.
func (m *member) pointsOf(input int, points []int) span {
	z := span{math.Inf(1), math.Inf(-1)}
	for _, p := range points {
		z = hull(z, point(m.points[input][p]))
	}
	return z
}
