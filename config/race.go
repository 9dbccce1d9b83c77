package config

import (
	"fmt"
	"slices"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/suggest"
)

// race is the value of train.race: a list of settings, each a mapping of some keys.
type race struct{ settings *[]tskgraph.Setting }

// raceKey is a key of a setting.
type raceKey struct {
	name  string
	of    string // the key whose place it takes
	field func(*tskgraph.Setting) any
}

// key returns what is known of its values, under a name. Zero, and the empty text, leave
// the option as it is, so that they are no values.
func (k raceKey) key(name string) key {
	of, ok := lookup(k.of)
	if !ok {
		of.limits = from(1).to(maxCount)
	}
	if of.limits != nil {
		of.limits = of.limits.positive()
	}
	return key{name: name, limits: of.limits, choices: of.choices}
}

var raceKeys = []raceKey{
	{"init", "model.init", func(s *tskgraph.Setting) any { return &s.Init }},
	{"antecedents", "model.antecedents", func(s *tskgraph.Setting) any { return &s.Antecedents }},
	{"iterations", "train.iterations", func(s *tskgraph.Setting) any { return &s.Iterations }},
	{"batch", "train.batch", func(s *tskgraph.Setting) any { return &s.Batch }},
	{"learning_rate", "train.learning_rate", func(s *tskgraph.Setting) any { return &s.LearningRate }},
	{"consequent_rate", "train.consequent_rate", func(s *tskgraph.Setting) any { return &s.ConsequentRate }},
	{"l2", "train.l2", func(s *tskgraph.Setting) any { return &s.L2 }},
	{"droprule", "train.droprule", func(s *tskgraph.Setting) any { return &s.DropRule }},
	{"uniform", "train.uniform", func(s *tskgraph.Setting) any { return &s.Uniform }},
	{"least_samples", "", func(s *tskgraph.Setting) any { return &s.LeastSamples }},
}

func (r *race) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		d.fault(n, "%s: want a list of settings, such as [{iterations: 1000, l2: 0.01}], or []", describe(n))
		return
	}
	*r.settings = nil
	for i, item := range n.Content {
		var s tskgraph.Setting
		decodeSetting(d.in(fmt.Sprintf("setting %d", i+1)), item, &s)
		*r.settings = append(*r.settings, s)
	}
}

func decodeSetting(d decoder, n *yaml.Node, s *tskgraph.Setting) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "%s: want keys, such as {iterations: 1000, l2: 0.01}", describe(n))
		return
	}
	d.pairs(n, func(name string, at, value *yaml.Node) {
		var known []string
		for _, k := range raceKeys {
			if known = append(known, k.name); k.name == name {
				in := d.in(name)
				in.key = k.key(d.key.name)
				in.decode(value, k.field(s))
				return
			}
		}
		d.fault(at, "%s: no such key%s", printable(name), didYouMean(suggest.Closest(name, known)))
	})
}

func (r *race) schema(key) *schema {
	setting := &schema{Type: "object", Additional: false}
	for _, k := range raceKeys {
		setting.Properties = append(setting.Properties, property{k.name, fieldSchema(k.key(""), k.field(new(tskgraph.Setting)))})
	}
	return &schema{Type: "array", Items: setting}
}

func (r *race) node() *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	if len(*r.settings) == 0 {
		list.Style = yaml.FlowStyle
	}
	for _, s := range *r.settings {
		item := mapNode()
		for _, k := range raceKeys {
			if value := encodeNode(k.field(&s)); value.Value != "" && value.Value != "0" {
				item.Content = append(item.Content, scalarNode(k.name), value)
			}
		}
		list.Content = append(list.Content, item)
	}
	return list
}

// holdInRace makes keys that were set hold for all settings of the preset's race. A
// race that was set is left as it is. Going on with a saved model there is none.
func (c *Config) holdInRace(values *viper.Viper) {
	if values.IsSet("train.race") {
		return
	}
	if c.Options.Model.FromFile() {
		c.Options.Train.Race = nil
	}
	settings := slices.Clone(c.Options.Train.Race)
	for i := range settings {
		for _, k := range raceKeys {
			if values.IsSet(k.of) {
				unset(k.field(&settings[i]))
			}
		}
	}
	c.Options.Train.Race = slices.Compact(settings)
}

// unset leaves the option as it is.
func unset(field any) {
	switch f := field.(type) {
	case *string:
		*f = ""
	case *int:
		*f = 0
	case *float64:
		*f = 0
	}
}
