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

func (c *categorical) decode(n *yaml.Node) error {
	c.options.NoCategorical, c.options.Categorical = false, nil
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "auto":
		return nil
	case n.Kind == yaml.ScalarNode && n.Value == "none":
		c.options.NoCategorical = true
		return nil
	case n.Kind != yaml.MappingNode:
		return fmt.Errorf("%s: want auto, none, or a coding for columns, such as {sex: onehot}", describe(n))
	}
	c.options.Categorical = map[string]data.Coding{}
	return pairs(n, func(name string, value *yaml.Node) error {
		if value.Kind == yaml.SequenceNode {
			levels, err := stringList(value)
			c.options.Categorical[name] = data.Coding{Encoding: data.Ordinal, Levels: levels}
			return err
		}
		switch e := data.Encoding(value.Value); e {
		case data.OneHot, data.Ordinal, data.Numeric:
			c.options.Categorical[name] = data.Coding{Encoding: e}
			return nil
		}
		return fmt.Errorf("column %q: %s: want onehot, ordinal, numeric, or a list of levels in order", shorten(name), describe(value))
	})
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

func (u *units) decode(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s: want units by column, such as {temperature: deg C}", describe(n))
	}
	u.options.Units = map[string]string{}
	return pairs(n, func(name string, value *yaml.Node) error {
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			return fmt.Errorf("column %q: %s: want a unit", shorten(name), describe(value))
		}
		u.options.Units[name] = value.Value
		return nil
	})
}

func (u *units) node() *yaml.Node {
	m := mapNode()
	for _, name := range slices.Sorted(maps.Keys(u.options.Units)) {
		m.Content = append(m.Content, scalarNode(name), scalarNode(u.options.Units[name]))
	}
	return m
}
