package page

import "github.com/tskgraph/tskgraph/explain/words"

// wordedTree is a branch of the tree that the rules came from, with its words.
type wordedTree struct {
	When  string // condition; empty for the root
	Leaf  string // what the rule says; empty for a split
	Sides []wordedTree
}

// newTree returns the tree of the rules; nil if there is none, or if no samples say how true it is.
func newTree(d words.Description) *wordedTree {
	if d.Tree == nil || d.Tree.Agreement == nil {
		return nil
	}
	root := worded(d, d.Tree.Root)
	return &root
}

func worded(d words.Description, b *words.Branch) wordedTree {
	w := wordedTree{When: b.When}
	if b.Sides == nil {
		w.Leaf = d.Leaf(b)
	}
	for _, side := range b.Sides {
		w.Sides = append(w.Sides, worded(d, side))
	}
	return w
}
