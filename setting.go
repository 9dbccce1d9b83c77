package tskgraph

import "fmt"

// Setting is one of the settings of a race: options that take the place of those in
// [Options]. A zero leaves the option as it is.
type Setting struct {
	Init           string  `json:"init,omitempty"` // an initialiser, not a file
	Iterations     int     `json:"iterations,omitempty"`
	Batch          int     `json:"batch,omitempty"`
	Antecedents    float64 `json:"antecedents,omitempty"`
	DropRule       float64 `json:"droprule,omitempty"`
	L2             float64 `json:"l2,omitempty"`
	LearningRate   float64 `json:"learning_rate,omitempty"`
	ConsequentRate float64 `json:"consequent_rate,omitempty"`
	Uniform        float64 `json:"uniform,omitempty"`

	// LeastSamples keeps the setting out of races with fewer training samples: it needs
	// too long where there is little to learn.
	LeastSamples int `json:"least_samples,omitempty"`
}

// apply puts the setting's values into the options.
func (s Setting) apply(o *Options) {
	set(&o.Model.Init, s.Init)
	set(&o.Train.Iterations, s.Iterations)
	set(&o.Train.Batch, s.Batch)
	set(&o.Model.Antecedents, s.Antecedents)
	set(&o.Train.DropRule, s.DropRule)
	set(&o.Train.L2, s.L2)
	set(&o.Train.Solver.LearningRate, s.LearningRate)
	set(&o.Train.ConsequentRate, s.ConsequentRate)
	set(&o.Train.Uniform, s.Uniform)
}

func set[T comparable](option *T, value T) {
	var zero T
	if value != zero {
		*option = value
	}
}

// options returns the options for one training with the setting.
func (s Setting) options(o Options) Options {
	s.apply(&o)
	o.Train.Race, o.OnRace = nil, nil
	return o
}

// checkRace checks the settings of the race.
func (o Options) checkRace() error {
	if len(o.Train.Race) == 0 {
		return nil
	}
	if o.Train.RaceSplits < 1 {
		return &OptionError{"train.race_splits", fmt.Sprintf("%d: must be at least 1", o.Train.RaceSplits)}
	}
	always := false
	for i, s := range o.Train.Race {
		with := s.options(o)
		if with.Model.FromFile() {
			return &OptionError{"train.race", "a saved model has its own settings: leave model.init alone, or set train.race to []"}
		}
		if _, err := with.resolve(); err != nil {
			return &OptionError{"train.race", fmt.Sprintf("setting %d: %v", i+1, err)}
		}
		if s.LeastSamples < 0 {
			return &OptionError{"train.race", fmt.Sprintf("setting %d: least_samples is %d: must be zero or more", i+1, s.LeastSamples)}
		}
		always = always || s.LeastSamples == 0
	}
	if !always {
		return &OptionError{"train.race", "every setting has least_samples: one at least must do without"}
	}
	return nil
}

// robustRace are the settings of [Robust]. docs/accuracy.md says how they were found.
func robustRace() []Setting {
	return []Setting{
		{Init: "kmeans", Iterations: 4000, DropRule: 1, L2: 0.004, LearningRate: 0.06, ConsequentRate: 0.02, Uniform: 0.05},
		{Init: "kmeans", Iterations: 4000, Antecedents: 3, DropRule: 1, L2: 0.004, LearningRate: 0.06, ConsequentRate: 0.02, Uniform: 0.05},
		{Init: "kmeans", Iterations: 4000, Antecedents: 3, DropRule: 0.7, L2: 0.01, LearningRate: 0.06, ConsequentRate: 0.02, Uniform: 0.05},
		{Init: "kmeans", Iterations: 8000, DropRule: 1, L2: 0.001, LearningRate: 0.06, ConsequentRate: 0.02, Uniform: 0.3, LeastSamples: 500},
		{Init: "one-feature", Iterations: 8000, DropRule: 0.4, L2: 0.0025, LearningRate: 0.03, ConsequentRate: 0.03, Uniform: 0.01},
		{Init: "kmeans", Iterations: 20000, Batch: 128, DropRule: 1, L2: 1e-4, LearningRate: 0.03, ConsequentRate: 0.01, Uniform: 0.01, LeastSamples: 5000},
	}
}
