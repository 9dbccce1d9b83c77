package config

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data/table"
)

// files is the value of data.path: the name of a table, or a list of the names of its files.
type files struct{ name *string }

func (f *files) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		textAt(f.name).decode(d, n)
		return
	}
	var list names
	if list.decode(d, n); len(list) == 0 {
		d.fault(n, "%s: want a name, or a list of names, such as [a.csv, b.csv]", describe(n))
		return
	}
	for _, name := range list {
		if name == "" || strings.ContainsAny(name, ",{}") {
			d.fault(n, "%q: want names of files without a comma and braces", shorten(name))
			return
		}
	}
	*f.name = table.List(list)
}

func (f *files) node() *yaml.Node {
	if names := table.Names(*f.name); len(names) > 1 {
		return listNode(names)
	}
	return scalarNode(*f.name)
}

func (f *files) schema(key) *schema {
	several := listOfNames()
	several.MinItems = 1
	return &schema{AnyOf: []*schema{{Type: "string"}, several}}
}
