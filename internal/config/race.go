package config

import (
	"fmt"
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// race is the value of train.race: a list of settings, each a mapping of some keys.
type race struct{ recipe.Field }

// settingKey is a key of a setting: the value of one of the recipe's, the least number of
// samples, or whether it is for classes.
type settingKey struct {
	key
	field func() recipe.Field // a new value
}

// settingKeys are the keys of a setting. Zero and the empty text are no values.
func settingKeys() []settingKey {
	var all []settingKey
	for _, k := range recipe.RaceKeys() {
		limits := k.Limits
		if limits != nil {
			limits = limits.Positive()
		}
		one := settingKey{key{name: k.Own(), limits: limits, choices: k.Choices}, func() recipe.Field { return k.Field(new(recipe.Recipe)) }}
		if _, ok := fieldOf(one.field()).(shape); ok { // a built-in shape, by name: a race is saved as text
			one.choices, one.field = membership.Names(), func() recipe.Field { return recipe.Word(new(string)) }
		}
		all = append(all, one)
	}
	return append(all,
		settingKey{key{name: recipe.LeastSamples, limits: interval.From(1).To(recipe.MaxCount)},
			func() recipe.Field { return recipe.Whole(new(int)) }},
		settingKey{key{name: recipe.Classes}, func() recipe.Field { return recipe.Flag(new(bool)) }})
}

func (r race) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		d.fault(n, "%s: want a list of settings, such as [{iterations: 1000, l2: 0.01}], or []", describe(n))
		return
	}
	var all []recipe.Setting
	for i, item := range n.Content {
		all = append(all, decodeSetting(d.in(fmt.Sprintf("setting %d", i+1)), item))
	}
	_ = r.Set(all)
}

func decodeSetting(d decoder, n *yaml.Node) recipe.Setting {
	s := recipe.Setting{}
	if n.Kind != yaml.MappingNode {
		d.fault(n, "%s: want keys, such as {iterations: 1000, l2: 0.01}", describe(n))
		return s
	}
	d.pairs(n, func(name string, at, value *yaml.Node) {
		var known []string
		for _, k := range settingKeys() {
			if known = append(known, k.name); k.name == name {
				in := d.in(name)
				in.key = k.key
				in.key.name = d.key.name
				field := k.field()
				fieldOf(field).decode(in, value)
				s[name] = field.Get()
				return
			}
		}
		d.fault(at, "%s: no such key%s", printable(name), didYouMean(registry.Closest(name, known)))
	})
	return s
}

func (r race) schema(key) *schema {
	setting := &schema{Type: "object", Additional: false}
	for _, k := range settingKeys() {
		setting.Properties = append(setting.Properties, property{k.name, fieldOf(k.field()).schema(k.key)})
	}
	return &schema{Type: "array", Items: setting}
}

func (r race) node() *yaml.Node {
	items, settings := &yaml.Node{Kind: yaml.SequenceNode}, r.Get().([]recipe.Setting)
	if len(settings) == 0 {
		items.Style = yaml.FlowStyle
	}
	for _, s := range settings {
		item := mapNode()
		for _, k := range settingKeys() {
			if text := s.Text(k.name); text != "" {
				field := k.field()
				if err := field.Parse(text); err != nil {
					continue // training refuses it
				}
				item.Content = append(item.Content, scalarNode(k.name), fieldOf(field).node())
			}
		}
		items.Content = append(items.Content, item)
	}
	return items
}

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

// limits is the value of model.range: a list of two numbers, either of which may be open.
type limits struct{ recipe.Field }

// openLimits are the ways to write that there is no least and no largest prediction, beside null.
var openLimits = [2][]string{{".", "-.inf"}, {".", ".inf"}}

func (l limits) decode(d decoder, n *yaml.Node) {
	ends, ok := decodeEnds(d, n, "the least and the largest prediction")
	switch {
	case !ok:
	case math.IsInf(ends[0], 0) && math.IsInf(ends[1], 0):
		_ = l.Set((*recipe.Range)(nil))
	default:
		_ = l.Set((*recipe.Range)(&ends))
	}
}

// decodeEnds reads a list of two numbers, an infinity for one that is open; not ok if it is none.
func decodeEnds(d decoder, n *yaml.Node, want string) (ends [2]float64, ok bool) {
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		d.fault(n, "%s: want %s, with ~ for none, such as [0, ~]", describe(n), want)
		return ends, false
	}
	ends = [2]float64{math.Inf(-1), math.Inf(1)}
	for i, end := range n.Content {
		if end.Kind == yaml.ScalarNode && (end.Tag == "!!null" || slices.Contains(openLimits[i], end.Value)) {
			continue
		}
		realAt(&ends[i]).decode(d, end)
	}
	return ends, true
}

func (l limits) node() *yaml.Node {
	if ends := l.Get().(*recipe.Range); ends != nil {
		return endsNode(*ends)
	}
	return endsNode([2]float64{math.Inf(-1), math.Inf(1)})
}

func endsNode(ends [2]float64) *yaml.Node {
	return sequence(ends[:], func(end float64) *yaml.Node {
		if math.IsInf(end, 0) {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "~"}
		}
		return realAt(&end).node()
	})
}

func (l limits) schema(key) *schema { return endsSchema() }

func endsSchema() *schema {
	end := &schema{AnyOf: []*schema{{Type: []string{"number", "null"}}, {Enum: []string{"."}}}}
	return &schema{Type: "array", Items: end, MinItems: 2, MaxItems: 2}
}

// numbers is the value of a key that is a list of numbers, each within the key's limits.
type numbers struct{ recipe.Field }

func (l numbers) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		d.fault(n, "%s: want a list of numbers, such as [1, 2]", describe(n))
		return
	}
	var read recipe.Numbers
	for _, item := range n.Content {
		var v float64
		realAt(&v).decode(d, item)
		read = append(read, v)
	}
	_ = l.Set(read)
}

func (l numbers) node() *yaml.Node {
	return sequence(l.Get().(recipe.Numbers), func(v float64) *yaml.Node { return realAt(&v).node() })
}

func (l numbers) schema(k key) *schema {
	return &schema{Type: "array", Items: numberSchema(k.limits, "number")}
}

// fieldOf returns the value of a field.
func fieldOf(f recipe.Field) value {
	switch f.Get().(type) {
	case string:
		return text{f}
	case int:
		return whole{f}
	case uint64:
		return seed{f}
	case float64:
		return real{f}
	case bool:
		return flag{f}
	case recipe.Margin:
		return margin{f}
	case *recipe.Range:
		return limits{f}
	case recipe.Numbers:
		return numbers{f}
	case recipe.Monotone:
		return monotone{f}
	case recipe.Roles:
		return roles{f}
	case recipe.Interactions:
		return interactions{f}
	case []recipe.Setting:
		return race{f}
	}
	return shape{f} // which may be nil
}
