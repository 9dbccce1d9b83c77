package byhand

import (
	"math/big"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
)

// readTargets reads the section target: a name, a mapping, or a list of these.
func readTargets(in *reader, n *yaml.Node) {
	all := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		all = n.Content
	}
	for _, one := range all {
		if one.Kind == yaml.ScalarNode {
			if name, ok := in.text(one, "target"); ok {
				in.b.Targets = append(in.b.Targets, Target{Name: name})
			}
			continue
		}
		at := in.fields(one, "target", "name", "unit", "classes", "range", "mean")
		if at["name"] == nil {
			in.fault(one, "target: want its name")
			continue
		}
		t := Target{Classes: readNames(in, at["classes"], "classes"), Range: readSpan(in, at["range"], "range")}
		t.Name, _ = in.text(at["name"], "name")
		if at["unit"] != nil {
			t.Unit, _ = in.text(at["unit"], "unit")
		}
		if at["mean"] != nil {
			if v, ok := readNumber(in, at["mean"], "mean"); ok {
				mean := nearest(v)
				t.Mean = &mean
			}
		}
		in.b.Targets = append(in.b.Targets, t)
	}
}

// readColumns reads the section columns.
func readColumns(in *reader, n *yaml.Node) {
	in.each(n, "columns", func(key, value *yaml.Node) {
		at := in.fields(value, escape.Text(key.Value), "unit", "levels", "ordered", "range", "mean", "sd")
		c := Column{Name: key.Value, Levels: readNames(in, at["levels"], "levels"), Range: readSpan(in, at["range"], "range"), Line: key.Line}
		if at["unit"] != nil {
			c.Unit, _ = in.text(at["unit"], "unit")
		}
		if v := at["ordered"]; v != nil {
			if c.Ordered = v.Value == "true"; v.Value != "true" && v.Value != "false" {
				in.fault(v, "ordered: want true or false, not %s", shown(v))
			}
		}
		if at["mean"] != nil && at["sd"] != nil {
			mean, _ := readNumber(in, at["mean"], "mean")
			sd, ok := readNumber(in, at["sd"], "sd")
			if ok && sd.Sign() <= 0 {
				in.fault(at["sd"], "sd: must be positive")
			} else if mean != nil && ok {
				c.Mean, c.SD = nearest(mean), nearest(sd)
			}
		} else if at["mean"] != nil || at["sd"] != nil {
			in.fault(key, "%s: want both mean and sd, or neither", escape.Text(key.Value))
		}
		in.b.Columns = append(in.b.Columns, c)
	})
}

// readTerms reads the section terms: of each column, terms by their names.
func readTerms(in *reader, n *yaml.Node) {
	in.each(n, "terms", func(column, of *yaml.Node) {
		in.each(of, "terms of "+escape.Text(column.Value), func(name, value *yaml.Node) {
			t, _ := readTerm(in, name, value) // a faulty one has a name that rules may use
			t.Column, t.Name, t.Line = column.Value, name.Value, name.Line
			in.b.Terms = append(in.b.Terms, t)
		})
	})
}

// readTerm reads a term in words, of levels, or of parameters.
func readTerm(in *reader, name, n *yaml.Node) (t Term, ok bool) {
	switch n.Kind {
	case yaml.SequenceNode:
		t.Levels = readNames(in, n, escape.Text(name.Value))
		return t, t.Levels != nil
	case yaml.MappingNode:
		return readParameters(in, name, n)
	}
	text, ok := in.text(n, escape.Text(name.Value))
	if !ok {
		return t, false
	}
	r, message := parseRange(text)
	if r == nil {
		in.fault(n, "%s: %s: %s", escape.Text(name.Value), escape.Quote(text), message)
		return t, false
	}
	t.Range = r
	return t, true
}

// readParameters reads a term of parameters, which need a shape.
func readParameters(in *reader, name, n *yaml.Node) (t Term, ok bool) {
	if in.b.Shape == nil {
		in.fault(n, "%s: parameters need a shape: set membership, such as gaussian", escape.Text(name.Value))
		return t, false
	}
	var names []string
	for _, p := range in.b.Shape.Params() {
		names = append(names, p.Name)
	}
	at := in.fields(n, "parameters of "+in.b.Shape.Name(), names...)
	for _, p := range names {
		if at[p] == nil {
			in.fault(n, "%s: %s is missing: %s has the parameters %s", escape.Text(name.Value), p, in.b.Shape.Name(), strings.Join(names, ", "))
			return t, false
		}
		v, ok := readParameter(in, at[p], in.b.Shape, len(t.Params))
		if !ok {
			return t, false
		}
		t.Params = append(t.Params, v)
	}
	return t, true
}

// readParameter reads parameter j of a shape: a number, or .inf or -.inf for an open border.
func readParameter(in *reader, n *yaml.Node, shape membership.Function, j int) (*big.Rat, bool) {
	param := shape.Params()[j]
	if n.Value != ".inf" && n.Value != "-.inf" {
		return readNumber(in, n, param.Name)
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

// readNumber reads a decimal number.
func readNumber(in *reader, n *yaml.Node, what string) (*big.Rat, bool) {
	if n.Kind == yaml.ScalarNode {
		if v, ok := ParseDecimal(n.Value); ok {
			return v, true
		}
	}
	in.fault(n, "%s: want a number, not %s", what, shown(n))
	return nil, false
}

// readNames reads a list of names, none twice; nil without a node.
func readNames(in *reader, n *yaml.Node, what string) []string {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		in.fault(n, "%s: want a list of names, such as [mild, cold], not %s", what, shown(n))
		return nil
	}
	var all []string
	for _, one := range n.Content {
		name, ok := in.text(one, what)
		if ok && slices.Contains(all, name) {
			in.fault(one, "%s: %s is given twice", what, escape.Quote(name))
		}
		all = append(all, name)
	}
	return all
}

// readSpan reads a list of two numbers, ascending; nil without a node.
func readSpan(in *reader, n *yaml.Node, what string) *[2]float64 {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		in.fault(n, "%s: want the least and the largest value, such as [0, 10], not %s", what, shown(n))
		return nil
	}
	low, ok := readNumber(in, n.Content[0], what)
	high, also := readNumber(in, n.Content[1], what)
	if !ok || !also {
		return nil
	}
	if low.Cmp(high) >= 0 {
		in.fault(n, "%s: the first number must be less than the second", what)
		return nil
	}
	return &[2]float64{nearest(low), nearest(high)}
}
