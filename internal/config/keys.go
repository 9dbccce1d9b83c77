package config

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
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
	all := slices.Concat(dataKeys, recipeKeys(), listKeys(), runKeys)
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
		field: func(c *Config) value { return textAt(&c.Data.Task) }, shown: func(c *Config) bool { return c.Data.Task != "" && c.Data.Task != "auto" }},

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
	{name: "data.delimiter", choices: []string{"auto", "comma", "semicolon", "tab"}, example: "auto",
		field: func(c *Config) value { return textAt(&c.Data.Delimiter) }, shown: ownTable},
	{name: "data.missing", choices: []string{"error", "drop", "mean"}, example: "error",
		field: func(c *Config) value { return textAt(&c.Data.Missing) }, shown: ownTable},
	{name: "data.na", example: "[]",
		field: func(c *Config) value { return &na{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.NA) > 0 }},
	{name: "data.categorical", example: "auto",
		field: func(c *Config) value { return &categorical{&c.Data.Options} }, shown: ownTable},
	{name: "data.units", example: "{}",
		field: func(c *Config) value { return &units{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.Units) > 0 }},
	{name: "data.split", choices: []string{"random", "chronological", "column"}, example: "random",
		field: func(c *Config) value { return textAt(&c.Data.Split.Kind) }, shown: func(c *Config) bool {
			return c.Data.TestPath == "" || c.Data.Split.Validation > 0 || c.Data.Split.Kind == "chronological"
		}},
	{name: "data.train", limits: interval.Above(0).To(1), example: "0.7",
		field: func(c *Config) value { return realAt(&c.Data.Split.Train) }, shown: func(c *Config) bool { return shares(c) && c.Data.TestPath == "" }},
	{name: "data.validation", limits: interval.From(0).Below(1), example: "0",
		field: func(c *Config) value { return realAt(&c.Data.Split.Validation) }, shown: shares},
	{name: "data.calibration", limits: interval.From(0).Below(1), example: "0",
		field: func(c *Config) value { return realAt(&c.Data.Split.Calibration) }, shown: func(c *Config) bool { return c.Data.Split.Calibration > 0 }},
	{name: "data.group", example: "patient",
		field: func(c *Config) value { return textAt(&c.Data.Group) }, shown: func(c *Config) bool { return c.Data.Group != "" }},
	{name: "data.split_column", example: "part",
		field: func(c *Config) value { return textAt(&c.Data.Split.Column) }, shown: func(c *Config) bool { return !shares(c) }},
	{name: "data.split_seed", example: "1",
		field: func(c *Config) value { return seed{recipe.Seed(&c.Data.Split.Seed)} }, shown: func(c *Config) bool { return c.Data.Split.Kind == "random" }},
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
