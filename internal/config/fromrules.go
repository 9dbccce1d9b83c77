package config

import (
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// fromRules makes what a file of rules in model.init states, its shape, t-norm and defuzzification, hold
// where keys do not say otherwise, also for all settings of a race.
func fromRules(r *reading, c *Config) {
	m := &c.Recipe.Model
	if !m.FromRules() || r.wrong["model.init"] {
		return
	}
	b, err := byhand.ReadFile(m.Init)
	if err != nil {
		if node, o := r.values.node("model.init"); node != nil {
			r.faults = append(r.faults, o.fault(node, "model.init", err.Error()))
		}
		return
	}
	states := func(key string, stated bool, set func()) {
		if stated && !r.values.has(key) {
			set()
			c.Recipe.Hold(key)
		}
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
