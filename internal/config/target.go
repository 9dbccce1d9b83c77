package config

import (
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
)

// target is the value of data.target: a name, or a list of names.
type target struct{ options *data.Options }

func (t *target) decode(d decoder, n *yaml.Node) {
	t.options.Target, t.options.Others = "", nil
	if n.Kind != yaml.SequenceNode {
		textAt(&t.options.Target).decode(d, n)
		return
	}
	var list names
	if list.decode(d, n); len(list) == 0 {
		d.fault(n, "%s: want a name, or a list of names, such as [y1, y2]", describe(n))
		return
	}
	t.options.Target, t.options.Others = list[0], list[1:]
}

func (t *target) node() *yaml.Node {
	if len(t.options.Others) == 0 {
		return scalarNode(t.options.Target)
	}
	return listNode(t.options.Targets())
}

func (t *target) schema(key) *schema {
	several := listOfNames()
	several.MinItems = 1
	return &schema{AnyOf: []*schema{{Type: "string"}, several}}
}
