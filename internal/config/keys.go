package config

import (
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/interval"
)

// Limits of counts, as package tune has them.
const (
	maxRepeats = 1000
	maxFolds   = 1000
)

// keys is the table of keys that reading, printing, the commented template and the schema
// follow. Those of the recipe and of the lists of a search come from package recipe.
var keys = registry.Cached(func() []key {
	all := slices.Concat(dataKeys, timeKeys, recipeKeys(), listKeys(), runKeys)
	for i, k := range all {
		if k.doc == "" {
			all[i].doc = recipe.Doc(k.name, nil)
		}
	}
	return all
})

var dataKeys = []key{
	{name: "preset", choices: recipe.Presets(), field: func(c *Config) value { return textAt(&c.Preset) }},

	{name: "task", choices: table.Tasks(), example: "auto",
		field: func(c *Config) value { return textAt(&c.Data.Task) },
		shown: func(c *Config) bool { return c.Data.Task != "" && c.Data.Task != "auto" }},

	{name: "data.path", outside: true, example: "table.csv",
		field: func(c *Config) value { return &files{&c.Data.Path} }, shown: ownTable},
	{name: "data.query", outside: true, example: "SELECT * FROM plants ORDER BY id",
		field: func(c *Config) value { return textAt(&c.Data.Query) }, shown: func(c *Config) bool { return c.Data.Query != "" }},
	{name: "data.test_path", outside: true, example: "test.csv",
		field: func(c *Config) value { return &files{&c.Data.TestPath} }, shown: func(c *Config) bool { return c.Data.TestPath != "" }},
	{name: "data.builtin", choices: data.Builtins(), doc: recipe.Doc("data.builtin", data.Builtins()), example: "mackey-glass",
		field: func(c *Config) value { return textAt(&c.Data.Builtin) }, shown: func(c *Config) bool { return !ownTable(c) }},
	{name: "data.target", example: "y",
		field: func(c *Config) value { return &target{&c.Data.Options} }, shown: ownTable},
	{name: "data.features", example: "[]",
		field: func(c *Config) value { return (*names)(&c.Data.Features) }, shown: func(c *Config) bool { return len(c.Data.Features) > 0 }},
	{name: "data.ignore", example: "[]",
		field: func(c *Config) value { return (*names)(&c.Data.Ignore) }, shown: func(c *Config) bool { return len(c.Data.Ignore) > 0 }},
	{name: "data.weight", example: "weight",
		field: func(c *Config) value { return textAt(&c.Data.Weight) }, shown: func(c *Config) bool { return c.Data.Weight != "" }},
	{name: "data.offset", example: "exposure",
		field: func(c *Config) value { return textAt(&c.Data.Offset.Column) }, shown: func(c *Config) bool { return c.Data.Offset.Column != "" }},
	{name: "data.delimiter", choices: []string{"auto", "comma", "semicolon", "tab"}, example: "auto",
		field: func(c *Config) value { return textAt(&c.Data.Delimiter) }, shown: ownTable},
	{name: "data.missing", choices: []string{"error", "drop", "mean", "own"}, example: "error",
		field: func(c *Config) value { return textAt(&c.Data.Missing) }, shown: ownTable},
	{name: "data.na", example: "[]",
		field: func(c *Config) value { return &na{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.NA) > 0 }},
	{name: "data.categorical", example: "auto",
		field: func(c *Config) value { return &categorical{&c.Data.Options} }, shown: ownTable},
	{name: "data.limits", example: "{}",
		field: func(c *Config) value { return &columnLimits{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.Limits) > 0 }},
	{name: "data.units", example: "{}",
		field: func(c *Config) value { return &units{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.Units) > 0 }},
	{name: "data.split", choices: []string{"random", "chronological", "column"}, example: "random",
		field: func(c *Config) value { return textAt(&c.Data.Split.Kind) }, shown: func(c *Config) bool {
			return c.Data.TestPath == "" || c.Data.Split.Validation > 0 || c.Data.Split.Kind == "chronological"
		}},
	{name: "data.train", limits: interval.Above(0).To(1), example: "0.7",
		field: func(c *Config) value { return realAt(&c.Data.Split.Train) },
		shown: func(c *Config) bool { return shares(c) && c.Data.TestPath == "" }},
	{name: "data.validation", limits: interval.From(0).Below(1), example: "0",
		field: func(c *Config) value { return realAt(&c.Data.Split.Validation) }, shown: shares},
	{name: "data.calibration", limits: interval.From(0).Below(1), example: "0",
		field: func(c *Config) value { return realAt(&c.Data.Split.Calibration) },
		shown: func(c *Config) bool { return c.Data.Split.Calibration > 0 }},
	{name: "data.group", example: "patient",
		field: func(c *Config) value { return textAt(&c.Data.Group) }, shown: func(c *Config) bool { return c.Data.Group != "" }},
	{name: "data.split_column", example: "part",
		field: func(c *Config) value { return textAt(&c.Data.Split.Column) }, shown: func(c *Config) bool { return !shares(c) }},
	{name: "data.split_seed", example: "1",
		field: func(c *Config) value { return seed{recipe.Seed(&c.Data.Split.Seed)} },
		shown: func(c *Config) bool { return c.Data.Split.Kind == "random" }},
	{name: "data.memory", example: "auto",
		field: func(c *Config) value { return &size{&c.Data.Memory} }, shown: func(c *Config) bool { return c.Data.Memory > 0 }},
	{name: "data.scratch", outside: true, example: "/var/tmp",
		field: func(c *Config) value { return textAt(&c.Data.Scratch) }, shown: func(c *Config) bool { return c.Data.Scratch != "" }},
}

