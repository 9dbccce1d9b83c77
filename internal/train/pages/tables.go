package pages

import (
	"cmp"
	"math"
	"slices"
)

// The limits of tables.
const (
	mostEntries = 6
	mostGroups  = 12   // levels that a table of a category names
	enough      = 0.95 // part of the gain of mostEntries that fewer must have
	rowsBetween = 0.05 // part of the rows, half of which an inner entry must decide
	smallGain   = 0.01 // part of the squared error that a small table must take
)

// reduced are the normal equations of the basis, without what the leaves of a draft explain.
type reduced struct {
	*draft
	gram  []float64 // [size][size]
	right []float64 // [size]
	sse   float64
	least float64 // weight of rows on either side of a knot, or of a group
}

// reduce eliminates the constants and terms of the leaves from the equations of the functions.
func (d *draft) reduce() *reduced {
	r := &reduced{draft: d, gram: slices.Clone(d.basis.gram), right: slices.Clone(d.basis.right), sse: d.yy}
	r.least = max(20, 0.02*d.total)
	var functions []int
	for _, k := range d.uses {
		for i := range d.parts[k].size {
			functions = append(functions, d.parts[k].first+i)
		}
	}
	D, m := len(d.to), len(functions)
	for l := range d.tree {
		first, size := d.first[l], d.first[l+1]-d.first[l]
		width := size + m + 1
		rows := make([]float64, size*width) // of each unknown of the leaf: its products with those of the leaf, the functions, the target
		for a := range size {
			row := rows[a*width:]
			copy(row, d.own[(first+a)*D+first:][:size])
			for i, f := range functions {
				row[size+i] = d.cross[(first+a)*d.size+f]
			}
			row[size+m] = d.to[first+a]
		}
		for a := range size { // Cholesky's factorisation, with the functions and the target as more columns
			pivot := rows[a*width:][:width]
			root := math.Sqrt(pivot[a])
			for j := a; j < width; j++ {
				pivot[j] /= root
			}
			for b := a + 1; b < size; b++ {
				f := pivot[b]
				for j := b; j < width; j++ {
					rows[b*width+j] -= float64(f * pivot[j])
				}
			}
			r.subtract(functions, pivot[size:])
		}
	}
	for i, f := range functions {
		for _, g := range functions[:i] {
			r.gram[g*d.size+f] = r.gram[f*d.size+g]
		}
	}
	return r
}

// subtract subtracts the outer product of the values of functions and the target, the last one, below the diagonal.
func (r *reduced) subtract(functions []int, values []float64) {
	target := values[len(functions)]
	for i, f := range functions {
		v, row := values[i], r.gram[f*r.size:]
		r.right[f] -= float64(v * target)
		if v == 0 {
			continue
		}
		for j, g := range functions[:i+1] {
			row[g] -= float64(v * values[j])
		}
	}
	r.sse -= float64(target * target)
}

// partial returns the matrix [size+1][size+1] of the equations of part k, with the target last, without what the tables explain, and the
// squared error left.
func (r *reduced) partial(k int, tables []table) []float64 {
	p, D := &r.parts[k], r.size
	var groups [][]int
	for _, t := range tables {
		groups = append(groups, t.groups...)
	}
	m := len(groups)
	width := m + p.size + 1
	rows := make([]float64, (m+1)*width)
	for a, g := range groups {
		row := rows[a*width:]
		for b, h := range groups {
			for _, i := range g {
				row[b] += sumAt(r.gram[i*D:], h)
			}
		}
		for _, i := range g {
			for j := range p.size {
				row[m+j] += r.gram[i*D+p.first+j]
			}
		}
		row[m+p.size] = sumAt(r.right, g)
	}
	n := p.size + 1
	out := make([]float64, n*n)
	for i := range p.size {
		copy(out[i*n:], r.gram[(p.first+i)*D+p.first:][:p.size])
		out[i*n+p.size], out[p.size*n+i] = r.right[p.first+i], r.right[p.first+i]
	}
	out[n*n-1] = r.sse
	for a := range m {
		pivot := rows[a*width:][:width]
		if pivot[a] <= 0 {
			continue
		}
		root := math.Sqrt(pivot[a])
		for j := a; j < width; j++ {
			pivot[j] /= root
		}
		for b := a + 1; b < m; b++ {
			f := pivot[b]
			for j := b; j < width; j++ {
				rows[b*width+j] -= float64(f * pivot[j])
			}
		}
		for i, v := range pivot[m:] {
			for j, u := range pivot[m:] {
				out[i*n+j] -= float64(v * u)
			}
		}
	}
	return out
}

// best returns the table of part k that takes most of the squared error left by tables, with at most so many entries, and how much; no
// groups if none does.
func (r *reduced) best(k int, tables []table, entries int) (table, float64) {
	a := r.partial(k, tables)
	if r.parts[k].knots == nil {
		return r.grouped(k, a, entries)
	}
	return r.bent(k, a, entries)
}

