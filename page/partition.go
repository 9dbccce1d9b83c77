package page

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// grid divides the columns that conditions mention into cells: of numbers between borders, of a category each level that is mentioned,
// and all others together. Each rule holds in a box of cells.
//
// With the grades g_b of "above" the borders b of a column, in their order, the cell between b and the next border c is the function
// g_b - g_c, also if both are ramps that overlap, as those of different rules may. A rule's own two borders do not, so that its
// grade, a product g_b (1 - g_c) over columns, is the product of the sums of its cells. The cells of a column sum to one: the
// grades of the rules do everywhere if each point of the grid is in exactly one box.
type grid struct {
	axes  []axis
	rules int
}

// axis is a column of a grid: the numbers of one, or the levels.
type axis struct {
	column  string
	named   bool     // of levels
	borders []Border // ascending
	levels  []string // mentioned
	boxes   [][]bool // [rule][cell]
	sizes   []int    // of the boxes, in cells
}

func (a *axis) cells() int { return len(a.borders) + len(a.levels) + 1 }

// newGrid returns the grid of a page whose parts are valid.
func newGrid(p *Page) *grid {
	g := &grid{rules: len(p.Rules)}
	for i := range 2 * len(p.Columns) {
		a := axis{column: p.Columns[i/2].Name, named: i%2 == 1}
		for _, r := range p.Rules {
			for _, one := range r.Conditions {
				if a.has(one) {
					a.mention(one)
				}
			}
		}
		if a.cells() == 1 {
			continue
		}
		slices.SortFunc(a.borders, func(x, y Border) int {
			return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To), cmp.Compare(x.At, y.At))
		})
		a.borders = slices.CompactFunc(a.borders, func(x, y Border) bool { return x.From == y.From && x.To == y.To })
		for _, r := range p.Rules {
			box := a.box(r.Conditions)
			a.boxes, a.sizes = append(a.boxes, box), append(a.sizes, count(box))
		}
		g.axes = append(g.axes, a)
	}
	return g
}

// has reports whether a condition is one of the axis.
func (a *axis) has(c Condition) bool { return c.Column == a.column && (c.Levels != nil) == a.named }

// mention notes the borders and levels of a condition.
func (a *axis) mention(c Condition) {
	for _, b := range []*Border{c.Above, c.AtMost} {
		if b != nil {
			a.borders = append(a.borders, *b)
		}
	}
	for _, level := range c.Levels {
		if !slices.Contains(a.levels, level) {
			a.levels = append(a.levels, level)
		}
	}
}

// box returns the cells in which conditions hold.
func (a *axis) box(conditions []Condition) []bool {
	in := slices.Repeat([]bool{true}, a.cells())
	below := func(b *Border) int { // the cells up to a border
		return 1 + slices.IndexFunc(a.borders, func(o Border) bool { return o.From == b.From && o.To == b.To })
	}
	for _, c := range conditions {
		if !a.has(c) {
			continue
		}
		for cell := range in {
			out := c.Above != nil && cell < below(c.Above) || c.AtMost != nil && cell >= below(c.AtMost)
			if c.Levels != nil {
				named := cell < len(a.levels) && slices.Contains(c.Levels, a.levels[cell])
				out = named == c.Not
			}
			in[cell] = in[cell] && !out
		}
	}
	return in
}

// check checks that the boxes are a partition: they have cells, no two meet, and together they have as many points as the grid.
func (g *grid) check() error {
	point := make([]int, len(g.axes))
	for i := range g.rules {
		for j := range i + 1 {
			if !g.meet(j, i, point) {
				if i == j {
					return fmt.Errorf("rule %d: its conditions hold nowhere together", i+1)
				}
			} else if i != j {
				return fmt.Errorf("rules %d and %d both hold where %s", j+1, i+1, g.where(point))
			}
		}
	}
	return g.gap(point)
}

// meet reports whether two boxes have a point in common, and finds one.
func (g *grid) meet(i, j int, point []int) bool {
	for k, a := range g.axes {
		cell := 0
		for cell < a.cells() && !(a.boxes[i][cell] && a.boxes[j][cell]) {
			cell++
		}
		if point[k] = cell; cell == a.cells() {
			return false
		}
	}
	return true
}

// gap returns an error that names a point outside all boxes, which are disjoint. Column by column it chooses a cell whose part of the grid
// has more points than the boxes have there.
func (g *grid) gap(point []int) error {
	volumes := make([]*big.Int, g.rules) // of the boxes, in the part
	whole := big.NewInt(1)
	for i := range volumes {
		volumes[i] = big.NewInt(1)
		for _, a := range g.axes {
			volumes[i].Mul(volumes[i], big.NewInt(int64(a.sizes[i])))
		}
	}
	for _, a := range g.axes {
		whole.Mul(whole, big.NewInt(int64(a.cells())))
	}
	sum := func(of []*big.Int) *big.Int {
		total := new(big.Int)
		for _, v := range of {
			total.Add(total, v)
		}
		return total
	}
	if sum(volumes).Cmp(whole) == 0 {
		return nil
	}
	for k, a := range g.axes {
		whole.Quo(whole, big.NewInt(int64(a.cells())))
		for cell := range a.cells() {
			part := make([]*big.Int, g.rules)
			for i, v := range volumes {
				if part[i] = new(big.Int); a.boxes[i][cell] {
					part[i].Quo(v, big.NewInt(int64(a.sizes[i])))
				}
			}
			if sum(part).Cmp(whole) < 0 {
				volumes, point[k] = part, cell
				break
			}
		}
	}
	return fmt.Errorf("no rule holds where %s", g.where(point))
}

func count(in []bool) (n int) {
	for _, one := range in {
		if one {
			n++
		}
	}
	return n
}

// mostNamed is the largest number of levels that where names.
const mostNamed = 8

// where describes a point in words.
func (g *grid) where(point []int) string {
	var all []string
	for k, a := range g.axes {
		column, cell := escape.Text(a.column), point[k]
		switch {
		case cell < len(a.levels):
			all = append(all, column+" is "+escape.Text(a.levels[cell]))
		case len(a.levels) > mostNamed:
			all = append(all, column+" is no level that a condition names")
		case a.levels != nil:
			all = append(all, column+" is not "+escape.Text(strings.Join(a.levels, " or ")))
		case cell < len(a.borders):
			all = append(all, column+" is "+number(a.borders[cell].From))
		default:
			last := a.borders[cell-1].To
			all = append(all, column+" is "+number(max(last+1, math.Nextafter(last, math.Inf(1)))))
		}
	}
	if all == nil {
		return "no column has a condition"
	}
	return strings.Join(all, " and ")
}
