package pages

import (
	"context"
)

// The limits of what a page starts with.
const (
	mostTables  = 3
	smallTables = 3 // of two entries
	startTerms  = 6 // of the line that the first tables are added to
	startRules  = 4 // of the tree that the tables are cut for, before the last search
)

// anyTables asks grow for all numbers of tables.
const anyTables = -1

// grow returns the drafts of all sizes: of each number of tables, from none, those of 1, 2, ... rules; or of one number of tables, or
// the next smaller one that there is, alone.
func grow(ctx context.Context, f *frame, y []float64, o Options, tables int) ([][]*draft, error) {
	line := f.start(y, o)
	var out [][]*draft
	if tables <= 0 {
		trees, err := f.trees(ctx, y, o)
		if err != nil {
			return nil, err
		}
		out = [][]*draft{nil}
		for _, t := range trees {
			out[0] = append(out[0], line.newDraft(t, nil))
		}
		if o.first != nil {
			o.first(out[0])
		}
	}
	for n := 1; n <= min(mostTables, len(line.parts)) && tables != 0; n++ {
		if tables > n {
			continue
		}
		drafts, err := line.around(ctx, n, o)
		if err != nil {
			return nil, err
		}
		if out = append(out, drafts); tables == n {
			break
		}
	}
	if out == nil { // there are fewer columns
		return grow(ctx, f, y, o, max(0, tables-1))
	}
	return out, nil
}

// start returns the draft of one leaf that the first tables are added to.
func (f *frame) start(y []float64, o Options) *draft {
	o.Terms = startTerms
	all := sample(f.n, f.n)
	line := tree{{rows: all, terms: f.selectTerms(y, all, nil, o)}}
	b := newBasis(f, y, residual(f, y, line))
	return b.newDraft(line, b.all())
}

// residual returns the errors of a tree's fit to y.
func residual(f *frame, y []float64, t tree) []float64 {
	b := &basis{f: f, y: y, total: float64(f.n)}
	v := b.newDraft(t, nil).solve().version(0)
	e := v.predict(f, nil, v.leafs())
	for i := range e {
		e[i] = y[i] - e[i]
	}
	return e
}

// around grows trees around so many tables, and small ones: those of d first, then those of a tree around them.
func (d *draft) around(ctx context.Context, tables int, o Options) ([]*draft, error) {
	few := o
	few.Rules = min(startRules, o.Rules)
	d.tabulate(tables)
	trees, err := d.without(ctx, few)
	if err != nil {
		return nil, err
	}
	d = d.newDraft(trees[len(trees)-1], d.uses)
	d.tabulate(tables)
	if trees, err = d.without(ctx, o); err != nil {
		return nil, err
	}
	var out []*draft
	for _, t := range trees {
		out = append(out, d.fitted(t))
	}
	return out, nil
}

// tabulate gives the draft so many tables, and small ones.
func (d *draft) tabulate(tables int) {
	d.tables = nil
	r := d.reduce()
	for range tables {
		r.add(mostEntries, 0)
	}
	for range smallTables {
		if !r.add(2, smallGain) {
			break
		}
	}
	r.recut()
}

// without returns the trees of the target less the tables.
func (d *draft) without(ctx context.Context, o Options) ([]tree, error) {
	e := d.tableSum(d.solve().weights())
	for i, v := range e {
		e[i] = d.y[i] - v
	}
	return d.f.trees(ctx, e, o)
}

// fitted returns a draft of the tree with the tables of d, cut again.
func (d *draft) fitted(t tree) *draft {
	var uses []int
	for _, table := range d.tables {
		uses = append(uses, table.part)
	}
	to := d.newDraft(t, uses)
	to.tables = d.tables
	to.reduce().recut()
	return to
}
