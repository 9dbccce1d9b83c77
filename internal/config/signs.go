package config

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// signs is the value of model.signs: a sign by column, or by column and target.
type signs struct{ recipe.Field }

func (s signs) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "%s: want signs by column, such as {outside: -, day: +}", describe(n))
		return
	}
	var all recipe.Signs
	d.pairs(n, func(column string, _, value *yaml.Node) {
		d := d.in(fmt.Sprintf("column %q", shorten(column)))
		targets := map[string]recipe.Sign{}
		set := func(d decoder, target string, n *yaml.Node) {
			var sign recipe.Sign
			if n.Kind != yaml.ScalarNode || sign.UnmarshalText([]byte(n.Value)) != nil {
				d.fault(n, "%s: want + (the prediction of a rule does not fall with the column) or - (it does not rise)", describe(n))
			}
			targets[target] = sign
		}
		if value.Kind != yaml.MappingNode {
			set(d, recipe.AllTargets, value)
		} else {
			d.pairs(value, func(target string, _, value *yaml.Node) {
				set(d.in(fmt.Sprintf("target %q", shorten(target))), target, value)
			})
		}
		if all == nil {
			all = recipe.Signs{}
		}
		all[column] = targets
	})
	_ = s.Set(all)
}

func (s signs) schema(key) *schema {
	sign := &schema{Enum: []string{"+", "-"}}
	return &schema{Type: "object", Additional: &schema{AnyOf: []*schema{sign, {Type: "object", Additional: sign}}}}
}

func (s signs) node() *yaml.Node {
	m, all := mapNode(), s.Get().(recipe.Signs)
	for _, column := range slices.Sorted(maps.Keys(all)) {
		targets := mapNode()
		for _, target := range slices.Sorted(maps.Keys(all[column])) {
			text, _ := all[column][target].MarshalText() // a configuration has valid signs
			targets.Content = append(targets.Content, scalarNode(target), scalarNode(string(text)))
		}
		if c := targets.Content; len(c) == 2 && c[0].Value == recipe.AllTargets {
			targets = c[1]
		}
		m.Content = append(m.Content, scalarNode(column), targets)
	}
	return m
}
