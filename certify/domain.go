package certify

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// Domain is the set of rows for which claims hold: every combination of what its columns may be.
type Domain struct {
	Margin  float64  `json:"margin"` // share of the range of the training part by which columns of numbers are widened on both sides
	Columns []Column `json:"columns"`
}

// Column is what a column that the model uses may be in a [Domain]: each number from Range[0] to Range[1] (for levels in an order, which
// count from 1, too); or one of Levels, none of them (Unseen), or missing. Missing is not set where a missing cell counts as a number of
// the range, or as a level, for all members, and no rule asks whether it is missing.
type Column struct {
	Name    string    `json:"name"`
	Range   []float64 `json:"range,omitempty"`
	Levels  []string  `json:"levels,omitempty"`
	Unseen  bool      `json:"unseen,omitempty"`
	Missing bool      `json:"missing,omitempty"`
}

// Box is a part of a domain, as a [Certificate] lists it. Columns that are not listed are as in the domain.
type Box struct {
	Depth   int         `json:"d"`           // of its place in the bisection, see [Cover]
	Numbers [][]float64 `json:"n,omitempty"` // index of a column, least and largest number
	Points  [][]int     `json:"p,omitempty"` // index of a column, and of what it may be: levels from 0, then unseen, then missing
}

// cell is what a column may be in a box: numbers from lo to hi, none if lo > hi, and points.
type cell struct {
	lo, hi float64
	points []int
}

func (c cell) numbers() bool { return c.lo <= c.hi }

// box is a cell for each column.
type box []cell

// points returns the number of points of a column.
func (c Column) points() int {
	n := len(c.Levels)
	if c.Unseen {
		n++
	}
	if c.Missing {
		n++
	}
	return n
}

// full returns the cell of all that a column may be.
func (c Column) full() cell {
	all := cell{lo: 1}
	if c.Range != nil {
		all.lo, all.hi = c.Range[0], c.Range[1]
	}
	for p := range c.points() {
		all.points = append(all.points, p)
	}
	return all
}

// full returns the box of the whole domain.
func (d Domain) full() (b box) {
	for _, c := range d.Columns {
		b = append(b, c.full())
	}
	return b
}

// newDomain returns the domain of a form: the ranges of the training part, widened by a share of them.
func newDomain(f *export.Form, margin float64) Domain {
	d := Domain{Margin: margin}
	for i, c := range f.Columns {
		one := Column{Name: c.Name}
		first := f.Features[c.First]
		asked, means := false, map[float64]bool{} // those that members replace a missing cell by
		for k := range f.Members {
			for _, in := range f.Members[k].Inputs {
				if in.Feature == c.First {
					means[in.Mean] = true
				}
				asked = asked || f.Features[in.Feature].Column == i && beside(f, in)
			}
		}
		apart := asked || math.IsNaN(first.Missing) && len(means) > 1
		switch {
		case c.Nominal():
			one.Levels, one.Unseen, one.Missing = c.Levels, true, math.IsNaN(first.Missing)
		case c.Numbers():
			more := float64(margin * (c.Max - c.Min))
			one.Range, one.Missing = []float64{c.Limits.Of(c.Min - more), c.Limits.Of(c.Max + more)}, apart
		default:
			one.Range, one.Missing = []float64{c.Values(0)[0], c.Values(len(c.Levels) - 1)[0]}, apart
		}
		d.Columns = append(d.Columns, one)
	}
	return d
}

// share returns the share of a box in the domain: of ranges by length, of levels by number; what is unseen or missing has none.
func (d Domain) share(b box) float64 {
	share := 1.0
	for i, c := range d.Columns {
		switch {
		case c.Range != nil && !b[i].numbers():
			return 0
		case c.Range != nil && c.Range[1] > c.Range[0]:
			share *= (b[i].hi - b[i].lo) / (c.Range[1] - c.Range[0])
		case c.Range == nil:
			n := 0
			for _, p := range b[i].points {
				if p < len(c.Levels) {
					n++
				}
			}
			share *= float64(n) / float64(len(c.Levels))
		}
	}
	return share
}

