package tune

import (
	"encoding/json"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// Settings is a point of the space.
type Settings struct {
	Rules        int     `json:"rules"`
	Membership   string  `json:"membership"` // the shape's name
	DropRule     float64 `json:"droprule"`
	L2           float64 `json:"l2"`
	Iterations   int     `json:"iterations"`
	LearningRate float64 `json:"learning_rate"`
}

// settingsOf returns the point that options stand for.
func settingsOf(o tskgraph.Options) (Settings, error) {
	if err := o.Validate(); err != nil {
		return Settings{}, err
	}
	solver, err := optim.Resolve(o.Train.Optimizer, o.Train.Solver)
	if err != nil {
		return Settings{}, err
	}
	return Settings{
		Rules: o.Model.Rules, Membership: o.Model.Membership.Name(), DropRule: o.Train.DropRule,
		L2: o.Train.L2, Iterations: o.Train.Iterations, LearningRate: solver.LearningRate,
	}, nil
}

// apply returns the base with the settings of a trial. The trial is a single model
// of a given length, which finds its own start: no committee, and no validation part
// that could end it.
func (sp Space) apply(base tskgraph.Options, s Settings) tskgraph.Options {
	o := base
	o.Train.Members, o.Train.Patience, o.Start, o.Watch = 1, 0, nil, nil
	o.Train.Race = nil // it would set what is tried here
	o.Model.Rules, o.Train.DropRule, o.Train.L2 = s.Rules, s.DropRule, s.L2
	o.Train.Iterations, o.Train.Solver.LearningRate = s.Iterations, s.LearningRate
	for _, f := range sp.Membership {
		if f.Name() == s.Membership {
			o.Model.Membership = f
		}
	}
	return o
}

// describe returns a shape's name, or its formula.
func describe(f membership.Function) string {
	if formula, ok := membership.Written(f); ok {
		text, _ := json.Marshal(formula) // text and finite numbers
		return string(text)
	}
	return f.Name()
}
