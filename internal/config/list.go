package config

import (
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// list is the value of a key of section tune that lists values of one of the recipe's.
type list struct {
	of    recipe.Key
	space *tune.Space
}

// listKeys returns the keys of the lists of a search.
func listKeys() []key {
	var rows []key
	for _, k := range recipe.DrawnKeys() {
		if k.Draw.Listed() {
			rows = append(rows, key{
				name: "tune." + k.Own(), limits: k.Limits, choices: k.Choices,
				field: func(c *Config) value { return &list{k, &c.Tune.Space} },
				shown: func(c *Config) bool { return len(c.Tune.Space[k.Own()]) > 0 },
			})
		}
	}
	return rows
}

// robustSpace is the space of the default preset, whose lists are examples.
var robustSpace = sync.OnceValue(func() tune.Space {
	space, err := tune.DefaultSpace(recipe.Robust(), false)
	if err != nil {
		panic(err) // the preset is sound
	}
	return space
})

func (l *list) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		d.fault(n, "%s: want a list of values, such as %s", describe(n), written(l.node()))
		return
	}
	var values []any
	for _, item := range n.Content {
		var r recipe.Recipe
		fieldOf(l.of.Field(&r)).decode(d, item)
		values = append(values, l.of.Value(&r))
	}
	if *l.space == nil {
		*l.space = tune.Space{}
	}
	(*l.space)[l.of.Own()] = values
}

// node writes the list or, where none is given, that of the default preset.
func (l *list) node() *yaml.Node {
	values := (*l.space)[l.of.Own()]
	if len(values) == 0 {
		values = robustSpace()[l.of.Own()]
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range values {
		var r recipe.Recipe
		if err := l.of.Put(&r, v); err != nil {
			continue // a search refuses it
		}
		n.Content = append(n.Content, fieldOf(l.of.Field(&r)).node())
	}
	return n
}

func (l *list) schema(k key) *schema {
	return &schema{Type: "array", Items: fieldOf(l.of.Field(new(recipe.Recipe))).schema(k), MinItems: 1}
}
