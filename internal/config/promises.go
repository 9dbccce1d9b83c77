package config

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// monotone is the value of model.monotone: a direction by column, or by column and target.
type monotone struct{ recipe.Field }

func (m monotone) decode(d decoder, n *yaml.Node) {
	all := recipe.Monotone{}
	d.byColumn(n, "directions by column, such as {age: increasing, outside: decreasing}", func(d decoder, column string, value *yaml.Node) {
		targets := map[string]recipe.Direction{}
		set := func(d decoder, target string, n *yaml.Node) {
			var direction recipe.Direction
			if n.Kind != yaml.ScalarNode {
				d.fault(n, "%s: want increasing or decreasing", describe(n))
			} else if err := direction.UnmarshalText([]byte(n.Value)); err != nil {
				d.fault(n, "%v", err)
			}
			targets[target] = direction
		}
		if value.Kind != yaml.MappingNode {
			set(d, recipe.AllTargets, value)
		} else {
			d.pairs(value, func(target string, _, value *yaml.Node) {
				set(d.in(fmt.Sprintf("target %q", shorten(target))), target, value)
			})
		}
		all[column] = targets
	})
	if len(all) == 0 {
		all = nil
	}
	_ = m.Set(all)
}

func (m monotone) schema(key) *schema {
	direction := &schema{Enum: []string{"increasing", "decreasing"}}
	return &schema{Type: "object", Additional: &schema{AnyOf: []*schema{direction, {Type: "object", Additional: direction}}}}
}

func (m monotone) node() *yaml.Node {
	return sorted(m.Get().(recipe.Monotone), func(targets map[string]recipe.Direction) *yaml.Node {
		n := sorted(targets, func(direction recipe.Direction) *yaml.Node {
			text, _ := direction.MarshalText() // a configuration has valid directions
			return scalarNode(string(text))
		})
		if len(targets) == 1 && n.Content[0].Value == recipe.AllTargets {
			return n.Content[1]
		}
		return n
	})
}

// roles is the value of model.roles: a role by column.
type roles struct{ recipe.Field }

func (r roles) decode(d decoder, n *yaml.Node) {
	all := recipe.Roles{}
	d.byColumn(n, "roles by column, such as {hour: if, sun: then, id: none}", func(d decoder, column string, value *yaml.Node) {
		var role recipe.Role
		if value.Kind != yaml.ScalarNode {
			d.fault(value, "%s: want if, then, both or none", describe(value))
		} else if err := role.UnmarshalText([]byte(value.Value)); err != nil {
			d.fault(value, "%v", err)
		}
		all[column] = role
	})
	if len(all) == 0 {
		all = nil
	}
	_ = r.Set(all)
}

func (r roles) schema(key) *schema {
	return &schema{Type: "object", Additional: &schema{Enum: []string{"if", "then", "both", "none"}}}
}

func (r roles) node() *yaml.Node {
	return sorted(r.Get().(recipe.Roles), func(role recipe.Role) *yaml.Node {
		text, _ := role.MarshalText() // a configuration has valid roles
		return scalarNode(string(text))
	})
}

// interactions is the value of model.interactions: a list of groups of columns.
type interactions struct{ recipe.Field }

func (i interactions) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		d.fault(n, "%s: want a list of groups of columns, such as [[outside, sun], [hour, day]], or []", describe(n))
		return
	}
	var all recipe.Interactions
	for at, item := range n.Content {
		var group names
		group.decode(d.in(fmt.Sprintf("group %d", at+1)), item)
		all = append(all, group)
	}
	_ = i.Set(all)
}

func (i interactions) schema(key) *schema { return &schema{Type: "array", Items: listOfNames()} }

func (i interactions) node() *yaml.Node {
	return sequence(i.Get().(recipe.Interactions), func(group []string) *yaml.Node { return listNode(group) })
}
