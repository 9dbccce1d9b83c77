package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// shape is the value of model.membership: the name of a built-in shape, or a
// mapping with a formula (see membership.Formula).
type shape struct{ recipe.Field }

func (s shape) decode(d decoder, n *yaml.Node) {
	var f membership.Function
	var err error
	switch n.Kind {
	case yaml.ScalarNode:
		f, err = membership.Lookup(n.Value)
	case yaml.MappingNode:
		f = decodeFormula(d, n)
	default:
		err = fmt.Errorf("%s: want the name of a shape, or a mapping with name, expr and params", describe(n))
	}
	if err != nil {
		d.fault(n, "%s", bare(err))
	} else if f != nil {
		_ = s.Set(f)
	}
}

// bare is the text of an error of package membership without the package's name.
func bare(err error) string {
	text := strings.TrimPrefix(err.Error(), membership.ErrFormula.Error()+": ")
	return strings.TrimPrefix(text, "membership: ")
}

// decodeFormula returns nil if there is a fault.
func decodeFormula(d decoder, n *yaml.Node) membership.Function {
	var f membership.Formula
	at := map[string]*yaml.Node{} // by the names that faults of a formula have
	before := len(*d.faults)
	d.pairs(n, func(name string, key, value *yaml.Node) {
		in := d.in(name)
		at[name] = value
		switch name {
		case "name":
			textAt(&f.Name).decode(in, value)
		case "expr":
			decodeExpression(in, value, &f.Expr)
		case "log_expr":
			decodeExpression(in, value, &f.LogExpr)
		case "params":
			f.Params = decodeParams(in, value, at)
		default:
			d.fault(key, "%s: no such key%s", printable(name), didYouMean(registry.Closest(name, []string{"name", "expr", "log_expr", "params"})))
		}
	})
	if len(*d.faults) > before {
		return nil
	}
	if _, err := membership.Lookup(f.Name); err == nil {
		d.fault(at["name"], "name %q is a built-in shape's: choose another", f.Name)
		return nil
	}
	shape, err := f.Shape()
	if err == nil {
		return shape
	}
	if fault := new(membership.FormulaError); errors.As(err, &fault) && at[fault.Field] != nil {
		n = at[fault.Field]
	}
	d.fault(n, "%s", bare(err))
	return nil
}

// decodeParams reads the parameters, in their order in the file.
func decodeParams(d decoder, n *yaml.Node, at map[string]*yaml.Node) (params []membership.FormulaParam) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "%s: want parameters by name, such as {c: {init: center}}", describe(n))
		return nil
	}
	d.pairs(n, func(name string, _, value *yaml.Node) {
		d := d.in(name)
		if value.Kind != yaml.MappingNode {
			d.fault(value, "%s: want {init: center}", describe(value))
			return
		}
		p := membership.FormulaParam{Name: name}
		d.pairs(value, func(key string, keyAt, value *yaml.Node) {
			switch key {
			case "init":
				at["init of "+name] = value
				decodeExpression(d.in(key), value, &p.Init)
			case "min":
				p.Min = new(float64)
				realAt(p.Min).decode(d.in(key), value)
			default:
				d.fault(keyAt, "%s: no such key: there are init and min", printable(key))
			}
		})
		params = append(params, p)
	})
	return params
}

// decodeExpression reads a text that may look like a number.
func decodeExpression(d decoder, n *yaml.Node, text *string) {
	if n.Kind != yaml.ScalarNode || !slices.Contains([]string{"!!str", "!!int", "!!float"}, n.Tag) {
		d.fault(n, "%s: want an expression", describe(n))
		return
	}
	*text = n.Value
}

func (s shape) schema(key) *schema {
	expression := &schema{Type: []string{"string", "number"}}
	param := &schema{Type: "object", Additional: false, Required: []string{"init"},
		Properties: []property{{"init", expression}, {"min", &schema{Type: "number"}}}}
	formula := &schema{Type: "object", Additional: false, Required: []string{"name", "expr", "params"}, Properties: []property{
		{"name", &schema{Type: "string"}}, {"expr", expression}, {"log_expr", expression}, {"params", &schema{Type: "object", Additional: param}},
	}}
	return &schema{AnyOf: []*schema{{Enum: membership.Names()}, formula}}
}

func (s shape) node() *yaml.Node {
	function := s.Get().(membership.Function)
	f, written := membership.AsFormula(function)
	if !written {
		return scalarNode(function.Name())
	}
	params := mapNode()
	for _, p := range f.Params {
		value := mapNode("init", scalarNode(p.Init))
		if p.Min != nil {
			value.Content = append(value.Content, scalarNode("min"), realAt(p.Min).node())
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
