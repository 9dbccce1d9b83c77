package certify

import (
	"context"
	"math"
	"slices"
)

// leaf is a box of a bisection.
type leaf struct {
	box
	depth int
	e     enclosure
}

// most is the largest depth of a bisection.
const most = 200

// bisect divides a box until a claim holds in each part, at most a number of boxes. It returns the parts in order; the share of the domain
// in which the claim is undecided; and a box in which it holds nowhere, if there is one.
func (s *space) bisect(ctx context.Context, whole box, boxes int, enclose func(b box) enclosure,
	holds func(b box, e enclosure) (holds, nowhere bool)) (leaves []leaf, undecided float64, broken box) {
	stack := []leaf{{box: whole}}
	for n := 0; len(stack) > 0; n++ {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n >= boxes || ctx.Err() != nil {
			undecided += s.domain.share(l.box)
			leaves = append(leaves, l)
			continue
		}
		l.e = enclose(l.box)
		yes, no := holds(l.box, l.e)
		if no && broken == nil {
			return nil, 1, l.box
		}
		if yes {
			l.e = enclosure{}
			leaves = append(leaves, l)
			continue
		}
		var halves []box
		if c := s.widest(l.box, l.e); c >= 0 && l.depth < most {
			halves = s.halves(l.box, c)
		}
		if halves == nil {
			undecided = max(undecided+s.domain.share(l.box), math.SmallestNonzeroFloat64)
			leaves = append(leaves, l)
			continue
		}
		stack = append(stack, leaf{box: halves[1], depth: l.depth + 1}, leaf{box: halves[0], depth: l.depth + 1})
	}
	return leaves, undecided, broken
}

// node is a node of a tree of boxes that is refined where a bound is least tight.
type node struct {
	leaf
	excess float64
	halves [2]*node
}

// refine divides a box where excess, how far a bound is from what is attained, is largest, until none has one or there are as many boxes.
func (s *space) refine(ctx context.Context, whole box, boxes int, enclose func(b box) enclosure, excess func(n *node) float64) []leaf {
	grow := func(b box, depth int) *node {
		n := &node{leaf: leaf{box: b, depth: depth, e: enclose(b)}}
		n.excess = excess(n)
		return n
	}
	root := grow(whole, 0)
	ends := []*node{root}
	for n := 1; n < boxes && ctx.Err() == nil; {
		at := 0
		for i, e := range ends {
			e.excess = excess(e)
			if e.excess > ends[at].excess {
				at = i
			}
		}
		one := ends[at]
		if !(one.excess > 0) {
			break
		}
		var halves []box
		if c := s.widest(one.box, one.e); c >= 0 && one.depth < most {
			halves = s.halves(one.box, c)
		}
		if halves == nil {
			ends = slices.Delete(ends, at, at+1)
			if len(ends) == 0 {
				break
			}
			continue
		}
		one.halves = [2]*node{grow(halves[0], one.depth+1), grow(halves[1], one.depth+1)}
		ends[at] = one.halves[0]
		ends = append(ends, one.halves[1])
		n += 2
	}
	return root.leaves(nil)
}

// leaves appends the leaves below a node in order.
func (n *node) leaves(to []leaf) []leaf {
	if n.halves[0] == nil {
		return append(to, n.leaf)
	}
	return n.halves[1].leaves(n.halves[0].leaves(to))
}
