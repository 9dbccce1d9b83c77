package certify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// space is a model with a domain.
type space struct {
	model   *model.Model
	form    *export.Form
	domain  Domain
	members []*member
	steps   [][]float64 // of each column, the largest numbers below which a condition is crisp, in order
	kinks   [][]float64 // of each column, numbers at which conditions or curves bend, in order
	pages   bool
}

func newSpace(m *model.Model, domain func(f *export.Form) Domain) (*space, error) {
	f, err := export.New(m)
	if err != nil {
		return nil, err
	}
	s := &space{model: m, form: f, domain: domain(f), pages: m.Pages != nil}
	s.steps, s.kinks = make([][]float64, len(f.Columns)), make([][]float64, len(f.Columns))
	for k := range f.Members {
		s.members = append(s.members, newMember(f, k, s.domain))
		s.addKinks(s.members[k])
	}
	for c := range s.steps {
		for _, list := range [][][]float64{s.steps, s.kinks} {
			slices.Sort(list[c])
			list[c] = slices.Compact(list[c])
		}
	}
	return s, nil
}

// addKinks adds the steps and kinks of a member's inputs that are columns of numbers.
func (s *space) addKinks(m *member) {
	if m.Components != nil {
		return
	}
	kinked, _ := m.Shape.(membership.Kinked)
	for _, rule := range m.Rules {
		for i, at := range rule.If {
			c := m.column[at]
			if s.domain.Columns[c].Range == nil || m.beside[at] || kinked == nil || m.Inputs[at].Power != nil {
				continue
			}
			kinks := kinked.Kinks(rule.Params[i])
			for k, v := range kinks {
				if !(math.Abs(v) < 1e150) { // of an open border
					continue
				}
				x := lastUpTo(m.Inputs[at], v)
				s.kinks[c] = append(s.kinks[c], x)
				if m.Shape.Name() == "ramp" && k%2 == 0 && kinks[k+1] == v {
					s.steps[c] = append(s.steps[c], x)
				}
			}
		}
	}
	for i, knots := range m.Knots {
		for _, v := range knots {
			if c := m.column[i]; s.domain.Columns[c].Range != nil && !m.beside[i] {
				s.kinks[c] = append(s.kinks[c], lastUpTo(m.Inputs[i], v))
			}
		}
	}
}

// lastUpTo returns the largest number whose z-score, as a prediction computes it, is at most v: by bisection of the numbers around it.
func lastUpTo(in export.Input, v float64) float64 {
	z := func(at int64) float64 { return (fromRank(at) - in.Mean) / in.SD }
	x := in.Mean + float64(in.SD*v)
	apart := (math.Abs(in.Mean) + float64(in.SD*(1+math.Abs(v)))) * 1e-9
	low, high := rank(x-apart), rank(x+apart)
	for high-low > 1 {
		if middle := low + (high-low)/2; z(middle) <= v {
			low = middle
		} else {
			high = middle
		}
	}
	return fromRank(low)
}

// rank numbers the doubles in order.
func rank(x float64) int64 {
	if b := int64(math.Float64bits(x)); b < 0 {
		return math.MinInt64 - b
	}
	return int64(math.Float64bits(x))
}

func fromRank(at int64) float64 {
	if at < 0 {
		at = math.MinInt64 - at
	}
	return math.Float64frombits(uint64(at))
}

// halves divides a box at a column: points from numbers, points in two, or numbers at the kink nearest to their middle (beyond which, if it
// is a step, those of the other half begin), else at the middle. It returns nil if there is nothing to divide.
func (s *space) halves(b box, c int) []box {
	x, y := slices.Clone(b), slices.Clone(b)
	of := b[c]
	switch {
	case of.numbers() && len(of.points) > 0:
		x[c], y[c] = cell{of.lo, of.hi, nil}, cell{1, 0, of.points}
	case len(of.points) > 1:
		half := len(of.points) / 2
		x[c], y[c] = cell{1, 0, of.points[:half]}, cell{1, 0, of.points[half:]}
	case of.numbers():
		at, step := s.cut(c, of.lo, of.hi)
		after := at
		if step {
			after = math.Nextafter(at, math.Inf(1))
		}
		if !(at > of.lo || step) || !(at < of.hi) || !(after <= of.hi) || !step && after == of.hi {
			return nil
		}
		x[c], y[c] = cell{of.lo, at, nil}, cell{after, of.hi, nil}
	default:
		return nil
	}
	return []box{x, y}
}

