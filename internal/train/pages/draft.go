package pages

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// draft is a page with numbers that are not rounded: a tree with terms, and tables.
type draft struct {
	*basis
	tree  tree
	uses  []int     // parts that the products are with
	first []int     // [L+1] of each leaf: the place of its constant among the D unknowns of the leaves; its terms follow
	own   []float64 // [D][D] products of the constants and terms, with the penalty
	cross []float64 // [D][size] products with the functions of the basis
	to    []float64 // [D] products with the target

	tables []table
}

// table is a table before it is rounded.
type table struct {
	part   int
	groups [][]int // functions of the part that have an entry in common; of numbers the first ramp, and one of each inner knot
}

// entries returns the number of entries: those of numbers are one more than its ramps, those of a category have one of all others.
func (t table) entries() int { return len(t.groups) + 1 }

// newDraft computes the products of a tree, with the functions of some parts, which alone may then have tables.
func (b *basis) newDraft(t tree, parts []int) *draft {
	d := &draft{basis: b, tree: t, uses: parts, first: make([]int, len(t)+1)}
	for l, leaf := range t {
		d.first[l+1] = d.first[l] + 1 + len(leaf.terms)
	}
	D := d.first[len(t)]
	d.own, d.cross, d.to = make([]float64, D*D), make([]float64, D*b.size), make([]float64, D)
	hats := make([]float64, 0, 64)
	for l := range t {
		d.multiply(l, &hats)
	}
	return d
}

// leafs returns the leaf [n] of each row.
func (d *draft) leafs() []int {
	of := make([]int, d.f.n)
	for l := range d.tree {
		for _, i := range d.tree[l].rows {
			of[i] = l
		}
	}
	return of
}

// multiply computes the products of leaf l.
func (d *draft) multiply(l int, hats *[]float64) {
	rows, at, D := d.tree[l].rows, d.first[l], len(d.to)
	columns := [][]float64{nil}
	for _, k := range d.tree[l].terms {
		columns = append(columns, d.f.standardised(nil, k, rows))
	}
	x, total := make([]float64, len(rows)), 0.0
	for a, z := range columns {
		for i, r := range rows {
			x[i] = numeric.WeightAt(d.f.weight, int(r))
			if z != nil {
				x[i] = float64(x[i] * z[i])
			}
			if a == 0 {
				total += x[i]
			}
		}
		for b, u := range columns[:a+1] {
			sum := 0.0
			for i, v := range x {
				if u == nil {
					sum += v
				} else {
					sum += float64(v * u[i])
				}
			}
			d.own[(at+a)*D+at+b], d.own[(at+b)*D+at+a] = sum, sum
		}
		for i, r := range rows {
			d.to[at+a] += float64(x[i] * d.y[r])
		}
		for _, k := range d.uses {
			p := &d.parts[k]
			p.sumsOf(x, rows, d.cross[(at+a)*d.size+p.first:][:p.size], hats)
		}
	}
	d.own[at*D+at] += float64(1e-6 * d.total)
	for a := 1; a < len(columns); a++ {
		d.own[(at+a)*D+at+a] += float64(penalty * total)
	}
}

// sumsOf is sums over some rows, of which x holds the values.
func (p *part) sumsOf(x []float64, rows []int32, to []float64, buffer *[]float64) {
	hats := append((*buffer)[:0], make([]float64, p.points()+1)...)
	*buffer = hats
	if p.times != nil {
		x = slices.Clone(x)
		for i, r := range rows {
			x[i] *= p.times[r]
		}
	}
	if p.knots == nil {
		for i, r := range rows {
			hats[p.at[r]] += x[i]
		}
	} else {
		for i, r := range rows {
			k, s := p.at[r], float64(p.share[r]*x[i])
			hats[k] += x[i] - s
			hats[k+1] += s
		}
	}
	p.ramps(hats[:p.points()], to)
}

