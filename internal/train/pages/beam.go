package pages

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

const (
	beamWidth   = 4    // trees of one size that grow on
	mostSplits  = 3    // of a leaf that trees grow by
	mostChecked = 4    // splits of the best scores that are fitted with all terms
	tolerance   = 1.02 // splits whose score is up to this part of the criterion to beat are fitted
	rowsToSplit = 8000 // rows that splits are searched on
	rowsToFit   = 4000 // rows that the terms of a leaf are selected on
)

// search is a beam search over trees. Its nodes are shared by all trees that they are in.
type search struct {
	f       *frame
	m       *matrix
	codes   [][]uint8 // [columns][rows of m]
	whole   []int     // terms without a cap
	least   float64   // weight of the rows of a leaf
	most    int       // columns in the conditions of a leaf
	scratch sync.Pool
	nodes   int // that have a number
}

// node is a node of trees.
type node struct {
	number int // by the order of creation, from 1 on; 0: none yet
	parent *node
	side   side
	rows   []int32 // of the matrix
	fit    fit
	kids   []*branch
	splits []*branch // the best, ascending by value
	open   bool      // whether splits are found
}

// branch is a node divided.
type branch struct {
	split
	children  [2]*node
	criterion float64 // sum of those of the children
}

// grown is a tree: its leaves, by numbers.
type grown struct {
	leaves []*node
	value  float64
}

func leastRows(n float64) float64 { return max(20, 0.02*n, min(0.08*n, 60)) }

func (f *frame) newSearch(y []float64, o Options) *search {
	s := &search{f: f, m: f.matrix(y, sample(f.n, rowsToSplit), f.n, o.Terms), least: leastRows(float64(f.n)), most: o.Conditions}
	if o.means != nil {
		for _, row := range s.m.rows {
			s.m.means = append(s.m.means, o.means[row])
		}
	}
	for k, t := range f.terms {
		if t.capped == [2]bool{} {
			s.whole = append(s.whole, k)
		}
	}
	s.scratch.New = func() any { return &scratch{} }
	for _, c := range f.columns {
		codes := c.codes
		if len(s.m.rows) < f.n {
			codes = make([]uint8, len(s.m.rows))
			for i, row := range s.m.rows {
				codes[i] = c.codes[row]
			}
		}
		s.codes = append(s.codes, codes)
	}
	return s
}

// with calls do with working memory.
func (s *search) with(do func(w *scratch)) {
	w := s.scratch.Get().(*scratch)
	do(w)
	s.scratch.Put(w)
}

// path returns the sides from the root to n.
func (n *node) path() []side {
	if n.parent == nil {
		return nil
	}
	return append(n.parent.path(), n.side)
}

// columns returns the columns of the conditions of n.
func (n *node) columns() (columns []int) {
	for ; n.parent != nil; n = n.parent {
		if !slices.Contains(columns, n.side.column) {
			columns = append(columns, n.side.column)
		}
	}
	return columns
}

// branch divides n, or finds the branch that did.
func (s *search) branch(n *node, p split) *branch {
	for _, b := range n.kids {
		if b.column == p.column && slices.Equal(b.bins, p.bins) {
			return b
		}
	}
	b := &branch{split: p}
	var rows [2][]int32
	codes := s.codes[p.column]
	for _, row := range n.rows {
		if p.bins[codes[row]] {
			rows[0] = append(rows[0], row)
		} else {
			rows[1] = append(rows[1], row)
		}
	}
	for k := range b.children {
		c := &node{parent: n, side: side{p.column, p.bins, k == 1}, rows: rows[k]}
		s.with(func(w *scratch) { c.fit = s.m.fit(w, c.rows, c.columns()) })
		b.children[k] = c
		b.criterion += c.fit.criterion
	}
	b.value = b.criterion - b.separation(s.m)
	n.kids = append(n.kids, b)
	return b
}

// expand finds the best splits of n.
func (s *search) expand(n *node) {
	n.open = true
	used := n.columns()
	allowed := func(c int) bool {
		return !s.f.columns[c].NoIf && (len(used) < s.most && s.f.meet(append(slices.Clip(used), c)...) || slices.Contains(used, c))
	}
	r := s.residuals(n)
	if r.total < 2*s.least {
		return
	}
	splits := s.byColumn(n, r, allowed)
	for i := range splits {
		if i < mostChecked && splits[i].value < n.fit.criterion*tolerance {
			if b := s.branch(n, splits[i]); b.criterion < n.fit.criterion && s.enough(b) {
				n.splits = append(n.splits, b)
			}
		}
	}
	slices.SortStableFunc(n.splits, func(a, b *branch) int { return cmp.Compare(a.value, b.value) })
	n.splits = n.splits[:min(len(n.splits), mostSplits)]
}

// enough reports whether both children have enough rows: these may weigh much.
func (s *search) enough(b *branch) bool {
	rows := min(len(b.children[0].rows), len(b.children[1].rows))
	return float64(2*rows*s.f.n) >= s.least*float64(len(s.m.rows))
}

// byColumn returns the best split of each column, and a second one of the best column, by their scores.
func (s *search) byColumn(n *node, r *residuals, allowed func(c int) bool) []split {
	found := make([][]split, len(s.f.columns))
	parallel.Each(len(found), func(j int) {
		if c := &s.f.columns[j]; c.bins > 1 && allowed(j) {
			s.with(func(w *scratch) {
				terms, different := s.scoringTerms(n, r.interactions(s, j), j)
				found[j] = s.m.scores(w, s.m.view(w, n.rows, terms), c, j, s.codes[j], s.least, different)
			})
		}
	})
	var splits []split
	best, second := math.Inf(1), -1
	for j, of := range found {
		if len(of) > 0 {
			if splits = append(splits, of[0]); of[0].value < best {
				best, second = of[0].value, j
			}
		}
	}
	if second >= 0 && len(found[second]) > 1 {
		splits = append(splits, found[second][1])
	}
	slices.SortStableFunc(splits, func(a, b split) int { return cmp.Compare(a.value, b.value) })
	return splits
}

