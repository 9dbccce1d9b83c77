package tune

import (
	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/optim"
)

// Settings is a point of the space: the options of a trial, by the keys of
// config.yaml.
type Settings struct {
	Rules          int     `json:"rules"`
	Membership     string  `json:"membership"` // the shape's name
	Antecedents    float64 `json:"antecedents"`
	DropRule       float64 `json:"droprule"`
	L2             float64 `json:"l2"`
	Uniform        float64 `json:"uniform"`
	Iterations     int     `json:"iterations"`
	LearningRate   float64 `json:"learning_rate"`
	ConsequentRate float64 `json:"consequent_rate"` // 0: LearningRate

	// The search takes these from a setting of the race as they are.
	Init  string `json:"init"`
	Batch int    `json:"batch"`
}

// settingsOf returns the point that options stand for.
func settingsOf(o tskgraph.Recipe) (Settings, error) {
	used, err := o.Resolve()
	if err != nil {
		return Settings{}, err
	}
	return Settings{
		Rules: o.Model.Rules, Membership: o.Model.Membership.Name(), Antecedents: o.Model.Antecedents, DropRule: o.Train.DropRule,
		L2: o.Train.L2, Uniform: o.Train.Uniform, Iterations: o.Train.Iterations,
		LearningRate: used.Train.Solver[optim.LearningRate], ConsequentRate: o.Train.ConsequentRate, Init: o.Model.Init, Batch: o.Train.Batch,
	}, nil
}

// apply returns the base with the settings of a trial. The trial is a single model
// of a given length, which finds its own start: no committee, no race, and no
// validation part that could end it.
func (sp Space) apply(base tskgraph.Recipe, s Settings) tskgraph.Recipe {
	o := base
	m, t := &o.Model, &o.Train
	t.Members, t.Patience, t.Race = 1, 0, nil
	m.Rules, m.Antecedents, m.Init = s.Rules, s.Antecedents, s.Init
	t.DropRule, t.L2, t.Uniform, t.Iterations, t.Batch = s.DropRule, s.L2, s.Uniform, s.Iterations, s.Batch
	t.Solver.Set(optim.LearningRate, s.LearningRate)
	t.ConsequentRate = s.ConsequentRate
	for _, f := range sp.Membership {
		if f.Name() == s.Membership {
			m.Membership = f
		}
	}
	return o
}
