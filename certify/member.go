package certify

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/rules"
)

// member prepares an [export.Member] for boxes. Its rules are functions of dimensions: the columns that it uses or, with components, these.
type member struct {
	*export.Member
	column   []int       // of the domain, of each of Inputs
	points   [][]float64 // of each of Inputs, its values at the points of its column; beside numbers also that where these are known
	beside   []bool      // of each of Inputs: it says whether a number is missing
	columns  []int       // of the domain, of each dimension, which two share if rules ask whether a number is missing; -1 of a component
	inputs   [][]int     // of each dimension, those of the rules
	category []bool      // of each dimension: of points, not of numbers
	dim      []int       // of each input of the rules
	first    []int       // likewise, the number of its first knot
	kinds    []condition // different conditions
	kind     [][]int     // of each rule, those of its conditions
	apart    bool        // logarithms of weights are sums over dimensions
	logs     [][][]span  // then, of each rule and category, that at its points
}

// condition is a membership function of an input.
type condition struct {
	input  int
	params []float64
}

// addConditions lists the different conditions of the rules.
func (m *member) addConditions() {
	known := map[string]int{}
	for _, rule := range m.Rules {
		var of []int
		for i, at := range rule.If {
			key := fmt.Sprint(at, rule.Params[i])
			if _, ok := known[key]; !ok {
				known[key] = len(m.kinds)
				m.kinds = append(m.kinds, condition{at, rule.Params[i]})
			}
			of = append(of, known[key])
		}
		m.kind = append(m.kind, of)
	}
}

// newMember prepares member k of a form whose columns are those of the domain.
func newMember(f *export.Form, k int, d Domain) *member {
	m := &member{Member: &f.Members[k]}
	m.apart = m.LogSpace && m.TNorm == "product" && (m.Weight == nil || m.Defuzz == "htsk")
	m.dim = make([]int, m.Width())
	m.addConditions()
	at := 0
	for _, knots := range m.Knots {
		m.first = append(m.first, at)
		at += len(knots)
	}
	for _, in := range m.Inputs {
		c := f.Features[in.Feature].Column
		m.column = append(m.column, c)
		m.points = append(m.points, pointValues(in, d.Columns[c], in.Feature-f.Columns[c].First))
		m.beside = append(m.beside, beside(f, in))
		if m.beside[len(m.points)-1] {
			m.points[len(m.points)-1] = append(m.points[len(m.points)-1], (0-in.Mean)/in.SD)
		}
	}
	if m.Components != nil {
		for c := range m.Components {
			m.add(-1, false)
			m.inputs[c], m.dim[c] = []int{c}, c
		}
		return m
	}
	for i, c := range m.column {
		dim := len(m.columns) - 1 // inputs of a column follow each other
		if dim < 0 || m.columns[dim] != c || m.beside[i] {
			dim++
			m.add(c, f.Columns[c].Nominal() || m.beside[i])
		}
		m.dim[i] = dim
		m.inputs[dim] = append(m.inputs[dim], i)
	}
	if m.apart {
		m.addLogs()
	}
	return m
}

func (m *member) add(column int, category bool) {
	m.columns, m.category = append(m.columns, column), append(m.category, category)
	m.inputs = append(m.inputs, nil)
}

// beside reports whether an input says whether a number is missing.
func beside(f *export.Form, in export.Input) bool {
	c := f.Columns[f.Features[in.Feature].Column]
	return c.Numbers() && in.Feature > c.First
}

// pointValues returns an input, which is feature k of its column, at each of the points of the column.
func pointValues(in export.Input, c Column, k int) (z []float64) {
	for p := range c.points() {
		switch {
		case c.Missing && p == c.points()-1:
			z = append(z, in.Missing)
		case k == p:
			z = append(z, (1-in.Mean)/in.SD)
		default:
			z = append(z, (0-in.Mean)/in.SD)
		}
	}
	return z
}

// addLogs adds the logarithm of the level of each rule by each category alone, at its points.
func (m *member) addLogs() {
	m.logs = make([][][]span, len(m.Rules))
	for r, rule := range m.Rules {
		m.logs[r] = make([][]span, len(m.columns))
		for dim, category := range m.category {
			if !category {
				continue
			}
			m.logs[r][dim] = make([]span, len(m.points[m.inputs[dim][0]]))
			for i, at := range rule.If {
				if m.dim[at] != dim {
					continue
				}
				for p, z := range m.points[at] {
					g := m.grade(rule.Params[i], m.input(at, point(z)))
					m.logs[r][dim][p] = add(m.logs[r][dim][p], g.v)
				}
			}
		}
	}
}

// input returns the input of conditions for that of formulas, with its derivative by it.
func (m *member) input(i int, z span) dual {
	if m.Components != nil || m.Inputs[i].Power == nil {
		return dual{z, one}
	}
	return power(m.Inputs[i].Power, z)
}

