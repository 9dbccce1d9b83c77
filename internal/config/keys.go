package config

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
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
var keys = registry.Cached(func() []key { return slices.Concat(dataKeys, recipeKeys(), listKeys(), runKeys) })

var dataKeys = []key{
	{name: "preset", choices: recipe.Presets(), doc: "defaults of all other keys: robust (accurate), readable (at most 8 rules that can be read one by one) or paper (the published settings)", field: func(c *Config) value { return textAt(&c.Preset) }},

	{name: "task", choices: data.Tasks(), doc: "auto (a target of words is classified, one of numbers is regression), regression, or classification (words, or whole numbers, are classes)", example: "auto",
		field: func(c *Config) value { return textAt(&c.Data.Task) }, shown: func(c *Config) bool { return c.Data.Task != "" && c.Data.Task != "auto" }},

	{name: "data.path", outside: true, doc: "a table with a header, separated by commas, semicolons or tabs, also compressed by gzip or zstd, or in Parquet; the files of one table as a list or a pattern: [a.csv, b.csv], \"part-*.csv\"; \"-\": standard input; a database: postgres://HOST/DATABASE or sqlite:FILE, see data.query; empty: the built-in data", example: "table.csv",
		field: func(c *Config) value { return &files{&c.Data.Path} }, shown: ownTable},
	{name: "data.query", outside: true, doc: "the rows of a database: one SELECT with ORDER BY; see docs/tables.md#databases", example: "SELECT * FROM plants ORDER BY id",
		field: func(c *Config) value { return textAt(&c.Data.Query) }, shown: func(c *Config) bool { return c.Data.Query != "" }},
	{name: "data.test_path", outside: true, doc: "a table with the same columns for the test part", example: "test.csv",
		field: func(c *Config) value { return &files{&c.Data.TestPath} }, shown: func(c *Config) bool { return c.Data.TestPath != "" }},
	{name: "data.builtin", choices: data.Builtins(), doc: "built-in data, used if data.path is empty: " + strings.Join(data.Builtins(), ", "), example: "mackey-glass",
		field: func(c *Config) value { return textAt(&c.Data.Builtin) }, shown: func(c *Config) bool { return !ownTable(c) }},
	{name: "data.target", doc: "the column to predict, or several of numbers: [y1, y2]; required with data.path", example: "y",
		field: func(c *Config) value { return &target{&c.Data.Options} }, shown: ownTable},
	{name: "data.features", doc: "the input columns; empty: all others", example: "[]",
		field: func(c *Config) value { return (*names)(&c.Data.Features) }, shown: func(c *Config) bool { return len(c.Data.Features) > 0 }},
	{name: "data.ignore", doc: "columns to leave out", example: "[]",
		field: func(c *Config) value { return (*names)(&c.Data.Ignore) }, shown: func(c *Config) bool { return len(c.Data.Ignore) > 0 }},
	{name: "data.weight", doc: "a column of sample weights: 2 counts as two rows, 0 leaves the row out", example: "weight",
		field: func(c *Config) value { return textAt(&c.Data.Weight) }, shown: func(c *Config) bool { return c.Data.Weight != "" }},
	{name: "data.delimiter", choices: []string{"auto", "comma", "semicolon", "tab"}, doc: "auto, comma, semicolon or tab", example: "auto",
		field: func(c *Config) value { return textAt(&c.Data.Delimiter) }, shown: ownTable},
	{name: "data.missing", choices: []string{"error", "drop", "mean"}, doc: "a blank cell, NA, N/A, NaN, null or ?: error, drop (the row) or mean (of the training part)", example: "error",
		field: func(c *Config) value { return textAt(&c.Data.Missing) }, shown: ownTable},
	{name: "data.na", doc: "further marks of a missing cell, in all columns or by column: [\"-\", -999], {temperature: [-200], \"*\": [\"-\"]}; also used by predict", example: "[]",
		field: func(c *Config) value { return &na{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.NA) > 0 }},
	{name: "data.categorical", doc: "auto (columns of words are one-hot), none, or by column: {sex: onehot}, {sex: ordinal}, {size: [S, M, L]}", example: "auto",
		field: func(c *Config) value { return &categorical{&c.Data.Options} }, shown: ownTable},
	{name: "data.units", doc: "units shown in the rules: {temperature: deg C}", example: "{}",
		field: func(c *Config) value { return &units{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.Units) > 0 }},
	{name: "data.split", choices: []string{"random", "chronological", "column"}, doc: "random, chronological (rows in time order: later ones are predicted from earlier ones, also in the race and the folds of tune) or column; mackey-glass and sinc: chronological", example: "random",
		field: func(c *Config) value { return textAt(&c.Data.Split.Kind) }, shown: func(c *Config) bool {
			return c.Data.TestPath == "" || c.Data.Split.Validation > 0 || c.Data.Split.Kind == "chronological"
		}},
	{name: "data.train", limits: interval.Above(0).To(1), doc: "share of the rows to train on, 0 to 1; mackey-glass: 0.5; the rest is for validation and test", example: "0.7",
		field: func(c *Config) value { return realAt(&c.Data.Split.Train) }, shown: func(c *Config) bool { return shares(c) && c.Data.TestPath == "" }},
	{name: "data.validation", limits: interval.From(0).Below(1), doc: "share of the rows that choose the best iteration, 0 to 1", example: "0",
		field: func(c *Config) value { return realAt(&c.Data.Split.Validation) }, shown: shares},
	{name: "data.calibration", limits: interval.From(0).Below(1), doc: "share of the training part, drawn as data.split sets, that calibrates prediction intervals (predict --interval) instead of training, 0 to 1; 0: none", example: "0",
		field: func(c *Config) value { return realAt(&c.Data.Split.Calibration) }, shown: func(c *Config) bool { return c.Data.Split.Calibration > 0 }},
	{name: "data.group", doc: "a column of groups: rows with equal cells stay in one part; not a feature", example: "patient",
		field: func(c *Config) value { return textAt(&c.Data.Group) }, shown: func(c *Config) bool { return c.Data.Group != "" }},
	{name: "data.split_column", doc: "a column with the cells train, validation or test, for split: column", example: "part",
		field: func(c *Config) value { return textAt(&c.Data.Split.Column) }, shown: func(c *Config) bool { return !shares(c) }},
	{name: "data.split_seed", doc: "seed of the random split; default: train.seed", example: "1",
		field: func(c *Config) value { return seed{recipe.Seed(&c.Data.Split.Seed)} }, shown: func(c *Config) bool { return c.Data.Split.Kind == "random" }},
	{name: "data.memory", doc: "memory for a table of more than 200,000 rows, such as 512MiB or 4GB, at least 64MiB; beyond it the rows are in a scratch file, with the same result; auto: a quarter of the memory of the machine or of the process's limit", example: "auto",
		field: func(c *Config) value { return &size{&c.Data.Memory} }, shown: func(c *Config) bool { return c.Data.Memory > 0 }},
	{name: "data.scratch", outside: true, doc: "directory of the scratch file; empty: output.dir for train, else the directory of temporary files", example: "/var/tmp",
		field: func(c *Config) value { return textAt(&c.Data.Scratch) }, shown: func(c *Config) bool { return c.Data.Scratch != "" }},
}

