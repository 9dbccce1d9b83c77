package pages

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// basis holds the functions that tables of a frame's columns are sums of, and their products over the rows. With them, and those with a
// tree's terms, tables are found and fitted without rows.
//
// The functions of numbers are ramps (u-k)+ from the knots k up, the first from the column's low end, all divided by the range of the
// knots; those of a category are one for each bin, 1 in it and else 0.
type basis struct {
	f     *frame
	y     []float64 // [n] of mean zero and variance one
	total float64   // weight of all rows
	yy    float64   // weighted sum of y^2
	parts []part
	size  int       // functions
	gram  []float64 // [size][size] weighted sums of products; those of a column with itself carry the penalty
	right []float64 // [size] weighted sums of products with y
	mean  []float64 // [size] of the functions

	*factored // that these are the linearisation of; nil: tables are summands
}

// part is the functions of a column.
type part struct {
	column      int
	knots       []float64 // of numbers: those a table may have, ascending; nil: a category
	first, size int       // its functions in the basis
	at          []uint8   // [n] of numbers the knot at or below; of a category the bin
	share       []float64 // [n] of numbers how far on the way to the next knot
	count       []float64 // weight of the rows between a knot and the next, or of a bin
	moment      []float64 // of numbers sums of weight times share of the rows between a knot and the next
	times       []float64 // [n] what its functions are multiplied by; nil: one
}

// penalty of slopes of terms and of the variance of tables, times the rows.
const penalty = 1e-3

// leastBins is the number of bins from which on a column of numbers may have a table.
const leastBins = 5

// tableColumns is the number of columns that a basis holds at most.
const tableColumns = 12

// newBasis returns the basis of the target y [n] for the columns that may have a table; of many, those that explain most of e, the
// residual of a linear fit.
func newBasis(f *frame, y, e []float64) *basis {
	b := &basis{f: f, y: y, total: numeric.WeightSum(f.weight, f.n)}
	for i, v := range y {
		b.yy += float64(numeric.WeightAt(f.weight, i) * float64(v*v))
	}
	var columns []int
	gain := make([]float64, len(f.columns))
	for j := range f.columns {
		if c := &f.columns[j]; !c.NoThen && (c.bins >= leastBins && !c.isCategory() || c.bins >= 3 && c.isCategory()) {
			columns, gain[j] = append(columns, j), f.binned(j, e)
		}
	}
	slices.SortStableFunc(columns, func(i, j int) int { return cmp.Compare(gain[j], gain[i]) })
	columns = columns[:min(len(columns), tableColumns)]
	slices.Sort(columns)
	for _, j := range columns {
		p := part{column: j, first: b.size, size: f.columns[j].bins}
		if c := &f.columns[j]; !c.isCategory() {
			if p.knots = c.knots(); len(p.knots) < leastBins {
				continue
			}
			p.size = len(p.knots) - 1
		}
		p.locate(&f.columns[j])
		p.count, p.moment = make([]float64, p.points()), make([]float64, p.points())
		for i, at := range p.at {
			w := numeric.WeightAt(f.weight, i)
			if p.count[at] += w; p.knots != nil {
				p.moment[at] += float64(w * p.share[i])
			}
		}
		b.parts, b.size = append(b.parts, p), b.size+p.size
	}
	b.multiply(b.all())
	return b
}

// binned returns the part of the sum of e^2 that means of the bins of column j explain.
func (f *frame) binned(j int, e []float64) (gain float64) {
	c := &f.columns[j]
	sum, count := make([]float64, c.bins), make([]float64, c.bins)
	for i, b := range c.codes {
		w := numeric.WeightAt(f.weight, i)
		sum[b] += float64(w * e[i])
		count[b] += w
	}
	for b, s := range sum {
		gain += float64(s*s) / (count[b] + 5)
	}
	return gain
}

// knots returns the knots that a table of numbers may have: the ends of the column's range, and the borders between them.
func (c *column) knots() []float64 {
	knots := []float64{c.low}
	for _, v := range c.borders {
		if v > c.low && v < c.high {
			knots = append(knots, v)
		}
	}
	return append(knots, c.high)
}

// locate sets the places of the rows of c.
func (p *part) locate(c *column) {
	if p.knots == nil {
		p.at = c.codes
		return
	}
	p.at, p.share = c.located()
}

// placed returns the column with its places among the knots, which are found when they are asked for and shared by all parts.
func (c column) placed() column {
	own := c
	c.located = sync.OnceValues(func() ([]uint8, []float64) { return among(own.knots(), own.Values) })
	return c
}

// among finds the place of each value among knots: the one at or below, and the share of the way to the next.
func among(knots, values []float64) (at []uint8, share []float64) {
	at, share = make([]uint8, len(values)), make([]float64, len(values))
	last := len(knots) - 1
	for i, v := range values {
		v = min(max(v, knots[0]), knots[last])
		k, found := slices.BinarySearch(knots, v)
		if !found || k == last {
			k--
		}
		at[i], share[i] = uint8(k), (v-knots[k])/(knots[k+1]-knots[k])
	}
	return at, share
}

