package words

import (
	"fmt"
	"io"
	"strings"
)

// WriteTree writes the tree that the rules came from, indented, with a line per condition and
// per rule. Its error wraps [ErrNoTree] if there is none; of a committee, if no member has one.
func WriteTree(w io.Writer, d Description) error {
	var b strings.Builder
	members, trees := d.Members, 0
	if len(members) == 0 {
		members = []Description{d}
	}
	for i, one := range members {
		if len(d.Members) > 0 {
			fmt.Fprintf(&b, "Member %d of %d\n\n", i+1, len(members))
		}
		if one.Tree == nil {
			fmt.Fprintf(&b, "%s.\n", one.noTree)
		} else {
			trees++
			b.WriteString(one.Tree.String() + "\n\n")
			writeBranch(&b, one, one.Tree.Root, 0)
		}
		if i < len(members)-1 {
			b.WriteByte('\n')
		}
	}
	if trees == 0 {
		return members[0].noTree
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String says how true the tree is.
func (t *Tree) String() string {
	if t.Agreement == nil {
		return "The tree of the rules. With the training table (--data), show says how often it leads to the rule that fires most."
	}
	return fmt.Sprintf("The tree of the rules: it leads %s of the training samples to the rule that fires most.", percent(*t.Agreement))
}

// writeBranch writes what is below a branch.
func writeBranch(b *strings.Builder, d Description, branch *Branch, depth int) {
	indent := strings.Repeat("    ", depth)
	if branch.Sides == nil {
		b.WriteString(indent + d.Leaf(branch) + "\n")
	}
	for _, side := range branch.Sides {
		b.WriteString(indent + side.When + "\n")
		writeBranch(b, d, side, depth+1)
	}
}
