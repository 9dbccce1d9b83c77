// Package config reads config.yaml strictly into a [recipe.Recipe], a [data.Source] and
// the [tune.Options] of a search.
//
// Values come, in rising precedence, from defaults, the preset (wherever it is
// named), the file, the environment (TSKGRAPH_TRAIN_ITERATIONS for
// train.iterations) and --set. All of them are YAML, parsed to nodes, and pass the
// same checks: of size, depth, number of documents and aliases before the nodes are
// looked at, then of keys, types, ranges and choices, then of what goes together.
// Every fault is reported with its place and its key. [Schema] describes the keys for
// other programs.
package config

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/memory"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Config is a configuration: what the commands that train, search and prune need to know.
type Config struct {
	Preset string
	Data   data.Source
	Recipe recipe.Recipe
	Tune   tune.Options // of the search that starts from Recipe
	Output Output
}

// Output is the `output:` section.
type Output struct {
	Dir    string // each run writes its own new directory below it
	Tables bool   // whether it holds the rows of each part
}

// Source says where a configuration comes from.
type Source struct {
	Path  string   // of the file; none: defaults
	Text  []byte   // of the file, if it has been read; nil: it is read from Path
	Run   bool     // the file is one of a run or a search, which others may write to: it must be a regular file and no link
	Env   []string // as os.Environ gives it
	Set   []string // key=value
	Pairs []Pair   // over all else

	// Model, if not nil, is a saved model to prune: the options that it was trained
	// with replace the preset, refinements have a fifth of its iterations,
	// prune.rounds is 1, and all rows that are not for validation are for training.
	Model *model.Model
}

// Pair is a key with its value as --set has it.
type Pair struct{ Key, Value string }

// Outside reports whether the value names what is outside of the configuration: files, a directory, or a database and its rows.
func (p Pair) Outside() bool {
	k, known := lookup(p.Key)
	return known && (k.outside || k.orModel && recipe.IsPath(p.Value))
}

// Load reads a configuration. The error joins all faults, each an *Error; those of the
// file come first, in its order.
func Load(s Source) (*Config, error) {
	r := newReading()
	if s.Text != nil {
		r.text(origin{file: s.Path}, s.Text)
	} else {
		r.file(s.Path, s.Run)
	}
	r.environment(s.Env)
	r.flags(s.Set)
	for _, p := range s.Pairs {
		r.assign(p)
	}
	return r.load(s.Model)
}

// load returns the configuration that the sources give.
func (r *reading) load(saved *model.Model) (*Config, error) {
	if r.broken {
		return nil, join(r.faults)
	}
	c, err := r.config(saved)
	if err != nil {
		return nil, err
	}
	validate(r, c)
	if r.faults != nil {
		return nil, join(r.faults)
	}
	c.Data = c.Data.Resolve()
	method, err := c.Recipe.Train.Method()
	if err != nil {
		return nil, err
	}
	c.Recipe.Train.Solver = optim.ValuesOf(method)
	return c, nil
}

// config decodes every key that is set.
func (r *reading) config(saved *model.Model) (*Config, error) {
	c := defaults()
	r.read(keys()[0], c) // the preset, below whatever else is set
	options, err := recipe.Preset(c.Preset)
	if err != nil {
		return nil, err
	}
	c.Recipe = options
	if saved != nil {
		if err := pruneDefaults(c, saved, r.values); err != nil {
			return nil, err
		}
	}
	for _, k := range keys()[1:] {
		r.read(k, c)
	}
	if saved != nil {
		pruneRest(r, c)
	}
	fromRules(r, c)
	holdInRace(c, r.values)
	if m := c.Recipe.Model; (m.FromFile() || m.FromRules() || m.Init == "grid") && !r.values.has("model.rules") {
		c.Recipe.Model.Rules = 0 // the file's, or the grid's
	}
	if !r.values.has("data.split_seed") {
		c.Data.Split.Seed = c.Recipe.Train.Seed
	}
	return c, nil
}

// read stores the value of a key, if it is set and has no fault.
func (r *reading) read(k key, c *Config) {
	node, o := r.values.node(k.name)
	if node == nil {
		return
	}
	before := len(r.faults)
	k.field(c).decode(decoder{reading: r, origin: o, key: k}, node)
	if len(r.faults) > before {
		r.wrong[k.name] = true
	}
}

// anyWrong reports whether the value of one of the keys has a fault.
func (r *reading) anyWrong(keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return r.wrong[k] })
}

// Source returns the data, which may take the memory that suits this machine unless data.memory says how much.
func (c *Config) Source() data.Source {
	source := c.Data
	if source.Memory == 0 {
		source.Memory = memory.Default()
	}
	return source
}

func defaults() *Config {
	return &Config{Preset: recipe.Presets()[0], Output: Output{Dir: "runs", Tables: true}}
}