// runKeys are the keys of a search, beside its lists, and of the output.
var runKeys = []key{
	{name: "tune.folds", limits: interval.From(2).To(maxFolds), example: "5",
		field: func(c *Config) value { return whole{recipe.Whole(&c.Tune.Folds)} }, shown: func(c *Config) bool { return c.Tune.Folds > 0 }},
	{name: "tune.repeats", limits: interval.From(1).To(maxRepeats), example: "1",
		field: func(c *Config) value { return whole{recipe.Whole(&c.Tune.Repeats)} }, shown: func(c *Config) bool { return c.Tune.Repeats > 0 }},
	{name: "tune.split", choices: []string{"random", "chronological"}, example: "random",
		field: func(c *Config) value { return textAt(&c.Tune.Split) }, shown: func(c *Config) bool { return c.Tune.Split != "" }},
	{name: "tune.choose", choices: []string{"simplest", "best"}, example: "simplest",
		field: func(c *Config) value { return textAt(&c.Tune.Choose) }, shown: func(c *Config) bool { return c.Tune.Choose != "" }},

	{name: "output.dir", outside: true, filled: true, field: func(c *Config) value { return textAt(&c.Output.Dir) }},
	{name: "output.tables", example: "true",
		field: func(c *Config) value { return flag{recipe.Flag(&c.Output.Tables)} }, shown: func(c *Config) bool { return !c.Output.Tables }},
}

func ownTable(c *Config) bool { return c.Data.Path != "" }
func shares(c *Config) bool   { return c.Data.Split.Kind != "column" }

// recipeKeys returns the keys of the recipe.
func recipeKeys() []key {
	var rows []key
	for _, k := range recipe.Keys() {
		row := key{
			name: k.Name, doc: k.Doc, example: k.Example, limits: k.Limits, choices: k.Choices, orModel: k.OrModel,
			field: func(c *Config) value { return fieldOf(k.Field(&c.Recipe)) },
		}
		if k.Shown != nil {
			row.shown = func(c *Config) bool { return k.Shown(&c.Recipe) }
		}
		if k.Name == "train.validate_every" {
			row.shown = func(c *Config) bool { return c.Data.Split.Validation > 0 || !shares(c) }
		}
		rows = append(rows, row)
	}
	return rows
}

