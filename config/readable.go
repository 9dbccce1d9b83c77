package config

import (
	"fmt"

	"github.com/tskgraph/tskgraph/knowledge"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
)

// checkStart checks that the file of a model or of rules from which training starts has no more rules than preset readable. A file that
// cannot be read has its error elsewhere.
func checkStart(m recipe.Model) error {
	rules := 0
	switch {
	case m.FromRules():
		if b, err := knowledge.ReadFile(m.Init); err == nil {
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
