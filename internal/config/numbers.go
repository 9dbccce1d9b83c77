package config

import (
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// numbers is the value of a key that is a list of numbers, each within the key's limits.
type numbers struct{ recipe.Field }

func (l numbers) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		d.fault(n, "%s: want a list of numbers, such as [1, 2]", describe(n))
		return
	}
	var read recipe.Numbers
	for _, item := range n.Content {
		var v float64
		realAt(&v).decode(d, item)
		read = append(read, v)
	}
	_ = l.Set(read)
}

func (l numbers) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range l.Get().(recipe.Numbers) {
		n.Content = append(n.Content, realAt(&v).node())
	}
	return n
}

func (l numbers) schema(k key) *schema {
	return &schema{Type: "array", Items: numberSchema(k.limits, "number")}
}