// equations returns the matrix [m+1][m+1] of the normal equations of the draft, with the target last: the unknowns of the leaves come
// first, then those of the tables.
func (d *draft) equations() ([]float64, int) {
	D, m := len(d.to), len(d.to)
	var groups [][]int
	for _, t := range d.tables {
		groups = append(groups, t.groups...)
	}
	m += len(groups)
	a, width := make([]float64, (m+1)*(m+1)), m+1
	set := func(i, j int, v float64) { a[i*width+j], a[j*width+i] = v, v }
	for i := range D {
		copy(a[i*width:], d.own[i*D:(i+1)*D])
		set(i, m, d.to[i])
	}
	for g, group := range groups {
		for i := range D {
			set(D+g, i, sumAt(d.cross[i*d.size:], group))
		}
		for h := range g + 1 {
			set(D+g, D+h, d.product(group, groups[h]))
		}
		set(D+g, m, sumAt(d.right, group))
	}
	a[m*width+m] = d.yy
	return a, width
}

// product returns the product of sums of functions.
func (b *basis) product(g, h []int) (sum float64) {
	for _, i := range g {
		sum += sumAt(b.gram[i*b.size:], h)
	}
	return sum
}

func sumAt(v []float64, at []int) (sum float64) {
	for _, i := range at {
		sum += v[i]
	}
	return sum
}

// sweep sweeps a symmetric matrix [n][n] by pivot k (Goodnight 1979): of the matrix of normal equations with the target last, those
// swept are in the model; their last column are the weights, their diagonal the negative inverse, and the corner is the penalised sum
// of squared errors. To sweep again takes the unknown out. An unknown that others determine stays out.
func sweep(a []float64, n, k int) {
	d := a[k*n+k]
	if d == 0 {
		return
	}
	row := make([]float64, n)
	copy(row, a[k*n:(k+1)*n])
	sign := 1.0
	if d < 0 {
		sign = -1
	}
	for i, v := range row {
		if v == 0 || i == k {
			continue
		}
		v /= d
		subtract(a[i*n:(i+1)*n], v, row)
	}
	for i, v := range row {
		v = float64(sign*v) / d
		a[k*n+i], a[i*n+k] = v, v
	}
	a[k*n+k] = -1 / d
}

// subtract subtracts v times x [n] from a.
func subtract(a []float64, v float64, x []float64) {
	for ; len(x) >= 4; a, x = a[4:], x[4:] { // in WebAssembly a turn of a loop costs as much as a product
		to, from := a[:4], x[:4]
		to[0] -= float64(v * from[0])
		to[1] -= float64(v * from[1])
		to[2] -= float64(v * from[2])
		to[3] -= float64(v * from[3])
	}
	for i, u := range x {
		a[i] -= float64(v * u)
	}
}

// solved is a draft's solution.
type solved struct {
	*draft
	a     []float64 // [width][width] swept
	width int
}

// solve fits all numbers of the draft to the target.
func (d *draft) solve() *solved {
	a, width := d.equations()
	for k := range width - 1 {
		sweep(a, width, k)
	}
	return &solved{d, a, width}
}

// weights returns a copy of the weights of the unknowns, with the signs of their columns; those that are not in the model are zero.
func (s *solved) weights() []float64 {
	w := make([]float64, s.width-1)
	for k := range w {
		if s.a[k*s.width+k] < 0 {
			w[k] = s.a[k*s.width+s.width-1]
		}
	}
	if signs := s.signs(); signs != nil && !s.satisfied(w, signs) {
		return s.boundWeights(w, signs)
	}
	return w
}

// place is where the unknowns of table t begin.
func (d *draft) place(t int) int {
	at := len(d.to)
	for _, u := range d.tables[:t] {
		at += len(u.groups)
	}
	return at
}

// points returns the values of table t at the points of its part, for the weights of all unknowns.
func (d *draft) points(t int, w []float64) []float64 {
	at, p := d.place(t), &d.parts[d.tables[t].part]
	of := make([]float64, p.size)
	for g, group := range d.tables[t].groups {
		for _, i := range group {
			of[i-p.first] = w[at+g]
		}
	}
	return p.values(of)
}

// tableSum returns the sum of the tables of each row, less its mean.
func (d *draft) tableSum(w []float64) []float64 {
	sum := make([]float64, d.f.n)
	for t, table := range d.tables {
		v, p := d.points(t, w), &d.parts[table.part]
		for i := range sum {
			sum[i] += p.value(v, i)
		}
	}
	mean := numeric.WeightedMean(sum, d.f.weight)
	for i := range sum {
		sum[i] -= mean
	}
	return sum
}
