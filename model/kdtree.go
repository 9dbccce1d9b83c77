package model

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// leafPoints is the largest number of points in a leaf of a kdTree, by measurement: comparing
// some points is faster than finding out which.
const leafPoints = 48

// kdTree finds the nearest of a set of points exactly (J. H. Friedman, J. L. Bentley, R. A. Finkel, An algorithm for finding best matches
// in logarithmic expected time, ACM TOMS 3 (1977)). Every node has a bounding box and is divided at the median of its widest side.
type kdTree struct {
	dims   int
	rows   []int     // of the points, in the order of the leaves
	points []float64 // [N,M], in the same order
	nodes  []kdNode  // the root first
	boxes  []float64 // [nodes,2,M], lowest and highest coordinates
}

// kdNode is a node over the points start to end.
type kdNode struct {
	start, end  int
	left, right int // nodes; 0, 0 for a leaf
}

// newKDTree returns a tree of at least one point [M]; if ctx ends, its error.
func newKDTree(ctx context.Context, points [][]float64) (*kdTree, error) {
	t := &kdTree{dims: len(points[0]), rows: make([]int, len(points))}
	for i := range t.rows {
		t.rows[i] = i
	}
	t.divide(ctx, points, 0, len(points))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.points = make([]float64, 0, len(points)*t.dims)
	for _, row := range t.rows {
		t.points = append(t.points, points[row]...)
	}
	return t, nil
}

// divide adds the node over t.rows[start:end] with its descendants, unless ctx has ended, and returns its index.
func (t *kdTree) divide(ctx context.Context, points [][]float64, start, end int) int {
	rows, at, M := t.rows[start:end], len(t.nodes), t.dims
	box := make([]float64, 2*M)
	low, high := box[:M], box[M:]
	copy(low, points[rows[0]])
	copy(high, points[rows[0]])
	for _, row := range rows {
		for m, v := range points[row] {
			low[m], high[m] = min(low[m], v), max(high[m], v)
		}
	}
	t.nodes, t.boxes = append(t.nodes, kdNode{start: start, end: end}), append(t.boxes, box...)
	widest := 0
	for m := range M {
		if high[m]-low[m] > high[widest]-low[widest] {
			widest = m
		}
	}
	if len(rows) <= leafPoints || low[widest] == high[widest] || ctx.Err() != nil {
		return at
	}
	slices.SortFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(points[a][widest], points[b][widest]), a-b)
	})
	middle := start + len(rows)/2
	left := t.divide(ctx, points, start, middle)
	right := t.divide(ctx, points, middle, end)
	t.nodes[at].left, t.nodes[at].right = left, right
	return at
}

// point returns the point [M] at a place in the order of the leaves.
func (t *kdTree) point(place int) []float64 { return t.points[place*t.dims:][:t.dims] }

// found is a point of a search.
type found struct {
	squared float64 // distance
	row     int
}

// before orders points by distance, equally distant ones by row.
func (f found) before(g found) bool {
	return f.squared < g.squared || f.squared == g.squared && f.row < g.row
}

// kdSearch searches a tree. It is for a single goroutine.
type kdSearch struct {
	*kdTree
	k     int
	query []float64
	near  []found // at most k, nearest first
	worst float64 // largest squared distance that may be among the nearest
}

func (t *kdTree) newSearch(k int) *kdSearch {
	return &kdSearch{kdTree: t, k: k, near: make([]found, 0, k)}
}

// nearest returns the k points nearest to a query [M], nearest first, or fewer if there are
// fewer at a finite distance. The next call overwrites them.
func (s *kdSearch) nearest(query []float64) []found {
	s.query, s.near, s.worst = query, s.near[:0], math.MaxFloat64
	s.visit(0)
	return s.near
}

// visit searches a node, the nearer child first.
func (s *kdSearch) visit(at int) {
	n := &s.nodes[at]
	if n.right == 0 {
		s.leaf(n.start, n.end)
		return
	}
	first, second := n.left, n.right
	d, e := s.toBox(first), s.toBox(second)
	if e < d {
		first, second, d, e = second, first, e, d
	}
	if s.mayHold(d) {
		s.visit(first)
	}
	if s.mayHold(e) {
		s.visit(second)
	}
}

// mayHold reports whether a box at a squared distance may hold one of the nearest points. The margin is for rounding errors.
func (s *kdSearch) mayHold(squared float64) bool {
	return squared*(1-1e-9) <= s.worst
}

// toBox returns the squared distance of the query to the box of a node.
func (s *kdSearch) toBox(at int) float64 {
	M := len(s.query)
	low, high := s.boxes[2*at*M:][:M], s.boxes[(2*at+1)*M:][:M]
	sum := 0.0
	for m, v := range s.query {
		d := low[m] - v
		if e := v - high[m]; e > d {
			d = e
		}
		if d > 0 {
			sum += float64(d * d)
		}
	}
	return sum
}

// leaf compares the query with points, four at a time: their sums do not wait for one another.
func (s *kdSearch) leaf(start, end int) {
	M := len(s.query)
	i := start
	for ; i+4 <= end; i += 4 {
		points := s.points[i*M : (i+4)*M]
		p, q, r, o := points[:M], points[M:2*M], points[2*M:3*M], points[3*M:4*M]
		var a, b, c, d float64
		for m, v := range s.query {
			e, f, g, h := v-p[m], v-q[m], v-r[m], v-o[m]
			a += float64(e * e)
			b += float64(f * f)
			c += float64(g * g)
			d += float64(h * h)
		}
		s.keep(a, i)
		s.keep(b, i+1)
		s.keep(c, i+2)
		s.keep(d, i+3)
	}
	for ; i < end; i++ {
		sum := 0.0
		for m, v := range s.query {
			d := v - s.points[i*M+m]
			sum += float64(d * d)
		}
		s.keep(sum, i)
	}
}

// keep inserts the point at a place if it is among the nearest.
func (s *kdSearch) keep(squared float64, place int) {
	if squared > s.worst {
		return
	}
	f := found{squared, s.rows[place]}
	at := len(s.near)
	if at < s.k {
		s.near = append(s.near, f)
	} else if at--; !f.before(s.near[at]) {
		return
	}
	for ; at > 0 && f.before(s.near[at-1]); at-- {
		s.near[at] = s.near[at-1]
	}
	s.near[at] = f
	if len(s.near) == s.k {
		s.worst = s.near[s.k-1].squared
	}
}
