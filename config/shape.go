package config

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/membership"
)

// shape is the value of model.membership: the name of a built-in shape, or a
// mapping with a formula (see membership.Formula).
type shape struct{ function *membership.Function }

func (s *shape) decode(n *yaml.Node) (err error) {
	var f membership.Function
	switch n.Kind {
	case yaml.ScalarNode:
		f, err = membership.Lookup(n.Value)
	case yaml.MappingNode:
		f, err = decodeFormula(n)
	default:
		err = fmt.Errorf("%s: want the name of a shape, or a mapping with name, expr and params", describe(n))
	}
	if err == nil {
		*s.function = f
	}
	return err
}

func decodeFormula(n *yaml.Node) (membership.Function, error) {
	var f membership.Formula
	exprs := map[string]*yaml.Node{}
	err := pairs(n, func(name string, value *yaml.Node) error {
		exprs[name] = value
		switch name {
		case "name":
			return named(name, decodeNode(value, &f.Name))
		case "expr":
			return named(name, decodeText(value, &f.Expr))
		case "log_expr":
			return named(name, decodeText(value, &f.LogExpr))
		case "params":
			params, err := decodeParams(value)
			f.Params = params
			return named(name, err)
		}
		return fmt.Errorf("%s: no such key%s", shorten(name), didYouMean(name, []string{"name", "expr", "log_expr", "params"}))
	})
	if err != nil {
		return nil, err
	}
	if _, err := membership.Lookup(f.Name); err == nil {
		return nil, fmt.Errorf("name %q is a built-in shape's: choose another", f.Name)
	}
	shape, err := f.Shape()
	var fault *membership.FormulaError
	if errors.As(err, &fault) && exprs[fault.Field] != nil {
		return nil, fmt.Errorf("line %d: %w", exprs[fault.Field].Line, err)
	}
	return shape, err
}

// decodeParams reads the parameters, in their order in the file.
func decodeParams(n *yaml.Node) (params []membership.FormulaParam, err error) {
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s: want parameters by name, such as {c: {init: center}}", describe(n))
	}
	err = pairs(n, func(name string, value *yaml.Node) error {
		if value.Kind != yaml.MappingNode {
			return fmt.Errorf("%s: %s: want {init: center}", shorten(name), describe(value))
		}
		p := membership.FormulaParam{Name: name}
		err := pairs(value, func(key string, value *yaml.Node) error {
			switch key {
			case "init":
				return named(key, decodeText(value, &p.Init))
			case "min":
				p.Min = new(float64)
				return named(key, decodeNode(value, p.Min))
			}
			return fmt.Errorf("%s: no such key: there are init and min", shorten(key))
		})
		params = append(params, p)
		return named(shorten(name), err)
	})
	return params, err
}

// decodeText reads a text; an expression may look like a number.
func decodeText(n *yaml.Node, text *string) error {
	if n.Kind != yaml.ScalarNode || !slices.Contains([]string{"!!str", "!!int", "!!float"}, n.Tag) {
		return fmt.Errorf("%s: want an expression", describe(n))
	}
	*text = n.Value
	return nil
}

// named puts a name before an error.
func named(name string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (s *shape) node() *yaml.Node {
	f, written := membership.Written(*s.function)
	if !written {
		return scalarNode((*s.function).Name())
	}
	params := mapNode()
	for _, p := range f.Params {
		value := mapNode("init", scalarNode(p.Init))
		if p.Min != nil {
			value.Content = append(value.Content, scalarNode("min"), encodeNode(p.Min))
		}
		params.Content = append(params.Content, scalarNode(p.Name), value)
	}
	n := mapNode("name", scalarNode(f.Name), "expr", scalarNode(f.Expr))
	if f.LogExpr != "" {
		n.Content = append(n.Content, scalarNode("log_expr"), scalarNode(f.LogExpr))
	}
	n.Content = append(n.Content, scalarNode("params"), params)
	return n
}

// mapNode returns a mapping in one line, from names and nodes in turn.
func mapNode(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	for i := 0; i < len(pairs); i += 2 {
		n.Content = append(n.Content, scalarNode(pairs[i].(string)), pairs[i+1].(*yaml.Node))
	}
	return n
}