// runKeys are the keys of a search, beside its lists, and of the output.
var runKeys = []key{
	{name: "tune.folds", limits: interval.From(2).To(maxFolds), doc: "folds of the training part on which settings are compared", example: "5",
		field: func(c *Config) value { return whole{recipe.Whole(&c.Tune.Folds)} }, shown: func(c *Config) bool { return c.Tune.Folds > 0 }},
	{name: "tune.repeats", limits: interval.From(1).To(maxRepeats), doc: "number of divisions of the training part into folds", example: "1",
		field: func(c *Config) value { return whole{recipe.Whole(&c.Tune.Repeats)} }, shown: func(c *Config) bool { return c.Tune.Repeats > 0 }},
	{name: "tune.split", choices: []string{"random", "chronological"}, doc: "random folds, or chronological: each predicted from earlier rows; default: as data.split", example: "random",
		field: func(c *Config) value { return textAt(&c.Tune.Split) }, shown: func(c *Config) bool { return c.Tune.Split != "" }},
	{name: "tune.choose", choices: []string{"simplest", "best"}, doc: "among trials that are better than the given configuration, simplest: the fewest and shortest rules at most one standard error and 1% worse than the best; or best", example: "simplest",
		field: func(c *Config) value { return textAt(&c.Tune.Choose) }, shown: func(c *Config) bool { return c.Tune.Choose != "" }},

	{name: "output.dir", outside: true, filled: true, doc: "directory in which each run creates its own", field: func(c *Config) value { return textAt(&c.Output.Dir) }},
	{name: "output.tables", doc: "whether a run keeps the rows of each part: train.csv, validation.csv, calibration.csv, test.csv; without them report, explain, show and evaluate need the table (--data, --background, --train)", example: "true",
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