// written returns a box as a certificate lists it.
func (d Domain) written(b box, depth int) Box {
	w := Box{Depth: depth}
	for i, c := range d.Columns {
		all := c.full()
		if c.Range != nil && (b[i].lo != all.lo || b[i].hi != all.hi) {
			w.Numbers = append(w.Numbers, []float64{float64(i), b[i].lo, b[i].hi})
		}
		if !slices.Equal(b[i].points, all.points) {
			w.Points = append(w.Points, append([]int{i}, b[i].points...))
		}
	}
	return w
}

// read returns a box of a certificate.
func (d Domain) read(w Box) (box, error) {
	b := d.full()
	for _, n := range w.Numbers {
		if len(n) != 3 || n[0] != math.Trunc(n[0]) || !(n[0] >= 0 && n[0] < float64(len(b))) || d.Columns[int(n[0])].Range == nil {
			return nil, fmt.Errorf("%v: want a column of numbers, and two numbers", n)
		}
		b[int(n[0])].lo, b[int(n[0])].hi = n[1], n[2]
	}
	for _, p := range w.Points {
		if len(p) < 1 || p[0] < 0 || p[0] >= len(b) {
			return nil, fmt.Errorf("%v: want a column, and points", p)
		}
		most, last := d.Columns[p[0]].points(), -1
		for _, v := range p[1:] {
			if v <= last || v >= most {
				return nil, fmt.Errorf("%v: want points from 0 to %d in order", p, most-1)
			}
			last = v
		}
		b[p[0]].points = p[1:]
	}
	for i, c := range b {
		if !(c.lo <= c.hi || c.lo > c.hi) || !c.numbers() && len(c.points) == 0 {
			return nil, fmt.Errorf("column %s: empty", escape.Quote(d.Columns[i].Name))
		}
	}
	return b, nil
}

// join returns the union of two boxes that differ in one column, in which numbers of the second follow those of the first: with their
// common end or, at a step (see [space.steps]), the next number.
func (s *space) join(a, b box) (box, bool) {
	at := -1
	for i := range a {
		if a[i].lo != b[i].lo || a[i].hi != b[i].hi || !slices.Equal(a[i].points, b[i].points) {
			if at >= 0 {
				return nil, false
			}
			at = i
		}
	}
	if at < 0 {
		return nil, false
	}
	joined, x, y := slices.Clone(a), a[at], b[at]
	for _, p := range y.points {
		if slices.Contains(x.points, p) {
			return nil, false
		}
	}
	points := slices.Sorted(slices.Values(slices.Concat(x.points, y.points)))
	switch {
	case !x.numbers():
		joined[at] = cell{y.lo, y.hi, points}
	case !y.numbers():
		joined[at] = cell{x.lo, x.hi, points}
	case y.lo == x.hi && y.hi > x.hi || y.lo == math.Nextafter(x.hi, math.Inf(1)) && slices.Contains(s.steps[at], x.hi):
		joined[at] = cell{x.lo, y.hi, points}
	default:
		return nil, false
	}
	return joined, true
}

// covers checks that boxes are the leaves of a bisection of a box, in order: two neighbours of the same depth are halves of a box one
// less deep. The error names the first box, from 1, that is no half.
func (s *space) covers(boxes []box, depths []int, whole box) error {
	type part struct {
		box
		depth, first int
	}
	var stack []part
	for n, b := range boxes {
		stack = append(stack, part{b, depths[n], n + 1})
		for len(stack) > 1 && stack[len(stack)-1].depth == stack[len(stack)-2].depth {
			x, y := stack[len(stack)-2], stack[len(stack)-1]
			joined, ok := s.join(x.box, y.box)
			if !ok {
				return fmt.Errorf("box %d: does not continue what lies before it", y.first)
			}
			stack = append(stack[:len(stack)-2], part{joined, x.depth - 1, x.first})
		}
	}
	if len(stack) != 1 || stack[0].depth != 0 {
		return fmt.Errorf("box %d: a part of the domain is missing after it", len(boxes))
	}
	for i, c := range stack[0].box {
		if c.lo != whole[i].lo || c.hi != whole[i].hi || !slices.Equal(c.points, whole[i].points) {
			return fmt.Errorf("box 1: the boxes do not cover column %s", escape.Quote(s.domain.Columns[i].Name))
		}
	}
	return nil
}
