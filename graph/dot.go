package graph

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"gorgonia.org/gorgonia"
)

// writeDOT writes a network's graph in the DOT language.
func writeDOT(w io.Writer, n *net) error {
	var b strings.Builder
	b.WriteString("digraph tsk {\n  node [fontname=\"sans-serif\" fontsize=11];\n  edge [fontname=\"sans-serif\" fontsize=9];\n")
	drawn := map[*gorgonia.Node]bool{}
	for _, p := range n.params {
		drawn[p] = true
		fmt.Fprintf(&b, "  %s [label=%s shape=box style=filled fillcolor=lightyellow];\n", id(p), strconv.Quote(p.Name()))
	}
	for _, in := range []input{n.x, n.z, n.mask, n.target, n.weight} {
		if drawn[in.node] {
			continue // z is x
		}
		drawn[in.node] = true
		fmt.Fprintf(&b, "  %s [label=%s shape=box style=filled fillcolor=lightblue];\n", id(in.node), strconv.Quote(in.node.Name()))
	}
	for i, l := range n.layers {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%s; style=rounded; color=gray;\n", i, strconv.Quote(l.name))
		for _, node := range l.nodes {
			if isSize(node) {
				continue
			}
			drawn[node] = true
			fmt.Fprintf(&b, "    %s [label=%s shape=plaintext];\n", id(node), strconv.Quote(caption(node)))
		}
		b.WriteString("  }\n")
	}
	for _, l := range n.layers {
		for _, node := range l.nodes {
			if drawn[node] {
				writeEdges(&b, n.graph, node, drawn)
			}
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// writeEdges writes the edges into a node.
func writeEdges(b *strings.Builder, graph *gorgonia.ExprGraph, node *gorgonia.Node, drawn map[*gorgonia.Node]bool) {
	for from := graph.From(node.ID()); from.Next(); {
		child := from.Node().(*gorgonia.Node)
		if drawn[child] {
			fmt.Fprintf(b, "  %s -> %s [label=%s];\n", id(child), id(node), strconv.Quote(fmt.Sprint(child.Shape())))
		}
	}
}

func id(n *gorgonia.Node) string { return "n" + strconv.FormatInt(n.ID(), 10) }

// captions maps prefixes of the names of Gorgonia's operations to readable names.
var captions = []struct{ op, caption string }{
	{"Repeat", "repeat"}, {"Reshape", "reshape"}, {"Max", "max"}, {"A × B", "matrix product"}, {"Aᵀ", "transpose"},
	{"+ ", "+"}, {"- ", "−"}, {"> ", ">"}, {"⊙ ", "×"}, {"÷ ", "÷"}, {"Σ", "sum"}, {"T[", "slice"}, {"Concat", "concatenate"},
}

func caption(n *gorgonia.Node) string {
	if n.Op() == nil {
		return n.Name()
	}
	op := n.Op().String()
	for _, c := range captions {
		if strings.HasPrefix(op, c.op) {
			return c.caption
		}
	}
	return strings.TrimPrefix(op, "const ")
}

// isSize reports whether a node holds the length of an axis for a repetition.
func isSize(n *gorgonia.Node) bool {
	return n.Op() != nil && strings.HasPrefix(n.Op().String(), "SizeOf")
}
