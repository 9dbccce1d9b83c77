package config

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
)

// categorical is the value of data.categorical: auto, none, or codings by column.
type categorical struct{ options *data.Options }

func (c *categorical) decode(d decoder, n *yaml.Node) {
	c.options.NoCategorical, c.options.Categorical = false, nil
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "auto":
		return
	case n.Kind == yaml.ScalarNode && n.Value == "none":
		c.options.NoCategorical = true
		return
	case n.Kind != yaml.MappingNode:
		d.fault(n, "%s: want auto, none, or a coding for columns, such as {sex: onehot}", describe(n))
		return
	}
	c.options.Categorical = map[string]data.Coding{}
	d.pairs(n, func(name string, _, value *yaml.Node) {
		in := d.in(fmt.Sprintf("column %q", shorten(name)))
		if value.Kind == yaml.SequenceNode {
			coding := data.Coding{Encoding: data.Ordinal}
			(*names)(&coding.Levels).decode(in, value)
			c.options.Categorical[name] = coding
		} else if e := data.Encoding(value.Value); slices.Contains(encodings, e) {
			c.options.Categorical[name] = data.Coding{Encoding: e}
		} else {
			in.fault(value, "%s: want onehot, ordinal, numeric, or a list of levels in order", describe(value))
		}
	})
}

var encodings = []data.Encoding{data.OneHot, data.Ordinal, data.Numeric}

func (c *categorical) schema(key) *schema {
	codings := &schema{}
	for _, e := range encodings {
		codings.Enum = append(codings.Enum, string(e))
	}
	column := &schema{AnyOf: []*schema{codings, listOfNames()}}
	return &schema{AnyOf: []*schema{{Enum: []string{"auto", "none"}}, {Type: "object", Additional: column}}}
}

func (c *categorical) node() *yaml.Node {
	switch {
	case len(c.options.Categorical) > 0:
	case c.options.NoCategorical:
		return scalarNode("none")
	default:
		return scalarNode("auto")
	}
	m := mapNode()
	for _, name := range slices.Sorted(maps.Keys(c.options.Categorical)) {
		coding := c.options.Categorical[name]
		value := scalarNode(string(coding.Encoding))
		if len(coding.Levels) > 0 {
			value = listNode(coding.Levels)
		}
		m.Content = append(m.Content, scalarNode(name), value)
	}
	return m
}

// units is the value of data.units.
type units struct{ options *data.Options }

func (u *units) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "%s: want units by column, such as {temperature: deg C}", describe(n))
		return
	}
	u.options.Units = map[string]string{}
	d.pairs(n, func(name string, _, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			d.in(fmt.Sprintf("column %q", shorten(name))).fault(value, "%s: want a unit", describe(value))
			return
		}
		u.options.Units[name] = value.Value
	})
}

func (u *units) schema(key) *schema { return &schema{Type: "object", Additional: word()} }

func (u *units) node() *yaml.Node {
	m := mapNode()
	for _, name := range slices.Sorted(maps.Keys(u.options.Units)) {
		m.Content = append(m.Content, scalarNode(name), scalarNode(u.options.Units[name]))
	}
	return m
}
