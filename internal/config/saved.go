package config

import (
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// pruneDefaults sets the defaults of a pruning: the recipe that the saved model was trained
// by, one round, and refinements of a fifth of the iterations. Another optimizer starts
// from its own options.
func pruneDefaults(c *Config, m *model.Model, values sources) error {
	o, err := recipe.Of(m)
	if err != nil {
		return err
	}
	o.Train.Iterations = max(1, o.Train.Iterations/5)
	o.Prune = recipe.Prune{Rounds: 1, Gamma: c.Recipe.Prune.Gamma, Theta: c.Recipe.Prune.Theta}
	if node, _ := values.node("train.optimizer"); node != nil && node.Value != o.Train.Optimizer {
		o.Train.Solver = nil
	}
	c.Recipe, c.Data.Target, c.Data.Others = o, m.Schema.Target, m.Schema.Targets()[1:]
	if m.Schema.Classes != nil {
		c.Data.Task = "classification"
	}
	if m.ImputeMeans {
		c.Data.Missing = "mean"
	}
	return nil
}

// pruneRest trains on the rows that are not for validation, and refuses an initialiser.
func pruneRest(r *reading, c *Config) {
	if c.Data.TestPath == "" && !r.values.has("data.train") {
		c.Data.Split.Train = 1 - c.Data.Split.Validation
	}
	if node, o := r.values.node("model.init"); node != nil && !c.Recipe.Model.FromFile() && !r.wrong["model.init"] {
		r.faults = append(r.faults, o.fault(node, "model.init", "the rules are the saved model's: leave it out"))
	}
}
