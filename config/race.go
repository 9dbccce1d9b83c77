package config

import (
	"fmt"
	"slices"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph"
)

// race is the value of train.race: a list of settings, each a mapping of some keys.
type race struct{ settings *[]tskgraph.Setting }

// raceKeys are the keys of a setting, and whose place each takes.
var raceKeys = []struct {
	name, of string
	field    func(*tskgraph.Setting) any
}{
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

func (r *race) decode(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return fmt.Errorf("%s: want a list of settings, such as [{iterations: 1000, l2: 0.01}], or []", describe(n))
	}
	*r.settings = nil
	for i, item := range n.Content {
		s, err := decodeSetting(item)
		if err != nil {
			return fmt.Errorf("setting %d: %w", i+1, err)
		}
		*r.settings = append(*r.settings, s)
	}
	return nil
}

func decodeSetting(n *yaml.Node) (s tskgraph.Setting, err error) {
	if n.Kind != yaml.MappingNode {
		return s, fmt.Errorf("%s: want keys, such as {iterations: 1000, l2: 0.01}", describe(n))
	}
	return s, pairs(n, func(name string, value *yaml.Node) error {
		var known []string
		for _, k := range raceKeys {
			if known = append(known, k.name); k.name == name {
				return named(name, decodeNode(value, k.field(&s)))
			}
		}
		return fmt.Errorf("%s: no such key%s", shorten(name), didYouMean(name, known))
	})
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
