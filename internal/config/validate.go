package config

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// validate adds the faults of values that are right by themselves but not together. What
// rests on a value that has a fault already is left out.
func validate(r *reading, c *Config) {
	whole := r.faults == nil
	options := c.Recipe.Validate()
	r.faults = append(r.faults, placed(r, options)...)
	if c.Preset == recipe.Readable().Preset {
		r.faults = append(r.faults, placed(r, errors.Join(recipe.CheckReadable(c.Recipe), checkStart(c.Recipe.Model)))...)
	}
	r.faults = append(r.faults, placed(r, c.Data.Validate())...)
	if options == nil && whole {
		r.faults = append(r.faults, placed(r, c.Tune.Validate(c.Recipe))...)
	}
}

// placed returns the faults that a joined error is made of, each with the place of the
// first of its keys that is set.
func placed(r *reading, err error) (found []*Error) {
	for _, e := range recipe.Parts(err) {
		fault := keysOf(e)
		keys := append([]string{fault.Key}, fault.With...)
		if r.anyWrong(keys) {
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
		Message: fmt.Sprintf("%s has %d rules: preset readable has at most %d; choose preset robust for others", m.Init, rules, recipe.ReadableRules)}
}
