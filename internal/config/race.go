package config

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/suggest"
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
		settingKey{key{name: recipe.LeastSamples, limits: interval.From(1).To(recipe.MaxCount)}, func() recipe.Field { return recipe.Whole(new(int)) }},
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
		d.fault(at, "%s: no such key%s", printable(name), didYouMean(suggest.Closest(name, known)))
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
	list, settings := &yaml.Node{Kind: yaml.SequenceNode}, r.Get().([]recipe.Setting)
	if len(settings) == 0 {
		list.Style = yaml.FlowStyle
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
		list.Content = append(list.Content, item)
	}
	return list
}

// holdInRace makes keys that were set hold for all settings of the preset's race. A race
// that was set keeps its values. Where training continues with a saved model there is none.
// The race is then final: the recipe does not refer to that of its preset.
func holdInRace(c *Config, values sources) {
	c.Recipe.Preset = ""
	if values.has("train.race") {
		return
	}
	if c.Recipe.Model.FromFile() {
		c.Recipe.Train.Race = nil
	}
	for _, k := range recipe.RaceKeys() {
		if values.has(k.Name) {
			c.Recipe.Hold(k.Name)
		}
	}
}