// number numbers the children of branches, in the order of the calls.
func (s *search) number(b *branch) {
	for _, c := range b.children {
		if c.number == 0 {
			s.nodes++
			c.number = s.nodes
		}
	}
}

// replaced is the tree with the branch's leaves instead of leaf.
func (t grown) replaced(leaf *node, b *branch) grown {
	out := grown{value: t.value - leaf.fit.criterion + b.value}
	for _, l := range t.leaves {
		if l != leaf {
			out.leaves = append(out.leaves, l)
		}
	}
	out.leaves = append(out.leaves, b.children[0], b.children[1])
	slices.SortFunc(out.leaves, func(a, b *node) int { return a.number - b.number })
	return out
}

// grow returns the best trees that have a leaf more than those of the beam.
func (s *search) grow(beam []grown) (next []grown) {
	var closed []*node
	for _, t := range beam {
		for _, l := range t.leaves {
			if !l.open && !slices.Contains(closed, l) {
				closed = append(closed, l)
			}
		}
	}
	parallel.Each(len(closed), func(i int) { s.expand(closed[i]) })
	for _, t := range beam {
		for _, l := range t.leaves {
			for _, b := range l.splits {
				s.number(b)
				tree := t.replaced(l, b)
				if !slices.ContainsFunc(next, func(o grown) bool { return slices.Equal(o.leaves, tree.leaves) }) {
					next = append(next, tree)
				}
			}
		}
	}
	slices.SortStableFunc(next, func(a, b grown) int { return cmp.Compare(a.value, b.value) })
	return next[:min(len(next), beamWidth)]
}

// trees finds the best trees of 1, 2, ... at most o.Rules leaves for the target y [n] of mean zero and variance one; there are fewer if
// no split helps. If ctx ends, the error is that of ctx.
func (f *frame) trees(ctx context.Context, y []float64, o Options) ([]tree, error) {
	s := f.newSearch(y, o)
	root := &node{rows: sample(len(s.m.rows), len(s.m.rows))}
	s.with(func(w *scratch) { root.fit = s.m.fit(w, root.rows, nil) })
	s.divide(root)
	beam := []grown{{leaves: []*node{root}, value: root.fit.criterion}}
	best := []grown{beam[0]}
	for len(best) < o.Rules {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if beam = s.grow(beam); len(beam) == 0 {
			break
		}
		best = append(best, beam[0])
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return s.finished(best, y), nil
}

// divide gives the root the split of rows of one same target as its only one, if there is one.
func (s *search) divide(root *node) {
	p := s.f.pure
	if p.bins == nil {
		return
	}
	if c := &s.f.columns[p.column]; c.closed != nil && c.closed[slices.Index(p.bins, false)-1] {
		return
	}
	if b := s.branch(root, p); s.enough(b) {
		root.open, root.splits = true, []*branch{b}
	}
}

// finished returns the trees with all rows, and the terms that these select. Trees share the rows of the leaves that they have in common.
func (s *search) finished(found []grown, y []float64) []tree {
	f := s.f
	trees, known := make([]tree, len(found)), map[*node]leaf{}
	for i, g := range found {
		t := make(tree, len(g.leaves))
		slices.SortFunc(g.leaves, inTree)
		for l, n := range g.leaves {
			t[l] = leaf{path: n.path(), terms: n.fit.terms}
		}
		rows := make([][]int32, len(t))
		for row, l := range f.leafOf(t) {
			rows[l] = append(rows[l], int32(row))
		}
		for l, n := range g.leaves {
			at, seen := known[n]
			if !seen {
				at = t[l]
				at.rows = slices.Clone(rows[l])
				if len(s.m.rows) < f.n {
					at.terms = f.selectTerms(y, at.rows, n.columns(), Options{Terms: s.m.most})
				}
				at.terms = f.acting(at.terms, at.rows)
				known[n] = at
			}
			t[l] = at
		}
		trees[i] = t
	}
	return trees
}

// leastActing is the number of rows of a leaf, on either side, that a term must tell apart from its least, and from its largest value.
const leastActing = 5

// acting returns the terms whose slope more than a few of the rows tell.
func (f *frame) acting(terms []int, rows []int32) []int {
	out, z := []int{}, []float64(nil)
	for _, k := range terms {
		z = f.standardised(z, k, rows)
		low, high := slices.Min(z), slices.Max(z)
		above, below := 0, 0
		for _, v := range z {
			if v > low {
				above++
			}
			if v < high {
				below++
			}
		}
		if min(above, below) >= leastActing {
			out = append(out, k)
		}
	}
	return out
}

// inTree compares leaves of a tree by their places from left to right.
func inTree(a, b *node) int {
	p, q := a.path(), b.path()
	for i := range min(len(p), len(q)) {
		if p[i].right != q[i].right {
			if q[i].right {
				return -1
			}
			return 1
		}
	}
	return 0
}

// selectTerms selects at most o.Terms terms of a leaf with these rows and conditions on the columns of path, forwards, the most useful
// first.
func (f *frame) selectTerms(y []float64, rows []int32, path []int, o Options) []int {
	some := make([]int32, 0, min(len(rows), rowsToFit))
	for _, i := range sample(len(rows), rowsToFit) {
		some = append(some, rows[i])
	}
	m := f.matrix(y, some, len(rows), o.Terms)
	return m.fit(m.scratch(), sample(len(some), len(some)), path).terms
}
