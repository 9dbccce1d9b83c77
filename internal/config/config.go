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
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/memory"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

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
	// Page trains the page of Model again instead, with all its iterations and without pruning.
	Page bool
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
	r.page = s.Page
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
		if err := pruneDefaults(c, saved, r); err != nil {
			return nil, err
		}
	}
	for _, k := range keys()[1:] {
		r.read(k, c)
	}
	r.readTime(c)
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
	k.field(c).decode(decoder{faults: &r.faults, origin: o, key: k}, node)
	if len(r.faults) > before {
		r.wrong[k.name] = true
	}
}

// Source returns the data, without columns of the role none (model.roles), which may take the memory that suits this machine unless
// data.memory says how much.
func (c *Config) Source() data.Source {
	source := c.Data
	for _, name := range c.Recipe.Model.Roles.Ignored() {
		if !slices.Contains(source.Ignore, name) {
			source.Ignore = append(slices.Clip(source.Ignore), name)
		}
	}
	if source.Memory == 0 {
		source.Memory = memory.Default()
	}
	return source
}

func defaults() *Config {
	return &Config{Preset: recipe.Presets()[0], Output: Output{Dir: "runs", Tables: true}, time: series.Spec{Horizon: 1}}
}

// pruneDefaults sets the defaults of a pruning: the recipe that the saved model was trained
// by, one round, and refinements of a fifth of the iterations. Another optimizer starts
// from its own options. A page is trained as the saved one was.
func pruneDefaults(c *Config, m *model.Model, r *reading) error {
	of := recipe.Of
	if r.page {
		of = recipe.OfPage
	}
	o, err := of(m)
	if err != nil {
		return err
	}
	maps.DeleteFunc(o.Model.Roles, func(_ string, role recipe.Role) bool { return role == recipe.NoPart }) // its table is read without them
	if !r.page {
		o.Train.Iterations = max(1, o.Train.Iterations/5)
		o.Prune = recipe.Prune{Rounds: 1, Gamma: c.Recipe.Prune.Gamma, Theta: c.Recipe.Prune.Theta}
	}
	if node, _ := r.values.node("train.optimizer"); node != nil && node.Value != o.Train.Optimizer {
		o.Train.Solver = nil
	}
	c.Recipe, c.Data.Target, c.Data.Others = o, m.Schema.Target, m.Schema.Targets()[1:]
	c.Data.Offset = m.Schema.Offset
	if m.Schema.Classes != nil {
		c.Data.Task = "classification"
	}
	if m.ImputeMeans {
		c.Data.Missing = table.MissingMean
		if slices.ContainsFunc(m.Schema.Columns, func(c data.Column) bool { return c.Missing }) {
			c.Data.Missing = table.MissingOwn
		}
	}
	return nil
}

// pruneRest trains on the rows that are not for validation, and refuses an initialiser.
func pruneRest(r *reading, c *Config) {
	if c.Data.TestPath == "" && !r.values.has("data.train") {
		c.Data.Split.Train = 1 - c.Data.Split.Validation
	}
	if node, o := r.values.node("model.init"); node != nil && !(r.page || c.Recipe.Model.FromFile()) && !r.wrong["model.init"] {
		r.faults = append(r.faults, o.fault(node, "model.init", "the rules are the saved model's: leave it out"))
	}
}

// fromRules makes what a file of rules in model.init states, its shape, t-norm and defuzzification, hold
// where keys do not say otherwise, also for all settings of a race.
func fromRules(r *reading, c *Config) {
	m := &c.Recipe.Model
	if !m.FromRules() || r.wrong["model.init"] {
		return
	}
	states := func(key string, stated bool, set func()) {
		if stated && !r.values.has(key) {
			set()
			c.Recipe.Hold(key)
		}
	}
	if m.FromPage() {
		states("model.membership", true, func() { m.Membership = membership.Ramp{} })
		states("model.transform", true, func() { m.Transform = "none" })
		states("model.curves", true, func() { m.Curves = recipe.NoCurves })
		states("model.neighbours", true, func() { m.Neighbours = recipe.NoNeighbours })
		states("prune.rounds", true, func() { c.Recipe.Prune.Rounds = 0 })
		if !r.values.has("train.race") {
			c.Recipe.Train.Race = nil
		}
	}
	b, err := byhand.ReadFile(m.Init)
	if err != nil {
		if node, o := r.values.node("model.init"); node != nil {
			r.faults = append(r.faults, o.fault(node, "model.init", err.Error()))
		}
		return
	}
	states("model.membership", b.Shape != nil, func() { m.Membership = b.Shape })
	states("model.tnorm", b.TNorm != "", func() { m.TNorm = b.TNorm })
	states("model.defuzzification", b.Defuzzification != "", func() { m.Defuzzification = b.Defuzzification })
	if b.Saved != nil {
		states("model.curves", b.Saved.Curves != nil, func() {
			if m.Curves = recipe.SharedCurves; b.Saved.OwnCurves() {
				m.Curves = recipe.OwnCurves
			}
		})
	}
}

