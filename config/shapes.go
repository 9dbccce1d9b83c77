package config

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/membership"
)

// shapes is the value of tune.membership: a list of what model.membership takes.
type shapes struct{ functions *[]membership.Function }

func (s *shapes) decode(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return fmt.Errorf("%s: want a list of shapes, such as [gaussian, trapezoid]", describe(n))
	}
	*s.functions = make([]membership.Function, len(n.Content))
	for i, item := range n.Content {
		if err := (&shape{&(*s.functions)[i]}).decode(item); err != nil {
			return err
		}
	}
	return nil
}

func (s *shapes) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range *s.functions {
		n.Content = append(n.Content, (&shape{&(*s.functions)[i]}).node())
	}
	return n
}
