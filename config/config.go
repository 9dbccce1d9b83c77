// Package config reads config.yaml: the keys a run may be told, strictly, onto a
// [tskgraph.Options] and a [data.Source].
//
// Values come, in rising precedence, from defaults, the preset (wherever it is
// named), the file, the environment (TSKGRAPH_TRAIN_ITERATIONS for
// train.iterations) and --set. All of them are YAML and pass the same checks;
// every fault is reported, with its place and its key.
package config

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/tune"
)

// Config is what a run is told.
type Config struct {
	Preset  string
	Data    data.Source
	Options tskgraph.Options
	Tune    tune.Options // of the search that starts from Options
	Output  Output
}

// Output is the `output:` section.
type Output struct {
	Dir string // each run writes its own new directory below it
}

// Error is a fault of the configuration.
type Error struct {
	Where   string // file:line:column, the environment variable, or --set; empty if unknown
	Key     string // the key, e.g. "train.batch"; empty if the fault is not of one key
	Message string
}

func (e *Error) Error() string {
	var parts []string
	for _, s := range []string{e.Where, e.Key, e.Message} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// Source says where a configuration comes from.
type Source struct {
	Path string   // of the file; none: defaults
	Env  []string // as os.Environ gives it
	Set  []string // key=value

	// Model, if not nil, is a saved model to prune: the options that it was trained
	// with take the preset's place, refinements have a fifth of its iterations,
	// prune.rounds is 1, and all rows that are not for validation are for training.
	Model *model.Model
}

// Load reads a configuration. The error joins all faults, each an *Error.
func Load(s Source) (*Config, error) {
	values := viper.New()
	places := map[*yaml.Node]string{}
	faults := errors.Join(s.readFile(values, places), s.readEnv(values, places), s.readSet(values, places))
	c, err := s.fromValues(values, places)
	if err := errors.Join(faults, err); err != nil {
		return nil, err
	}
	if err := errors.Join(c.validate()...); err != nil {
		return nil, locate(err, values, places)
	}
	c.Data = c.Data.Resolve()
	c.Options.Train.Solver, err = optim.Resolve(c.Options.Train.Optimizer, c.Options.Train.Solver)
	return c, err
}

// fromValues decodes every key that is set.
func (s Source) fromValues(values *viper.Viper, places map[*yaml.Node]string) (*Config, error) {
	c := defaults()
	var faults []error
	decode := func(k key) {
		node, ok := values.Get(k.name).(*yaml.Node)
		if !ok {
			return
		}
		if err := decodeNode(node, k.field(c)); err != nil {
			faults = append(faults, &Error{places[node], k.name, err.Error()})
		}
	}
	decode(keys[0]) // the preset, below whatever else is set
	options, err := tskgraph.Preset(c.Preset)
	if err != nil {
		return nil, locate(err, values, places)
	}
	c.Options = options
	if s.Model != nil {
		if err := c.pruneDefaults(s.Model, values); err != nil {
			return nil, err
		}
	}
	for _, k := range keys[1:] {
		decode(k)
	}
	if s.Model != nil {
		faults = append(faults, c.pruneRest(values, places))
	}
	c.holdInRace(values)
	if m := c.Options.Model; (m.FromFile() || m.Init == "grid") && !values.IsSet("model.rules") {
		c.Options.Model.Rules = 0 // the saved model's, or the grid's
	}
	if !values.IsSet("data.split_seed") {
		c.Data.Split.Seed = c.Options.Train.Seed
	}
	return c, errors.Join(faults...)
}

func defaults() *Config { return &Config{Preset: "robust", Output: Output{Dir: "runs"}} }

// validate returns the faults of values that are well formed.
func (c *Config) validate() []error {
	faults := []error{c.Options.Validate(), c.Data.Validate()}
	if c.Options.Validate() == nil {
		faults = append(faults, c.Tune.Validate(c.Options))
	}
	if c.Output.Dir == "" {
		faults = append(faults, &Error{Key: "output.dir", Message: "must name a directory"})
	}
	return faults
}

// locate turns errors that begin with a key into *Error that say where the key
// was set.
func locate(err error, values *viper.Viper, places map[*yaml.Node]string) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var located []error
		for _, e := range many.Unwrap() {
			located = append(located, locate(e, values, places))
		}
		return errors.Join(located...)
	}
	key, message, ok := strings.Cut(err.Error(), ": ")
	if _, known := lookup(key); !ok || !known {
		return &Error{Message: err.Error()}
	}
	e := &Error{Key: key, Message: message}
	if node, ok := values.Get(key).(*yaml.Node); ok {
		e.Where = places[node]
	}
	return e
}

// readFile merges the file, after its nodes were checked.
func (s Source) readFile(values *viper.Viper, places map[*yaml.Node]string) error {
	if s.Path == "" {
		return nil
	}
	text, err := readLimited(s.Path)
	if err != nil {
		return &Error{Where: s.Path, Message: err.Error()}
	}
	tree, err := parseFile(s.Path, text, places)
	return errors.Join(err, values.MergeConfigMap(tree))
}

// readEnv sets what environment variables of known keys say and refuses unknown
// ones. An empty variable says nothing.
func (s Source) readEnv(values *viper.Viper, places map[*yaml.Node]string) error {
	var faults []error
	for _, entry := range s.Env {
		name, value, _ := strings.Cut(entry, "=")
		if value == "" || !isKeyVariable(name) {
			continue
		}
		k, ok := keyOfVariable(name)
		if !ok {
			faults = append(faults, &Error{Where: "environment", Message: fmt.Sprintf("%s: no such key%s", name, didYouMean(name, variables()))})
			continue
		}
		node, err := parseValue(k, value)
		if err != nil {
			faults = append(faults, &Error{name, k.name, err.Error()})
			continue
		}
		places[node] = name
		values.Set(k.name, node)
	}
	return errors.Join(faults...)
}

// readSet sets what --set says, above everything else.
func (s Source) readSet(values *viper.Viper, places map[*yaml.Node]string) error {
	var faults []error
	for _, entry := range s.Set {
		name, value, ok := strings.Cut(entry, "=")
		k, known := lookup(name)
		switch {
		case !ok:
			faults = append(faults, &Error{Where: "--set " + entry, Message: "want key=value, such as train.iterations=2000"})
			continue
		case !known:
			faults = append(faults, &Error{Where: "--set", Key: name, Message: "no such key" + didYouMean(name, names())})
			continue
		}
		node, err := parseValue(k, value)
		if err != nil {
			faults = append(faults, &Error{"--set", name, err.Error()})
			continue
		}
		places[node] = "--set"
		values.Set(name, node)
	}
	return errors.Join(faults...)
}

// maxFile is the largest configuration file that is read.
const maxFile = 1 << 20

func readLimited(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%d bytes: a configuration has at most %d", info.Size(), maxFile)
	}
	return os.ReadFile(path)
}
