package byhand

import (
	"math/big"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
)

// targets reads the section target: a name, a mapping, or a list of these.
func (in *reader) targets(n *yaml.Node) {
	all := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		all = n.Content
	}
	for _, one := range all {
		t, ok := Target{}, true
		if one.Kind == yaml.ScalarNode {
			t.Name, ok = in.text(one, "target")
		} else if in.read(one, "target", t.fields())["name"] == nil {
			in.fault(one, "target: want its name")
			continue
		}
		if ok {
			in.b.Targets = append(in.b.Targets, t)
		}
	}
}

// columns reads the section columns.
func (in *reader) columns(n *yaml.Node) {
	in.each(n, "columns", func(key, value *yaml.Node) {
		c := Column{Name: key.Value, Line: key.Line}
		var mean, sd *float64
		at := in.read(value, escape.Text(key.Value), c.fields(&mean, &sd))
		switch {
		case (at["mean"] == nil) != (at["sd"] == nil):
			in.fault(key, "%s: want both mean and sd, or neither", escape.Text(key.Value))
		case sd != nil && *sd <= 0:
			in.fault(at["sd"], "sd: must be positive")
		case mean != nil && sd != nil:
			c.Mean, c.SD = *mean, *sd
		}
		in.b.Columns = append(in.b.Columns, c)
	})
}

// terms reads the section terms: of each column, terms by their names.
func (in *reader) terms(n *yaml.Node) {
	in.each(n, "terms", func(column, of *yaml.Node) {
		in.each(of, "terms of "+escape.Text(column.Value), func(name, value *yaml.Node) {
			t := in.term(name, value) // a faulty one has a name that rules may use
			t.Column, t.Name, t.Line = column.Value, name.Value, name.Line
			in.b.Terms = append(in.b.Terms, t)
		})
	})
}

// term reads a term in words, of levels, or of parameters.
func (in *reader) term(name, n *yaml.Node) (t Term) {
	what := escape.Text(name.Value)
	switch n.Kind {
	case yaml.SequenceNode:
		t.Levels = in.names(n, what)
		return t
	case yaml.MappingNode:
		t.Params = in.parameters(what, n)
		return t
	}
	if text, ok := in.text(n, what); ok {
		var message string
		if t.Range, message = parseRange(text); t.Range == nil {
			in.fault(n, "%s: %s: %s", what, escape.Quote(text), message)
		}
	}
	return t
}

// parameters reads those of a term, which need a shape.
func (in *reader) parameters(what string, n *yaml.Node) (all []*big.Rat) {
	if in.b.Shape == nil {
		in.fault(n, "%s: parameters need a shape: set membership, such as gaussian", what)
		return nil
	}
	var names []string
	for _, p := range in.b.Shape.Params() {
		names = append(names, p.Name)
	}
	at := in.fields(n, "parameters of "+in.b.Shape.Name(), names...)
	for j, p := range names {
		if at[p] == nil {
			in.fault(n, "%s: %s is missing: %s has the parameters %s", what, p, in.b.Shape.Name(), strings.Join(names, ", "))
			return nil
		}
		v, ok := in.parameter(at[p], j)
		if !ok {
			return nil
		}
		all = append(all, v)
	}
	return all
}

// parameter reads parameter j of the shape: a number, or .inf or -.inf for an open border.
func (in *reader) parameter(n *yaml.Node, j int) (*big.Rat, bool) {
	shape := in.b.Shape
	param := shape.Params()[j]
	if n.Value != ".inf" && n.Value != "-.inf" {
		return in.number(n, param.Name)
	}
	v := new(big.Rat).Set(infinite)
	if n.Value[0] == '-' {
		v.Neg(v)
	}
	if open := openParams(shape); open == nil || param.Kind != membership.Position || open[j]*float64(v.Sign()) < 0 {
		in.fault(n, "%s of %s cannot be %s", param.Name, shape.Name(), n.Value)
		return nil, false
	}
	return v, true
}
