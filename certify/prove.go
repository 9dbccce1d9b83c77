package certify

import (
	"context"
	"math"
	"slices"
)

// node is a box of a bisection, with what is known of it. Proofs of several claims share the nodes of the domain.
type node struct {
	box
	depth   int
	e       enclosure
	looked  bool
	at      int // the column to divide it at; -1: it is not divided
	halves  []*node
	enclose func(b box) enclosure
}

// deepest is the largest depth of a bisection.
const deepest = 200

func newNode(b box, depth int, enclose func(b box) enclosure) *node {
	return &node{box: b, depth: depth, at: -1, enclose: enclose}
}

// look encloses what happens in a node, once.
func (s *space) look(n *node) enclosure {
	if !n.looked {
		n.looked, n.e = true, n.enclose(n.box)
		if n.depth < deepest {
			n.at = s.widest(n.box, n.e)
		}
		n.e.rules = nil // which need most memory
	}
	return n.e
}

// divide returns the halves of a node that was looked at; none if it is not divided.
func (s *space) divide(n *node) []*node {
	if n.halves == nil && n.at >= 0 {
		for _, b := range s.halves(n.box, n.at) {
			n.halves = append(n.halves, newNode(b, n.depth+1, n.enclose))
		}
		n.at = -1
	}
	return n.halves
}

// bisect divides a box until a claim holds in each part, at most a number of boxes. It returns the parts in order; the share of the domain
// in which the claim is undecided; and a box in which it holds nowhere, if there is one.
func (s *space) bisect(ctx context.Context, root *node, boxes int, holds func(b box, e enclosure) (holds, nowhere bool)) (
	leaves []*node, undecided float64, broken box) {
	stack := []*node{root}
	for k := 0; len(stack) > 0; k++ {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if k >= boxes || ctx.Err() != nil {
			undecided = max(undecided+s.domain.share(n.box), math.SmallestNonzeroFloat64) // a box of a new level has no share
			continue
		}
		yes, no := holds(n.box, s.look(n))
		if no {
			return nil, 1, n.box
		}
		if yes {
			leaves = append(leaves, n)
			continue
		}
		halves := s.divide(n)
		if halves == nil {
			undecided = max(undecided+s.domain.share(n.box), math.SmallestNonzeroFloat64)
			continue
		}
		stack = append(stack, halves[1], halves[0])
	}
	return leaves, undecided, nil
}

// view is a node in a tree that is refined where a bound is least tight.
type view struct {
	*node
	halves []*view
}

// refine divides a box where excess, how far a bound is from what is attained, is largest, until none has one or there are as many boxes.
func (s *space) refine(ctx context.Context, root *node, boxes int, excess func(e enclosure) float64) []*node {
	s.look(root)
	top := &view{node: root}
	ends := []*view{top}
	for n := 1; n < boxes && ctx.Err() == nil && len(ends) > 0; {
		at, largest := 0, 0.0
		for i, v := range ends {
			if x := excess(v.e); x > largest {
				at, largest = i, x
			}
		}
		if largest == 0 {
			break
		}
		one := ends[at]
		halves := s.divide(one.node)
		ends = slices.Delete(ends, at, at+1)
		for _, half := range halves {
			s.look(half)
			one.halves = append(one.halves, &view{node: half})
		}
		ends = append(ends, one.halves...)
		n += len(halves)
	}
	return top.leaves(nil)
}

// leaves appends the leaves below a view in order.
func (v *view) leaves(to []*node) []*node {
	if v.halves == nil {
		return append(to, v.node)
	}
	return v.halves[1].leaves(v.halves[0].leaves(to))
}