// grouped divides the levels, ordered by what is left of the target, into groups.
func (r *reduced) grouped(k int, a []float64, entries int) (table, float64) {
	p := &r.parts[k]
	n := p.size + 1
	var order []int
	mean := make([]float64, p.size)
	for i, c := range p.count {
		if c > 0 {
			order = append(order, i)
			mean[i] = a[i*n+p.size] / (r.squares(i, p) + 5)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(mean[i], mean[j]) })
	var found []table
	var gains []float64
	for e := 2; e <= min(entries, len(order)); e++ {
		t := table{part: k, groups: r.divide(p, a, order, e)}
		if t.groups != nil {
			found, gains = append(found, t), append(gains, r.gain(p, a, t))
		}
	}
	return fewest(found, gains)
}

// squares returns the sum of the squares of the function of a level.
func (r *reduced) squares(level int, p *part) float64 {
	if p.times == nil {
		return p.count[level]
	}
	i := p.first + level
	return r.basis.gram[i*r.size+i]
}

// divide cuts the ordered levels into e groups of least squared error by dynamic programming, and returns all but the one of the most
// levels; nil if groups would be too small or name too many levels.
func (r *reduced) divide(p *part, a []float64, order []int, e int) [][]int {
	n, B := p.size+1, len(order)
	sum, count, squares := make([]float64, B+1), make([]float64, B+1), make([]float64, B+1)
	for i, b := range order {
		sum[i+1], count[i+1], squares[i+1] = sum[i]+a[b*n+p.size], count[i]+p.count[b], squares[i]+r.squares(b, p)
	}
	best, from := make([][]float64, e+1), make([][]int, e+1)
	for g := range best {
		best[g], from[g] = make([]float64, B+1), make([]int, B+1)
		for j := range best[g] {
			best[g][j] = math.Inf(-1)
		}
	}
	best[0][0] = 0
	for g := 1; g <= e; g++ {
		for j := 1; j <= B; j++ {
			for i := range j {
				s, c, q := sum[j]-sum[i], count[j]-count[i], squares[j]-squares[i]
				if v := best[g-1][i] + float64(s*s)/(q+float64(0.001*r.total)); c >= r.least && v > best[g][j] {
					best[g][j], from[g][j] = v, i
				}
			}
		}
	}
	if math.IsInf(best[e][B], -1) {
		return nil
	}
	var groups [][]int
	for g, j := e, B; g > 0; g-- {
		group := slices.Clone(order[from[g][j]:j])
		for i := range group {
			group[i] += p.first
		}
		slices.Sort(group)
		groups, j = append(groups, group), from[g][j]
	}
	others, named := 0, 0
	for i, g := range groups {
		// The last bin is of cells that are none of the levels: they cannot be named.
		last := p.first + p.size - 1
		if has := slices.Contains(g, last); has || len(g) > len(groups[others]) && !slices.Contains(groups[others], last) {
			others = i
		}
		named += len(g)
	}
	if named-len(groups[others]) > mostGroups {
		return nil
	}
	return slices.Delete(groups, others, others+1)
}

// gain returns how much of the squared error a table of a category takes.
func (r *reduced) gain(p *part, a []float64, t table) float64 {
	n, m := p.size+1, len(t.groups)
	small := make([]float64, (m+1)*(m+1))
	for g, group := range t.groups {
		for h, other := range t.groups {
			for _, i := range group {
				for _, j := range other {
					small[g*(m+1)+h] += a[(i-p.first)*n+j-p.first]
				}
			}
		}
		for _, i := range group {
			small[g*(m+1)+m] += a[(i-p.first)*n+p.size]
			small[m*(m+1)+g] += a[(i-p.first)*n+p.size]
		}
	}
	for k := range m {
		if small[k*(m+1)+k] <= 0 {
			return 0
		}
		sweep(small, m+1, k)
	}
	return -small[len(small)-1]
}

// add adds the table of a column without one that takes most of the squared error, and returns whether it takes at least this part of it.
func (r *reduced) add(entries int, least float64) bool {
	var best table
	most := 0.0
	for _, k := range r.uses {
		if !slices.ContainsFunc(r.tables, func(t table) bool { return t.part == k }) {
			if t, g := r.best(k, r.tables, entries); g > most {
				best, most = t, g
			}
		}
	}
	if most <= 0 || most < least*r.left() {
		return false
	}
	r.tables = append(slices.Clip(r.tables), best)
	return true
}

// left returns the squared error with the tables.
func (r *reduced) left() float64 {
	d := &draft{basis: &basis{gram: r.gram, right: r.right, size: r.size, yy: r.sse}, tables: r.tables}
	s := d.solve()
	return s.a[len(s.a)-1]
}

// recut cuts each table again, with the others as they are.
func (r *reduced) recut() {
	for i, t := range r.tables {
		if r.bound(t) {
			continue
		}
		others := slices.Delete(slices.Clone(r.tables), i, i+1)
		entries := mostEntries
		if t.entries() == 2 {
			entries = 2
		}
		if t, g := r.best(t.part, others, entries); g > 0 {
			r.tables = slices.Clone(r.tables)
			r.tables[i] = t
		}
	}
}
