package config

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
)

// na is the value of data.na: texts for all columns, or by column.
type na struct{ options *data.Options }

func (v *na) decode(d decoder, n *yaml.Node) {
	v.options.NA = nil
	set := func(d decoder, column string, n *yaml.Node) {
		var texts names
		if texts.decode(d, n); len(texts) == 0 {
			return
		}
		if v.options.NA == nil {
			v.options.NA = data.NA{}
		}
		v.options.NA[column] = texts
	}
	if n.Kind != yaml.MappingNode {
		set(d, "*", n)
		return
	}
	d.pairs(n, func(column string, _, value *yaml.Node) {
		set(d.in(fmt.Sprintf("column %q", shorten(column))), column, value)
	})
}

func (v *na) schema(key) *schema {
	return &schema{AnyOf: []*schema{listOfNames(), {Type: "object", Additional: listOfNames()}}}
}

func (v *na) node() *yaml.Node {
	if texts, all := v.options.NA["*"]; all && len(v.options.NA) == 1 {
		return listNode(texts)
	}
	m := mapNode()
	for _, column := range slices.Sorted(maps.Keys(v.options.NA)) {
		m.Content = append(m.Content, scalarNode(column), listNode(v.options.NA[column]))
	}
	return m
}