func lookup(name string) (key, bool) {
	i := slices.IndexFunc(keys(), func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return keys()[i], true
}

// section returns the section of a key and the rest of its name; the preset has
// no section.
func (k key) section() (section, rest string) {
	if section, rest, ok := strings.Cut(k.name, "."); ok {
		return section, rest
	}
	return "", k.name
}

// sections are the names of the sections, in order.
func sections() []string {
	var all []string
	for _, k := range keys() {
		if s, _ := k.section(); s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// variable is the environment variable of a key.
func (k key) variable() string {
	return "TSKGRAPH_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
}

func keyOfVariable(name string) (key, bool) {
	i := slices.IndexFunc(keys(), func(k key) bool { return k.variable() == name })
	if i < 0 {
		return key{}, false
	}
	return keys()[i], true
}

// closestVariable returns the environment variable that an unknown one was probably meant
// to be. isMeant reports whether that is probable enough for a fault: it begins with a
// section, is spelt like a variable, or lacks the section.
func closestVariable(name string) (closest string, isMeant bool) {
	text, ours := strings.CutPrefix(name, "TSKGRAPH_")
	if !ours {
		return "", false
	}
	if slices.Contains(sections(), strings.ToLower(text)) {
		return "", false // TSKGRAPH_DATA is where the tests find data
	}
	var variables []string
	for _, k := range keys() {
		variables = append(variables, k.variable())
	}
	if closest = registry.Closest(name, variables); closest != "" {
		return closest, true
	}
	text = strings.ToLower(text)
	if k, ok := sameName(text); ok {
		return k.variable(), true
	}
	section, rest, _ := strings.Cut(text, "_")
	if k, ok := lookup(closestKey(section + "." + rest)); ok {
		closest = k.variable()
	}
	return closest, rest != "" && slices.Contains(sections(), section)
}

// former are keys of earlier versions, and what to write instead.
var former = map[string]string{
	"model.signs": "is model.monotone now, which holds for every prediction: write model.monotone: {age: increasing, outside: decreasing} " +
		"for {age: +, outside: -}",
	"model.bounds": "is model.range now: write model.range: [0, ~]",
}

// unknown is the message about a key that there is none of.
func unknown(key string) string {
	if text := former[key]; text != "" {
		return text
	}
	return "no such key" + didYouMean(closestKey(key))
}

// closestKey returns the key, or the section, that a wrong name was probably meant to
// be: the key of that name in another section, else one that is spelt alike.
func closestKey(name string) string {
	if i := slices.IndexFunc(sections(), func(s string) bool { return strings.EqualFold(s, name) }); i >= 0 {
		return sections()[i]
	}
	own := name
	if _, rest, ok := strings.Cut(name, "."); ok {
		own = rest
	}
	if k, ok := sameName(own); ok {
		return k.name
	}
	var full, all []string
	for _, k := range keys() {
		_, name := k.section()
		full, all = append(full, k.name), append(all, name)
	}
	if closest := registry.Closest(name, append(full, sections()...)); closest != "" {
		return closest
	}
	k, _ := sameName(registry.Closest(own, all))
	return k.name
}

// sameName returns the first key of a name within its section, whatever the section.
func sameName(name string) (key, bool) {
	i := slices.IndexFunc(keys(), func(k key) bool {
		_, own := k.section()
		return strings.EqualFold(own, name)
	})
	if i < 0 {
		return key{}, false
	}
	return keys()[i], true
}

// listed is the value of a key of section tune that lists values of one of the recipe's.
type listed struct {
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
				field: func(c *Config) value { return &listed{k, &c.Tune.Space} },
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

func (l *listed) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		d.fault(n, "%s: want a list of values, such as %s", describe(n), written(l.node()))
		return
	}
	var values []any
	for _, item := range n.Content {
		var r recipe.Recipe
		fieldOf(l.of.Field(&r)).decode(d, item)
		values = append(values, l.of.Field(&r).Get())
	}
	if *l.space == nil {
		*l.space = tune.Space{}
	}
	(*l.space)[l.of.Own()] = values
}

// node writes the list or, where none is given, that of the default preset.
func (l *listed) node() *yaml.Node {
	values := (*l.space)[l.of.Own()]
	if len(values) == 0 {
		values = robustSpace()[l.of.Own()]
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range values {
		var r recipe.Recipe
		if err := l.of.Field(&r).Set(v); err != nil {
			continue // a search refuses it
		}
		n.Content = append(n.Content, fieldOf(l.of.Field(&r)).node())
	}
	return n
}

func (l *listed) schema(k key) *schema {
	return &schema{Type: "array", Items: fieldOf(l.of.Field(new(recipe.Recipe))).schema(k), MinItems: 1}
}