// grade returns the grade (or its logarithm) of a condition, with its derivative by the input of formulas. Of logarithms that are summed it
// is that of the weight.
func (m *member) grade(params []float64, u dual) dual {
	arguments := make([]dual, 1, 1+len(params))
	arguments[0] = u
	for _, p := range params {
		arguments = append(arguments, dual{v: point(p)})
	}
	memory := make([]dual, 0, 32)
	g := run(m.Grade, memory, arguments...)
	if m.apart && m.Weight != nil {
		g = run(m.Weight, memory, g)
	}
	return g
}

// place is where a dimension is in a box.
type place struct {
	z      span // of numbers
	mid    float64
	points []int // of a category
	nodes  []float64
}

// places returns those of all dimensions; exact is false if a category may be several points.
func (m *member) places(b box) (all []place, exact bool) {
	exact = true
	if m.Components != nil {
		return m.componentPlaces(b), true
	}
	for dim, c := range m.columns {
		if m.category[dim] {
			points := m.pointsIn(m.inputs[dim][0], b[c])
			all = append(all, place{points: points})
			exact = exact && len(points) == 1
			continue
		}
		p := place{z: m.numbersOf(m.inputs[dim][0], b[c])}
		p.mid = p.z.mid()
		p.nodes = m.nodes(m.inputs[dim][0], p.z)
		all = append(all, p)
	}
	return all, exact
}

// numbersOf returns one of Inputs in a cell. A z-score is computed as a prediction computes it, and increases with the number.
func (m *member) numbersOf(input int, c cell) span {
	in := m.Inputs[input]
	z := span{math.Inf(1), math.Inf(-1)}
	if c.numbers() && !m.beside[input] {
		z = span{(c.lo - in.Mean) / in.SD, (c.hi - in.Mean) / in.SD}
	}
	return hull(z, m.pointsOf(input, m.pointsIn(input, c)))
}

// pointsIn returns which points of one of Inputs a cell has.
func (m *member) pointsIn(input int, c cell) []int {
	if m.beside[input] && c.numbers() {
		return append(slices.Clone(c.points), len(m.points[input])-1)
	}
	return c.points
}

// componentPlaces returns the ranges of components.
func (m *member) componentPlaces(b box) (all []place) {
	for k, loadings := range m.Components {
		u := zero
		for i, l := range loadings {
			u = add(u, by(m.numbersOf(i, b[m.column[i]]), l))
		}
		all = append(all, place{z: u, mid: u.mid(), nodes: m.nodes(k, u)})
	}
	return all
}

// nodes returns the ends of a range and the knots of a curve between them: the output of a rule is linear from one to the next.
func (m *member) nodes(input int, z span) []float64 {
	nodes := []float64{z.lo}
	if m.Knots != nil {
		for _, k := range m.Knots[input] {
			if k > z.lo && k < z.hi {
				nodes = append(nodes, k)
			}
		}
	}
	if z.hi > z.lo {
		nodes = append(nodes, z.hi)
	}
	return nodes
}

// output returns what an input adds to output c of rule r.
func (m *member) output(c, r, input int, z float64) span {
	v := mul(point(m.Rules[r].Weights[c][input+1]), point(z))
	values := m.Curve(c, r)
	if values == nil || len(m.Knots[input]) == 0 {
		return v
	}
	knots := m.Knots[input]
	q, _ := rules.Between(knots, z)
	low, high := values[m.first[input]+q], values[m.first[input]+q+1]
	t := div(sub(point(z), point(knots[q])), sub(point(knots[q+1]), point(knots[q])))
	t = span{max(0, min(1, t.lo)), max(0, min(1, t.hi))}
	return add(v, add(point(low), mul(t, sub(point(high), point(low)))))
}

// slope returns the slopes of output c of rule r by an input in a range.
func (m *member) slope(c, r, input int, z span) span {
	w := point(m.Rules[r].Weights[c][input+1])
	values := m.Curve(c, r)
	if values == nil || len(m.Knots[input]) == 0 {
		return w
	}
	knots := m.Knots[input]
	slopes := span{math.Inf(1), math.Inf(-1)}
	if z.lo < knots[0] || z.hi > knots[len(knots)-1] || z.lo == z.hi {
		slopes = zero
	}
	for q := range knots[1:] {
		if low, high := knots[q], knots[q+1]; z.lo < high && z.hi > low || z.lo == z.hi && z.lo >= low && z.lo <= high {
			rise := sub(point(values[m.first[input]+q+1]), point(values[m.first[input]+q]))
			slopes = hull(slopes, div(rise, sub(point(high), point(low))))
		}
	}
	return add(w, slopes)
}
