package pages

import (
	"context"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// The limits of factors.
const (
	leastFactor  = 0.02
	mostFactor   = 20
	factorTables = 2     // and small ones
	mostRules    = 400   // that a page compiles to: its rules times the entries of all tables
	mostTurns    = 30    // of the fit of rules and factors
	settled      = 0.998 // of the squared error, which a turn is to leave less of
	towardsOne   = 2e-3  // penalty of what entries differ from one by
	promising    = 0.97  // of the error with summands, which factors must be below around a line
	rowsToJudge  = 4000  // of which this is asked
)

// factored is the target of pages whose tables are factors: the value of a row is g F, g being that of its rule and F the product of its
// factors F_t, which are positive, and of mean one over the rows.
//
// Near g' and F', with u_t = F_t/c_t, c_t being the first entry, or that of all other levels, and c the product of all c_t,
//
//	y/F' + sum_t g' (1 - 1/u'_t) = g c/c' + sum_t g'/u'_t (u_t - 1)
//
// with weights F'^2 is the least squares problem of tables that are summands, with functions times g'/u'_t. So trees, terms, knots and
// groups are found, and taken out, as those of summands.
type factored struct {
	f      *frame    // with the weights of the samples
	y      []float64 // [n] of mean zero and variance one
	offset float64   // what is added to y: the mean of the target in standard deviations; g is more by it, too
}

// promisesFactors reports whether factors around a line err less than summands by enough that pages of them are worth a search.
func (s Samples) promisesFactors(o Options) bool {
	if !o.factors {
		return false
	}
	if n := len(s.Y); n > rowsToJudge {
		rows := make([]int, rowsToJudge)
		for i, r := range sample(n, rowsToJudge) {
			rows[i] = int(r)
		}
		s = s.at(rows)
	}
	f := newFrame(s)
	y, mean, sd := scaled(s.Y, s.Weight)
	d, v := f.start(y, o), f.startFactors(y, mean/sd, o)
	d.tabulate(factorTables)
	return v.tabulated(factorTables).error() < promising*d.solve().version(0).error()
}

// startFactors returns the version without factors that the first are added to.
func (f *frame) startFactors(y []float64, offset float64, o Options) *version {
	d := f.start(y, o)
	return (&factored{f: f, y: y, offset: offset}).version(d.parts, d.tree, nil, nil)
}

// growFactors is grow of pages whose tables are factors.
func growFactors(ctx context.Context, f *frame, y []float64, offset float64, o Options) ([][]*draft, error) {
	out := make([][]*draft, factorTables+1)
	var err error
	out[factorTables], err = f.startFactors(y, offset, o).around(ctx, factorTables, o)
	return out, err
}

// version returns a version with all terms of the tree and factors near values, fitted.
func (x *factored) version(parts []part, t tree, tables []table, values [][]float64) *version {
	b := &basis{f: x.f, y: x.y, parts: parts, factored: x}
	b.total = numeric.WeightSum(x.f.weight, x.f.n)
	v := &version{draft: b.newDraft(t, nil)}
	for _, of := range values {
		v.factors = append(v.factors, slices.Clone(of))
	}
	v.tables = tables
	unknowns := v.first[len(t)]
	for _, table := range tables {
		unknowns += len(table.groups)
	}
	v.in = slices.Repeat([]bool{true}, unknowns)
	v.w = make([]float64, unknowns)
	v.fit()
	return v
}

// around grows trees around so many factors, and small ones, as those of summands.
func (v *version) around(ctx context.Context, tables int, o Options) ([]*draft, error) {
	few := o
	few.Rules = min(startRules, o.Rules)
	v = v.tabulated(tables)
	trees, err := v.trees(ctx, few)
	if err != nil {
		return nil, err
	}
	v = v.factored.version(v.parts, trees[len(trees)-1], v.tables, v.factors)
	v = v.recut(v.tabled())
	if q := v.tabulated(tables); q.error() < v.error() {
		v = q
	}
	if trees, err = v.trees(ctx, o); err != nil {
		return nil, err
	}
	var out []*draft
	for _, t := range trees {
		q := v.factored.version(v.parts, t, v.tables, v.factors)
		out = append(out, q.recut(q.tabled()).linear(q.tabled()))
	}
	return out, nil
}

// tabulated returns the version with so many factors, and small ones, instead of its own, of which those remain that its conditions are
// bound to. Columns with a sign have no factors, which may multiply values below zero.
func (v *version) tabulated(tables int) *version {
	var uses []int
	var kept []table
	var values [][]float64
	for k := range v.parts {
		if !v.bound(table{part: k}) && v.f.columns[v.parts[k].column].Sign == 0 {
			uses = append(uses, k)
		}
	}
	product := startRules
	for t, table := range v.tables {
		if v.bound(table) {
			kept, values = append(kept, table), append(values, v.factors[t])
			uses, product = append(uses, table.part), product*table.entries()
		}
	}
	v = v.factored.version(v.parts, v.tree, kept, values)
	for k := len(kept); k < tables+smallTables && 2*product <= mostRules; k++ {
		d := v.linear(uses)
		entries, least := min(mostEntries, mostRules/product), 0.0
		if k >= tables {
			entries, least = 2, smallGain
		}
		if !d.reduce().add(entries, least) {
			if k >= tables {
				break
			}
			continue
		}
		v = d.solve().version(0)
		product *= v.tables[len(v.tables)-1].entries()
	}
	return v.recut(uses)
}

// bound reports whether a condition is on the column of a table of numbers: it then has its borders at knots of this.
func (d *draft) bound(t table) bool {
	p := &d.parts[t.part]
	return d.factored != nil && p.knots != nil && slices.ContainsFunc(d.tree, func(l leaf) bool {
		return slices.ContainsFunc(l.path, func(s side) bool { return s.column == p.column })
	})
}

// recut returns the version with its factors cut again, if they are better then.
func (v *version) recut(uses []int) *version {
	d := v.linear(uses)
	d.reduce().recut()
	if q := d.solve().version(0); q.error() < v.error() {
		return q
	}
	return v
}

// tabled returns the parts that have a table.
func (d *draft) tabled() (uses []int) {
	for _, t := range d.tables {
		uses = append(uses, t.part)
	}
	return uses
}

// trees returns the trees of the target over the factors, with borders at the knots alone of columns that have some.
func (v *version) trees(ctx context.Context, o Options) ([]tree, error) {
	b := v.over(v.factor(-1))
	for t := range v.tables {
		p := &v.parts[v.tables[t].part]
		if p.knots == nil {
			continue
		}
		c := &b.f.columns[p.column]
		c.closed = slices.Repeat([]bool{true}, len(c.borders))
		for _, k := range v.knots(t) {
			if i, found := slices.BinarySearch(c.borders, p.knots[k]); found {
				c.closed[i] = false
			}
		}
	}
	return b.f.trees(ctx, b.y, o)
}

// knots returns the points of the knots of factor t.
func (v *version) knots(t int) []int {
	at, groups, p := v.place(t), v.tables[t].groups, &v.parts[v.tables[t].part]
	knots := []int{0, len(p.knots) - 1}
	for g, group := range groups[1:] {
		if v.in[at+1+g] {
			knots = append(knots, group[0]-p.first)
		}
	}
	slices.Sort(knots)
	return knots
}

// over returns a basis without functions of the target over factors [n].
func (x *factored) over(factor []float64) *basis {
	f := *x.f
	f.weight, f.columns = make([]float64, f.n), slices.Clone(f.columns)
	b := &basis{f: &f, y: make([]float64, f.n)}
	sum, total := 0.0, 0.0
	for i, v := range factor {
		f.weight[i] = float64(x.f.weight[i] * float64(v*v))
		total += x.f.weight[i]
		sum += f.weight[i]
	}
	for i, v := range factor {
		f.weight[i] *= total / sum
		b.y[i] = (x.y[i]+x.offset)/v - x.offset
	}
	b.total = total
	return b
}

// linear returns the draft that is linear near v, with the products of some parts.
func (v *version) linear(uses []int) *draft {
	x := v.factored
	b := x.over(v.factor(-1))
	b.factored, b.parts, b.size = x, slices.Clone(v.parts), 0
	g := v.rule()
	for k := range b.parts {
		b.parts[k].times = g
		b.size += b.parts[k].size
	}
	for t := range v.tables {
		p, first := &b.parts[v.tables[t].part], v.factors[t][v.others(t)]
		times := make([]float64, len(g))
		for i := range times {
			times[i] = g[i] * first / p.value(v.factors[t], i)
			b.y[i] += g[i] - times[i]
		}
		p.times = times
	}
	for i, y := range b.y {
		b.yy += float64(b.f.weight[i] * float64(y*y))
	}
	b.multiply(uses)
	d := b.newDraft(v.tree, uses)
	d.tables = v.tables
	return d
}

// others returns the point of factor t that the others are relative to: the first knot, or a level that is in no group.
func (v *version) others(t int) int {
	p, grouped := &v.parts[v.tables[t].part], slices.Concat(v.tables[t].groups...)
	for k := range p.size {
		if p.knots != nil || !slices.Contains(grouped, p.first+k) {
			return k
		}
	}
	return 0
}

// withFactors returns the version with the factors of the linear draft that it is of, fitted.
func (v *version) withFactors() *version {
	d, b := *v.draft, *v.basis
	for t := range v.tables {
		values := v.points(t, v.w)
		for k := range values {
			values[k] = min(max(1+values[k], leastFactor), mostFactor)
		}
		v.factors = append(v.factors, values)
	}
	b.f, b.y = v.factored.f, v.factored.y
	d.basis, v.draft = &b, &d
	v.fit()
	return v
}

// borders reports whether a condition has a border at the knot that unknown k of table t is of.
func (d *draft) borders(t, k int) bool {
	p := &d.parts[d.tables[t].part]
	if !d.bound(d.tables[t]) {
		return false
	}
	c, knot := &d.f.columns[p.column], p.knots[d.tables[t].groups[k-d.place(t)][0]-p.first]
	return slices.ContainsFunc(d.tree, func(l leaf) bool {
		return slices.ContainsFunc(l.path, func(s side) bool {
			return s.column == p.column && c.borders[slices.Index(s.bins, !s.bins[0])-1] == knot
		})
	})
}
