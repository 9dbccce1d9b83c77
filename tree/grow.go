package tree

import (
	"cmp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/parallel"
	"github.com/tskgraph/tskgraph/internal/weighted"
)

// maxVariables is the number of variables whose splits are examined with full planes. Of
// more, those are examined that explain most of the residuals of the leaf's plane, each by
// itself with two lines.
const maxVariables = 12

// grower grows a tree.
type grower struct {
	s         Samples
	rows      []int     // in use
	M, width  int       // width is that of the design: 1, z [M], y
	design    []float64 // [N, width]; only the rows in use are set
	variables []variable
	least     int // samples of a leaf
}

func newGrower(s Samples) *grower {
	if s.Z == nil {
		s.Z = s.X
	}
	g := &grower{s: s, M: len(s.X[0]), rows: spaced(len(s.X), maxRows)}
	g.width = g.M + 2
	g.design = make([]float64, len(s.X)*g.width)
	for _, n := range g.rows {
		row := append(g.design[n*g.width:n*g.width], 1)
		row = append(row, s.Z[n][:g.M]...)
		_ = append(row, s.Y[n])
	}
	inCategory := map[int]bool{}
	for _, c := range s.Categories {
		for _, m := range c {
			inCategory[m] = true
		}
	}
	for m := range g.M {
		if !inCategory[m] {
			g.variables = append(g.variables, variable{m})
		}
	}
	for _, c := range s.Categories {
		g.variables = append(g.variables, c)
	}
	return g
}

func (g *grower) row(n int) []float64 { return g.design[n*g.width : (n+1)*g.width] }

// fit computes the plane and the best split of a leaf.
func (g *grower) fit(leaf *node) {
	squares, ok := g.fitPlane(leaf)
	if len(leaf.rows) < 2*g.least || !ok {
		return
	}
	variables := g.screened(leaf)
	found := make([]split, len(variables))
	parallel.Each(len(found), func(i int) {
		found[i] = g.search(variables[i], leaf.rows, g.width, g.row, squares)
	})
	for _, s := range found {
		if s.gain > leaf.best.gain {
			leaf.best = s
		}
	}
	if by := leaf.best.by; by != nil && !by.category() {
		leaf.best.sd = sdOf(g.s, leaf.rows, by[0])
	}
}

// fitPlane computes the plane of a leaf and the error that it minimises. Without a finite
// solution the plane is zero.
func (g *grower) fitPlane(leaf *node) (squares float64, ok bool) {
	all := newMoments(g.width)
	for _, n := range leaf.rows {
		all.add(g.row(n), weighted.At(g.s.Weight, n))
	}
	leaf.plane, squares, ok = all.plane(newMoments(g.width), g.width)
	if !ok {
		leaf.plane = make([]float64, g.M+1)
	}
	return squares, ok
}

// residual returns the error of a plane at a sample.
func (g *grower) residual(plane []float64, n int) float64 {
	row := g.row(n)
	e := row[g.M+1]
	for a, w := range plane {
		e -= float64(w * row[a])
	}
	return e
}

// screened returns the variables whose splits of a leaf are examined.
func (g *grower) screened(leaf *node) []variable {
	if len(g.variables) <= maxVariables {
		return g.variables
	}
	residuals, squares := make([]float64, len(g.s.X)), 0.0
	for _, n := range leaf.rows {
		residuals[n] = g.residual(leaf.plane, n)
		squares += float64(weighted.At(g.s.Weight, n) * (residuals[n] * residuals[n]))
	}
	gains := make([]float64, len(g.variables))
	parallel.Each(len(gains), func(i int) {
		v, line := g.variables[i], make([]float64, 3)
		row := func(n int) []float64 {
			line[0], line[1], line[2] = 1, g.s.Z[n][v[0]], residuals[n]
			return line
		}
		gains[i] = g.search(v, leaf.rows, len(line), row, squares).gain
	})
	order := make([]int, len(gains))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gains[b], gains[a]) })
	order = slices.Sorted(slices.Values(order[:maxVariables]))
	some := make([]variable, len(order))
	for i, at := range order {
		some[i] = g.variables[at]
	}
	return some
}

// search returns the best split of a leaf by a variable: that after which two planes in
// the columns of a design of the given width have the least error. squares is the error
// of one plane.
func (g *grower) search(v variable, rows []int, width int, row func(n int) []float64, squares float64) split {
	order, levels := g.ordered(v, rows)
	at := cuts(order, g.least)
	best := split{by: v}
	if len(at) == 0 {
		return best
	}
	bins := make([]moments, len(at)+1)
	for i := range bins {
		from, to := 0, len(order)
		if i > 0 {
			from = at[i-1]
		}
		if i < len(at) {
			to = at[i]
		}
		bins[i] = newMoments(width)
		for _, k := range order[from:to] {
			bins[i].add(row(k.row), weighted.At(g.s.Weight, k.row))
		}
	}
	above := make([]moments, len(bins)) // above[i] has the bins from i
	sum := newMoments(width)
	for i := len(bins) - 1; i > 0; i-- {
		sum.plus(bins[i])
		above[i] = slices.Clone(sum)
	}
	below, factor := newMoments(width), newMoments(width)
	for i, k := range at {
		below.plus(bins[i])
		_, first, ok1 := below.plane(factor, width)
		_, second, ok2 := above[i+1].plane(factor, width)
		if gain := squares - first - second; ok1 && ok2 && gain > best.gain {
			best.gain, best.threshold = gain, between(order[k-1].value, order[k].value)
			if levels != nil {
				best.above = levels[int(order[k].value)-1:]
			}
		}
	}
	return best
}

// divide makes a leaf an inner node.
func (g *grower) divide(leaf *node) {
	side := func(above bool) *node {
		other := func(i int) bool { return leaf.best.isAbove(g.s.X[i]) != above }
		n := &node{
			rows: slices.DeleteFunc(slices.Clone(leaf.rows), other), held: slices.DeleteFunc(slices.Clone(leaf.held), other),
			conditions: append(slices.Clone(leaf.conditions), condition{leaf.best, above}),
		}
		g.fit(n)
		return n
	}
	leaf.below, leaf.above = side(false), side(true)
}

// prune removes the splits at and below a node that do not lower the error on the held-out
// samples, fits the planes of the leaves left to all samples, and returns the error.
func (g *grower) prune(n *node) (squares float64) {
	for _, i := range n.held {
		e := g.residual(n.plane, i)
		squares += float64(weighted.At(g.s.Weight, i) * (e * e))
	}
	if n.below != nil {
		if divided := g.prune(n.below) + g.prune(n.above); divided < squares {
			return divided
		}
		n.below, n.above = nil, nil
	}
	n.rows = append(n.rows, n.held...)
	g.fitPlane(n)
	return squares
}
