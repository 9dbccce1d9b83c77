package byhand

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/rules"
	"go.yaml.in/yaml/v3"
)

// field is an entry of a mapping in rules.yaml: its key, and a pointer to the value that it is read into and written from. A zero value is
// not written.
type field struct {
	key   string
	value any
}

func (t *Target) fields() []field {
	return []field{{"name", &t.Name}, {"unit", &t.Unit}, {"classes", &t.Classes}, {"range", &t.Range}, {"mean", &t.Mean}}
}

// fields returns those of a column, whose mean and standard deviation are stated together.
func (c *Column) fields(mean, sd **float64) []field {
	return []field{{"unit", &c.Unit}, {"levels", &c.Levels}, {"ordered", &c.Ordered}, {"range", &c.Range}, {"mean", mean}, {"sd", sd}}
}

func (r *Rule) fields() []field {
	return []field{{"if", &r.If}, {"off", &r.Off}, {"then", &r.Then}, {"keep", &r.Keep}, {"merged", &r.Merged}}
}

// read reads the fields of a mapping and returns their nodes.
func (in *reader) read(n *yaml.Node, what string, fields []field) map[string]*yaml.Node {
	var known []string
	for _, f := range fields {
		known = append(known, f.key)
	}
	at := in.fields(n, what, known...)
	for _, f := range fields {
		if value := at[f.key]; value != nil {
			in.value(value, f.key, f.value)
		}
	}
	return at
}

// keeps are the values of keep.
var keeps = []string{"nothing", "if", "then", "all"}

// value reads a node into what a pointer points to.
func (in *reader) value(n *yaml.Node, what string, into any) {
	switch v := into.(type) {
	case *string:
		*v, _ = in.text(n, what)
	case *bool:
		if *v = n.Value == "true"; n.Value != "true" && n.Value != "false" {
			in.fault(n, "%s: want true or false, not %s", what, shown(n))
		}
	case *int:
		var err error
		if *v, err = strconv.Atoi(n.Value); err != nil || *v < 1 || *v > 1_000_000 {
			in.fault(n, "%s: want the number of rules that this one was merged from, at least 1, not %s", what, shown(n))
		}
	case **float64:
		if r, ok := in.number(n, what); ok {
			f := nearest(r)
			*v = &f
		}
	case **[2]float64:
		*v = in.span(n, what)
	case *[]string:
		*v = in.names(n, what)
	case *rules.Keep:
		if n.Kind != yaml.ScalarNode || !slices.Contains(keeps, n.Value) {
			in.fault(n, "%s: want if, then, all or nothing, not %s%s", what, shown(n), meant(n.Value, keeps))
		} else if n.Value != keeps[0] {
			*v, _ = rules.ParseKeep(n.Value) // it is in keeps
		}
	case *[]Condition:
		*v = in.conditions(n)
	case *[]Formula:
		*v = in.then(n)
	}
}

// number reads a decimal number.
func (in *reader) number(n *yaml.Node, what string) (*big.Rat, bool) {
	if n.Kind == yaml.ScalarNode {
		if v, ok := ParseDecimal(n.Value); ok {
			return v, true
		}
	}
	in.fault(n, "%s: want a number, not %s", what, shown(n))
	return nil, false
}

// names reads a list of names, none twice.
func (in *reader) names(n *yaml.Node, what string) []string {
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

// span reads a list of two numbers, ascending.
func (in *reader) span(n *yaml.Node, what string) *[2]float64 {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		in.fault(n, "%s: want the least and the largest value, such as [0, 10], not %s", what, shown(n))
		return nil
	}
	low, ok := in.number(n.Content[0], what)
	high, also := in.number(n.Content[1], what)
	if !ok || !also {
		return nil
	}
	if low.Cmp(high) >= 0 {
		in.fault(n, "%s: the first number must be less than the second", what)
		return nil
	}
	return &[2]float64{nearest(low), nearest(high)}
}

// write adds fields to a mapping.
func write(to *yaml.Node, fields []field) *yaml.Node {
	for _, f := range fields {
		if n := valueNode(f.value); n != nil {
			put(to, f.key, n)
		}
	}
	return to
}

// valueNode returns what a pointer points to; nil of a zero value.
func valueNode(of any) *yaml.Node {
	switch v := of.(type) {
	case *string:
		if *v != "" {
			return scalar(*v)
		}
	case *bool:
		if *v {
			return plain("true")
		}
	case *int:
		if *v > 1 {
			return plain(strconv.Itoa(*v))
		}
	case **float64:
		if *v != nil {
			return plain(decimal(rational(**v)))
		}
	case **[2]float64:
		if *v != nil {
			return flow(yaml.SequenceNode, plain(decimal(rational((*v)[0]))), plain(decimal(rational((*v)[1]))))
		}
	case *[]string:
		if *v != nil {
			return namesNode(*v)
		}
	case *rules.Keep:
		if *v != 0 {
			return scalar(v.String())
		}
	case *[]Condition:
		return scalar(conditionsText(*v))
	case *[]Formula:
		return thenNode(*v)
	}
	return nil
}
