package config

import (
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// margin is the value of model.margin: a number, or none, which is an infinite one.
type margin struct{ recipe.Field }

func (m margin) decode(d decoder, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Value == "none" {
		_ = m.Set(recipe.Unlimited)
		return
	}
	if n.Tag == "!!str" {
		d.fault(n, "%s: want a number, or none", describe(n))
		return
	}
	share := float64(m.Get().(recipe.Margin))
	realAt(&share).decode(d, n)
	_ = m.Set(recipe.Margin(share))
}

func (m margin) node() *yaml.Node {
	share := float64(m.Get().(recipe.Margin))
	if math.IsInf(share, 1) {
		return scalarNode("none")
	}
	return realAt(&share).node()
}

func (m margin) schema(k key) *schema {
	return &schema{AnyOf: []*schema{numberSchema(k.limits, "number"), {Enum: []string{"none"}}}}
}

// bounds is the value of model.bounds: a list of two numbers, either of which may be open.
type bounds struct{ recipe.Field }

// openBounds are the ways to write that there is no least and no largest prediction, beside null.
var openBounds = [2][]string{{".", "-.inf"}, {".", ".inf"}}

func (b bounds) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		d.fault(n, "%s: want the least and the largest prediction, with ~ for none, such as [0, ~]", describe(n))
		return
	}
	both := recipe.Bounds{math.Inf(-1), math.Inf(1)}
	for i, end := range n.Content {
		if end.Kind == yaml.ScalarNode && (end.Tag == "!!null" || slices.Contains(openBounds[i], end.Value)) {
			continue
		}
		realAt(&both[i]).decode(d, end)
	}
	limits := &both
	if math.IsInf(both[0], 0) && math.IsInf(both[1], 0) {
		limits = nil
	}
	_ = b.Set(limits)
}

func (b bounds) node() *yaml.Node {
	limits := b.Get().(*recipe.Bounds)
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range 2 {
		if limits == nil || math.IsInf(limits[i], 0) {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "~"})
		} else {
			n.Content = append(n.Content, realAt(&limits[i]).node())
		}
	}
	return n
}

func (b bounds) schema(key) *schema {
	end := &schema{AnyOf: []*schema{{Type: []string{"number", "null"}}, {Enum: []string{"."}}}}
	return &schema{Type: "array", Items: end, MinItems: 2, MaxItems: 2}
}