// points is the number of values that a part's functions are given by: at its knots, or of its bins.
func (p *part) points() int {
	if p.knots == nil {
		return p.size
	}
	return len(p.knots)
}

// ramps turns sums over the rows of anything times the hats of the knots, which are one at a knot and zero at all others, into those
// times the functions.
func (p *part) ramps(hats, to []float64) {
	if p.knots == nil {
		copy(to, hats)
		return
	}
	last := len(p.knots) - 1
	scale := p.knots[last] - p.knots[0]
	for k := range p.size {
		sum := 0.0
		for h := k + 1; h <= last; h++ {
			sum += float64((p.knots[h] - p.knots[k]) * hats[h])
		}
		to[k] = sum / scale
	}
}

// values are the values at the points of the sum of the functions with weights w [size].
func (p *part) values(w []float64) []float64 {
	if p.knots == nil {
		return slices.Clone(w)
	}
	v := make([]float64, len(p.knots))
	scale := p.knots[len(v)-1] - p.knots[0]
	for h := range v {
		for k := range min(h, p.size) {
			v[h] += float64(w[k] * (p.knots[h] - p.knots[k]) / scale)
		}
	}
	return v
}

// value is the value of row i of the function that has the values v at the points.
func (p *part) value(v []float64, i int) float64 {
	k := p.at[i]
	if p.knots == nil {
		return v[k]
	}
	return v[k] + float64(p.share[i]*(v[k+1]-v[k]))
}

// multiplied returns x [n] times what the functions are multiplied by.
func (p *part) multiplied(x []float64) []float64 {
	if p.times == nil {
		return x
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v * p.times[i])
	}
	return out
}

// sums adds up x [n] over the rows by the hats of the points, and turns the sums into those of the functions.
func (p *part) sums(x []float64, to []float64) {
	hats := make([]float64, p.points()+1)
	if p.knots == nil {
		for i, v := range x {
			hats[p.at[i]] += v
		}
	} else {
		for i, v := range x {
			k, s := p.at[i], float64(p.share[i]*v)
			hats[k] += v - s
			hats[k+1] += s
		}
	}
	p.ramps(hats[:p.points()], to)
}

// multiply computes the products of these parts.
func (b *basis) multiply(uses []int) {
	b.gram, b.right, b.mean = make([]float64, b.size*b.size), make([]float64, b.size), make([]float64, b.size)
	w, wy := numeric.EachWeight(b.f.weight, b.f.n), make([]float64, b.f.n)
	for i, v := range b.y {
		wy[i] = float64(w[i] * v)
	}
	for i, k := range uses {
		p := &b.parts[k]
		own := p.multiplied(w)
		p.sums(own, b.mean[p.first:p.first+p.size])
		p.sums(p.multiplied(wy), b.right[p.first:p.first+p.size])
		for _, l := range uses[:i+1] {
			b.cross(p, &b.parts[l], b.parts[l].multiplied(own))
		}
		for i := p.first; i < p.first+p.size; i++ {
			for j := p.first; j < p.first+p.size; j++ {
				b.gram[i*b.size+j] += float64(penalty * (b.gram[i*b.size+j] - float64(b.mean[i]*b.mean[j])/b.total))
			}
			b.gram[i*b.size+i] += float64(1e-9 * b.total)
		}
	}
	for i := range b.mean {
		b.mean[i] /= b.total
	}
}

// cross computes the products of the functions of two parts.
func (b *basis) cross(p, q *part, w []float64) {
	width := q.points() + 1
	hats := make([]float64, (p.points()+1)*width)
	for i, v := range w {
		at := int(p.at[i])*width + int(q.at[i])
		s, t := 0.0, 0.0
		if p.knots != nil {
			s = p.share[i]
		}
		if q.knots != nil {
			t = q.share[i]
		}
		high := float64(v * s)
		low, both := v-high, float64(high*t)
		side := float64(low * t)
		hats[at] += low - side
		hats[at+1] += side
		hats[at+width] += high - both
		hats[at+width+1] += both
	}
	half := make([]float64, p.points()*q.size) // products of hats of p and functions of q
	for k := range p.points() {
		q.ramps(hats[k*width:k*width+q.points()], half[k*q.size:])
	}
	column, sums := make([]float64, p.points()), make([]float64, p.size)
	for j := range q.size {
		for k := range column {
			column[k] = half[k*q.size+j]
		}
		p.ramps(column, sums)
		for i, v := range sums {
			b.gram[(p.first+i)*b.size+q.first+j], b.gram[(q.first+j)*b.size+p.first+i] = v, v
		}
	}
}

// on returns a part with the rows of another frame with the same columns.
func (p *part) on(f *frame) part {
	q := *p
	q.times = nil
	q.locate(&f.columns[p.column])
	return q
}

// all returns all parts.
func (b *basis) all() []int {
	all := make([]int, len(b.parts))
	for k := range all {
		all[k] = k
	}
	return all
}
