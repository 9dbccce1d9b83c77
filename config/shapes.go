package config

import (
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/membership"
)

// shapes is the value of tune.membership: a list of what model.membership takes.
type shapes struct{ functions *[]membership.Function }

func (s *shapes) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		d.fault(n, "%s: want a list of shapes, such as [gaussian, trapezoid]", describe(n))
		return
	}
	*s.functions = make([]membership.Function, len(n.Content))
	for i, item := range n.Content {
		(&shape{&(*s.functions)[i]}).decode(d, item)
	}
}

func (s *shapes) schema(k key) *schema {
	return &schema{Type: "array", Items: new(shape).schema(k), MinItems: 1}
}

func (s *shapes) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range *s.functions {
		n.Content = append(n.Content, (&shape{&(*s.functions)[i]}).node())
	}
	return n
}
