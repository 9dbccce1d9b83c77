package config

import (
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/membership"
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
				name: "tune." + k.Own(), doc: k.Draw.Doc, limits: k.Limits, choices: k.Choices,
				field: func(c *Config) any { return &list{k, &c.Tune.Space} },
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

// orExample returns the list or, where none is given, that of the default preset.
func (l *list) orExample() *list {
	if len((*l.space)[l.of.Own()]) > 0 {
		return l
	}
	space := robustSpace()
	return &list{l.of, &space}
}

func (l *list) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		want := "numbers, such as [1, 2]"
		switch l.of.Field(new(recipe.Recipe)).(type) {
		case *membership.Function:
			want = "shapes, such as [gaussian, trapezoid]"
		case *string, *bool:
			want = "values, such as " + written(l.orExample().node())
		}
		d.fault(n, "%s: want a list of %s", describe(n), want)
		return
	}
	var values []any
	for _, item := range n.Content {
		var r recipe.Recipe
		d.decode(item, inYAML(l.of.Field(&r)))
		values = append(values, l.of.Value(&r))
	}
	if *l.space == nil {
		*l.space = tune.Space{}
	}
	(*l.space)[l.of.Own()] = values
}

func (l *list) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range (*l.space)[l.of.Own()] {
		var r recipe.Recipe
		if err := l.of.Put(&r, v); err != nil {
			continue // a search refuses it
		}
		n.Content = append(n.Content, encodeNode(inYAML(l.of.Field(&r))))
	}
	return n
}

func (l *list) schema(k key) *schema {
	return &schema{Type: "array", Items: fieldSchema(k, inYAML(l.of.Field(new(recipe.Recipe)))), MinItems: 1}
}
