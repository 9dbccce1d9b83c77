package pages

import (
	"slices"
)

// bending places the knots of a table.
type bending struct {
	*reduced
	p     *part
	a     []float64 // [n][n] swept by the first ramp and those of the inner knots
	n     int
	own   []float64 // [size] of the ramps, what the others leave of which must be more than rounding errors
	inner []int
}

// bent places knots one by one, each where the gain is most, and moves them once after each.
func (r *reduced) bent(k int, a []float64, entries int) (table, float64) {
	b := &bending{reduced: r, p: &r.parts[k], a: a, n: r.parts[k].size + 1}
	for i := range b.p.size {
		b.own = append(b.own, a[i*b.n+i])
	}
	if b.gain(0) == 0 {
		return table{}, 0
	}
	start, sign, whole := a[b.n*b.n-1], r.f.columns[b.p.column].Sign, slices.Clone(a)
	taken := func() float64 {
		if sign != 0 {
			return boundGain(whole, b.n, append([]int{0}, b.inner...), sign)
		}
		return start - a[b.n*b.n-1]
	}
	sweep(a, b.n, 0)
	tables, gains := []table{r.knotted(k, nil)}, []float64{taken()}
	for len(b.inner)+2 < entries && b.place(0, b.p.size) {
		b.move()
		tables, gains = append(tables, r.knotted(k, b.inner)), append(gains, taken())
	}
	return fewest(tables, gains)
}

// fewest returns the first table with enough of the largest gain.
func fewest(tables []table, gains []float64) (table, float64) {
	most := 0.0
	for _, g := range gains {
		most = max(most, g)
	}
	for i, g := range gains {
		if g > 0 && g >= enough*most {
			return tables[i], g
		}
	}
	return table{}, 0
}

// gain returns how much of the squared error the ramp of a knot takes.
func (b *bending) gain(i int) float64 {
	if d := b.a[i*b.n+i]; d > 1e-7*b.own[i] && d > 0 {
		return float64(b.a[i*b.n+b.p.size]*b.a[i*b.n+b.p.size]) / d
	}
	return 0
}

// place puts a knot where it gains most, above one knot and below another, and returns whether any gains.
func (b *bending) place(below, above int) bool {
	best, most := -1, 0.0
	for i := below + 1; i < above; i++ {
		if g := b.gain(i); g > most && !slices.Contains(b.inner, i) && b.apart(i) {
			best, most = i, g
		}
	}
	if best < 0 {
		return false
	}
	sweep(b.a, b.n, best)
	b.inner = append(b.inner, best)
	slices.Sort(b.inner)
	return true
}

// move puts each of several knots where it gains most between those beside it.
func (b *bending) move() {
	for at := 0; at < len(b.inner) && len(b.inner) > 1; at++ {
		below, above, was := 0, b.p.size, b.inner[at]
		if at > 0 {
			below = b.inner[at-1]
		}
		if at+1 < len(b.inner) {
			above = b.inner[at+1]
		}
		sweep(b.a, b.n, was)
		b.inner = slices.Delete(b.inner, at, at+1)
		if !b.place(below, above) {
			sweep(b.a, b.n, was)
			b.inner = slices.Insert(b.inner, at, was)
		}
	}
}

// apart reports whether, with knot i, each entry of the table decides the value of enough rows: few would let a table rise and fall by what
// happened to them. Those at the ends, which have rows on one side, need half as many.
func (b *bending) apart(i int) bool {
	all := append([]int{0, len(b.p.knots) - 1, i}, b.inner...)
	slices.Sort(all)
	least := max(b.least, rowsBetween*b.total) / 2
	for at, k := range all {
		sum, want := 0.0, least
		if at > 0 {
			sum += b.p.hat(all[at-1], k)
		}
		if at+1 < len(all) {
			sum += b.p.hat(all[at+1], k)
		}
		if at == 0 || at+1 == len(all) {
			want /= 2
		}
		if sum < want {
			return false
		}
	}
	return true
}

// hat returns the weight of the rows between two knots, each times how far it is on the way from one to the other.
func (p *part) hat(from, to int) (sum float64) {
	width := p.knots[to] - p.knots[from]
	for c := min(from, to); c < max(from, to); c++ {
		value := float64(p.count[c]*(p.knots[c]-p.knots[from])) + float64(p.moment[c]*(p.knots[c+1]-p.knots[c]))
		sum += value / width
	}
	return sum
}

// knotted returns the table with these inner knots.
func (r *reduced) knotted(k int, inner []int) table {
	first := r.parts[k].first
	t := table{part: k, groups: [][]int{{first}}}
	for _, i := range inner {
		t.groups = append(t.groups, []int{first + i})
	}
	return t
}