// validate adds the faults of values that are right by themselves but not together. What
// rests on a value that has a fault already is left out.
func validate(r *reading, c *Config) {
	whole := r.faults == nil
	options := c.Recipe.Validate()
	r.faults = append(r.faults, placed(r, options)...)
	if c.Preset == recipe.Readable().Preset {
		r.faults = append(r.faults, placed(r, errors.Join(recipe.CheckReadable(c.Recipe), checkStart(c.Recipe.Model)))...)
	}
	if offset := &c.Data.Offset; offset.Column != "" && options == nil {
		var err error
		offset.Power, err = c.Recipe.Train.OffsetPower()
		r.faults = append(r.faults, placed(r, err)...)
	}
	r.faults = append(r.faults, placed(r, errors.Join(c.Data.Validate(), c.Recipe.CheckPage(c.Preset, r.values.has)))...)
	if options == nil && whole && slices.ContainsFunc(keys(), func(k key) bool {
		return strings.HasPrefix(k.name, "tune.") &&
			r.values.has(k.name)
	}) {
		r.faults = append(r.faults, placed(r, c.Tune.Validate(c.Recipe))...)
	}
}

// placed returns the faults that a joined error is made of, each with the place of the
// first of its keys that is set.
func placed(r *reading, err error) (found []*Error) {
	for _, e := range recipe.Parts(err) {
		fault := keysOf(e)
		keys := append([]string{fault.Key}, fault.With...)
		if slices.ContainsFunc(keys, func(k string) bool { return r.wrong[k] }) {
			continue
		}
		at := &Error{Key: fault.Key, Message: fault.Message}
		for _, k := range keys {
			if node, o := r.values.node(k); node != nil {
				if k == fault.Key {
					node = part(node, fault)
				}
				at = o.fault(node, fault.Key, fault.Message)
				break
			}
		}
		found = append(found, at)
	}
	return found
}

// keysOf returns an error as the fault of a recipe, with what it says of keys.
func keysOf(err error) *recipe.Error {
	var option *recipe.Error
	var source *data.KeyError
	switch {
	case errors.As(err, &option):
		return option
	case errors.As(err, &source):
		return &recipe.Error{Key: source.Key, With: source.With, Message: source.Message}
	}
	return &recipe.Error{Message: err.Error()}
}

// part returns the node of the part of a value that a fault is about: of a setting of a
// race, and in it of a key.
func part(n *yaml.Node, fault *recipe.Error) *yaml.Node {
	if n.Kind != yaml.SequenceNode || fault.Setting < 1 || fault.Setting > len(n.Content) {
		return n
	}
	setting := n.Content[fault.Setting-1]
	for j := 0; j+1 < len(setting.Content); j += 2 {
		if setting.Content[j].Value == fault.Part {
			return setting.Content[j+1]
		}
	}
	return setting
}

// checkStart checks that the file of a model or of rules from which training starts has no more rules than preset readable. A file that
// cannot be read has its error elsewhere.
func checkStart(m recipe.Model) error {
	rules := 0
	switch {
	case m.FromRules():
		if b, err := byhand.ReadFile(m.Init); err == nil {
			rules = len(b.Rules)
		}
	case m.FromFile():
		if saved, err := model.Load(m.Init); err == nil && !saved.Committee() {
			rules = saved.RuleBase.Rules()
		}
	}
	if rules <= recipe.ReadableRules {
		return nil
	}
	return &recipe.Error{Key: "model.init", With: []string{"preset"},
		Message: fmt.Sprintf("%s has %d rules: preset readable has at most %d; choose preset robust for others", m.Init, rules,
			recipe.ReadableRules)}
}

// givePageWay replaces the page of a preset by rules from a tree where keys that contradict a page are set, such as a shape, curves, or a
// race.
func givePageWay(c *Config, values sources) {
	race := values.has("train.race") && len(c.Recipe.Train.Race) > 0
	if !values.has("model.init") && (race || c.Recipe.ContradictsPage()) {
		c.Recipe = c.Recipe.WithoutPage()
	}
}

// holdInRace makes keys that were set hold for all settings of the preset's race. A race
// that was set keeps its values. Where training continues with a saved model there is none.
// The race is then final: the recipe does not refer to that of its preset.
func holdInRace(c *Config, values sources) {
	c.Recipe.Preset = ""
	givePageWay(c, values)
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