// cut returns where to divide numbers: at the step nearest to the middle, else at the kink nearest to it unless that is close to an end.
func (s *space) cut(c int, lo, hi float64) (at float64, step bool) {
	middle := lo + float64(0.5*(hi-lo))
	nearest := func(of []float64, from, to float64) (best float64, found bool) {
		for _, v := range of {
			if v >= from && v < to && (!found || math.Abs(v-middle) < math.Abs(best-middle)) {
				best, found = v, true
			}
		}
		return best, found
	}
	if at, step = nearest(s.steps[c], lo, hi); step && at < hi {
		return at, true
	}
	if at, found := nearest(s.kinks[c], math.Nextafter(lo, math.Inf(1)), hi); found {
		return at, false
	}
	return middle, false
}

// bends reports whether a kink of a column is between two numbers.
func (s *space) bends(c int, lo, hi float64) bool {
	return slices.ContainsFunc(s.kinks[c], func(v float64) bool { return v > lo && v < hi }) || s.crosses(c, lo, hi)
}

// widest returns the column at which a box should be divided: that whose conditions leave most open between rules that fire, else that
// whose numbers move the outputs of rules most.
func (s *space) widest(b box, e enclosure) int {
	best, score := -1, 0.0
	scores := make([]float64, len(b))
	for _, in := range e.rules {
		m := in.member
		for i, c := range m.column {
			if m.Components != nil {
				if w := b[c].hi - b[c].lo; b[c].numbers() && !m.beside[i] {
					scores[c] = max(scores[c], w/m.Inputs[i].SD)
				}
				continue
			}
			d := m.dim[i]
			open := in.openness(d)
			if open > 0 && b[c].numbers() && s.bends(c, b[c].lo, b[c].hi) {
				open = 2 + open
			}
			scores[c] = max(scores[c], open, 0.01*in.tilt(d))
		}
	}
	for c, v := range scores {
		if s.divisible(b[c]) && (best < 0 || v > score) {
			best, score = c, v
		}
	}
	return best
}

func (s *space) divisible(c cell) bool {
	n := len(c.points)
	if c.numbers() {
		n++
	}
	return n > 1 || c.numbers() && c.hi > math.Nextafter(c.lo, math.Inf(1))
}

// openness returns how much a dimension leaves open of the levels of the rules that fire.
func (e *rulesIn) openness(d int) float64 {
	most := 0.0
	for r, p := range e.p {
		if p.hi == 0 || p.width() == 0 {
			continue
		}
		if e.apart {
			most = max(most, min(1e3, e.logs[r][d].width())*math.Sqrt(p.hi*p.width()))
			continue
		}
		for i, at := range e.Rules[r].If {
			if w := e.grades[e.kind[r][i]].v.width(); e.dim[at] == d && w > 0 {
				most = max(most, min(w, 1e3))
			}
		}
	}
	return most
}

// tilt returns how far a dimension moves the outputs of the rules, relative to the width of their range.
func (e *rulesIn) tilt(d int) float64 {
	at := 0
	for _, p := range e.places[:d] {
		at += len(p.nodes) + len(p.points)
	}
	n := len(e.places[d].nodes) + len(e.places[d].points)
	most := 0.0
	for c := range e.y {
		for _, r := range e.firing {
			if e.p[r].hi == 0 {
				continue
			}
			if w := e.y[c][r].width(); w > 0 {
				most = max(most, ends(e.at[c][r][at:at+n]).width()/w)
			}
		}
	}
	return most
}
