package tree

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

// maxVariables is the number of variables whose splits are examined with full planes. Of
// more, those are examined that explain most of the residuals of the leaf's plane, each by
// itself with two lines.
const maxVariables = 12

// grower grows trees on the same samples.
type grower struct {
	s         Samples
	rows      []int // in use
	M         int
	variables []variable
	least     int // samples of a leaf
	merged    int // splits that were merged
	design
}

func newGrower(s Samples) *grower {
	if s.Z == nil {
		s.Z = s.X
	}
	g := &grower{s: s, M: len(s.X[0])}
	columns := min(len(s.sloped()), maxColumns)
	if s.Constant {
		columns = 0
	}
	g.rows = spaced(len(s.X), max(minRows, maxWork/(min(g.M, maxVariables)*len(newMoments(1+columns+s.outputs())))))
	g.design = newDesign(s, g.rows, columns)
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

// The growth is bounded: on more samples than the products of the design allow, maxWork,
// the tree grows on evenly spaced ones, at least minRows. Splits and planes of a handful of
// leaves do not need more.
const (
	maxWork = 50_000_000
	minRows = 1 << 12
)

// spaced returns at most limit of n row numbers, evenly spaced.
func spaced(n, limit int) []int {
	rows := make([]int, min(n, limit))
	for i := range rows {
		rows[i] = i * n / len(rows)
	}
	return rows
}

// grow grows a tree of at most R leaves, or returns the error of ctx.
func (g *grower) grow(ctx context.Context, R int) (*node, error) {
	g.least = max(leastRows, len(g.rows)/(4*R))
	root := &node{rows: g.rows}
	g.fit(ctx, root)
	for leaves := []*node{root}; len(leaves) < R && ctx.Err() == nil; {
		at := 0
		for i, leaf := range leaves {
			if leaf.best.gain > leaves[at].best.gain {
				at = i
			}
		}
		leaf := leaves[at]
		if leaf.best.gain == 0 {
			break
		}
		g.divide(ctx, leaf)
		leaves = slices.Replace(leaves, at, at+1, leaf.below, leaf.above)
	}
	g.merge(root)
	return root, ctx.Err()
}

// leastRows is the least number of samples of a leaf.
const leastRows = 10

// fit computes the plane and the best split of a leaf. After the end of ctx, the split is not the best.
func (g *grower) fit(ctx context.Context, leaf *node) {
	squares, ok := g.fitPlane(leaf)
	if len(leaf.rows) < 2*g.least || !ok {
		return
	}
	variables := g.screened(ctx, leaf, g.allowed(leaf))
	found := make([]split, len(variables))
	parallel.Each(len(found), func(i int) {
		found[i] = g.search(ctx, variables[i], leaf.rows, g.width, g.row, squares)
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

// fitPlane computes the planes of a leaf and the error that they minimise. Without a finite
// solution they are zero.
func (g *grower) fitPlane(leaf *node) (squares float64, ok bool) {
	all := newMoments(g.width)
	for _, n := range leaf.rows {
		all.add(g.row(n), numeric.WeightAt(g.s.Weight, n))
	}
	leaf.planes, leaf.squares, ok = all.plane(newMoments(g.width), g.width, g.outputs)
	if !ok {
		leaf.planes = make([][]float64, g.outputs)
		for c := range leaf.planes {
			leaf.planes[c] = make([]float64, g.width-g.outputs)
		}
	}
	return leaf.squares, ok
}

// allowed returns the variables that a leaf may be split by.
func (g *grower) allowed(leaf *node) []variable {
	if g.s.Splits == nil {
		return g.variables
	}
	var inputs []int
	for _, c := range leaf.conditions {
		inputs = append(inputs, c.split.by...)
	}
	return slices.DeleteFunc(slices.Clone(g.variables), func(v variable) bool { return !g.s.Splits(append(slices.Clip(inputs), v...)) })
}

// screened returns those of the given variables whose splits of a leaf are examined.
func (g *grower) screened(ctx context.Context, leaf *node, variables []variable) []variable {
	if len(variables) <= maxVariables {
		return variables
	}
	C := g.outputs
	residuals, squares := make([]float64, len(g.s.Y)), 0.0
	for _, n := range leaf.rows {
		for c, plane := range leaf.planes {
			e := g.residual(plane, c, n)
			residuals[n*C+c] = e
			squares += float64(numeric.WeightAt(g.s.Weight, n) * (e * e))
		}
	}
	gains := make([]float64, len(variables))
	parallel.Each(len(gains), func(i int) {
		v, line := variables[i], make([]float64, 2+C)
		row := func(n int) []float64 {
			line[0], line[1] = 1, g.s.Z[n][v[0]]
			copy(line[2:], residuals[n*C:][:C])
			return line
		}
		gains[i] = g.search(ctx, v, leaf.rows, len(line), row, squares).gain
	})
	order := make([]int, len(gains))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gains[b], gains[a]) })
	order = slices.Sorted(slices.Values(order[:maxVariables]))
	some := make([]variable, len(order))
	for i, at := range order {
		some[i] = variables[at]
	}
	return some
}

// search returns the best split of a leaf by a variable: that after which two planes in
// the columns of a design of the given width have the least error. squares is the error
// of one plane. After the end of ctx it finds none.
func (g *grower) search(ctx context.Context, v variable, rows []int, width int, row func(n int) []float64, squares float64) split {
	best := split{by: v}
	if ctx.Err() != nil {
		return best
	}
	order, levels := ordered(g.s, v, rows)
	at := cuts(order, g.least)
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
			bins[i].add(row(k.row), numeric.WeightAt(g.s.Weight, k.row))
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
		_, first, ok1 := below.plane(factor, width, g.outputs)
		_, second, ok2 := above[i+1].plane(factor, width, g.outputs)
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
func (g *grower) divide(ctx context.Context, leaf *node) {
	side := func(above bool) *node {
		other := func(i int) bool { return leaf.best.isAbove(g.s.X[i]) != above }
		n := &node{
			rows:       slices.DeleteFunc(slices.Clone(leaf.rows), other),
			conditions: append(slices.Clone(leaf.conditions), condition{leaf.best, above}),
		}
		g.fit(ctx, n)
		return n
	}
	leaf.below, leaf.above = side(false), side(true)
}

// notes says why a tree has fewer leaves than wanted.
func (g *grower) notes(leaves, wanted int) string {
	var why []string
	if leaves+g.merged < wanted {
		why = append(why, fmt.Sprintf("no other split lowers the error with at least %d samples on either side", g.least))
	}
	if g.merged > 0 {
		why = append(why, "neighbours that say the same are merged")
	}
	if why == nil {
		return ""
	}
	return fmt.Sprintf("the tree has %d of %d leaves: %s", leaves, wanted, strings.Join(why, "; "))
}

// sameAbove is the probability above which two leaves say the same: that of a gain at
// least as large as theirs if a single plane describes the samples of both.
const sameAbove = 0.05

// merge merges, from the leaves upwards, the two leaves of a split that say the same.
func (g *grower) merge(n *node) {
	if n.below == nil {
		return
	}
	g.merge(n.below)
	g.merge(n.above)
	if n.below.below == nil && n.above.below == nil && g.same(n) {
		n.below, n.above = nil, nil
		g.merged++
	}
}

// same is the test of Chow ("Tests of equality between sets of coefficients in two linear
// regressions", Econometrica 28 (1960)): with P coefficients, n samples, the error S of one
// plane and the error T of two,
//
//	F = ((S - T) / P) / (T / (n - 2P))
//
// has P and n - 2P degrees of freedom; over C outputs, taken as independent, C times as many. The split was chosen among
// many for its gain, so the test keeps too many rather than too few: with a correction for their number
// (Bonferroni), trained models err more. With n <= 2P nothing can be said: leaves that
// small are merged.
func (g *grower) same(n *node) bool {
	P := float64(g.width - g.outputs)
	free := float64(len(n.rows)) - float64(2*P)
	if free <= 0 {
		return true
	}
	two := n.below.squares + n.above.squares
	share := (n.squares - two) / n.squares // P F / (P F + n - 2P)
	if !(share > 0) {                      // nothing is gained, up to rounding
		return true
	}
	C := float64(g.outputs)
	return 1-mathext.RegIncBeta(C*P/2, C*free/2, min(share, 1)) > sameAbove
}
