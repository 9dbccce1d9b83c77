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

// Contestants returns the options that a race on so many samples compares: these, with
// each of its settings and without a race. Without one they are these alone.
func (o Options) Contestants(samples int) []Options {
	if len(o.Train.Race) == 0 {
		return []Options{o}
	}
	var all []Options
	for _, s := range o.Train.Race {
		if s.LeastSamples <= samples {
			all = append(all, s.options(o))
		}
	}
	return all
}

// checkRace checks the settings of the race, in options that have no other fault.
func (o Options) checkRace() (faults []error) {
	if len(o.Train.Race) == 0 {
		return nil
	}
	fail := func(key, format string, a ...any) {
		faults = append(faults, &OptionError{key, fmt.Sprintf(format, a...)})
	}
	if s := o.Train.RaceSplits; s < 1 || s > maxRaceSplits {
		fail("train.race_splits", "%d: must be at least 1 and at most %d", s, maxRaceSplits)
	}
	always := false
	for i, s := range o.Train.Race {
		with := s.options(o)
		if with.Model.FromFile() {
			fail("train.race", "setting %d: a saved model has its own settings: leave model.init alone, or set train.race to []", i+1)
			continue
		}
		_, err := with.resolve()
		for _, e := range parts(err) {
			fail("train.race", "setting %d: %v", i+1, e)
		}
		if s.LeastSamples < 0 {
			fail("train.race", "setting %d: least_samples: %d: must be zero or more", i+1, s.LeastSamples)
		}
		always = always || s.LeastSamples == 0
	}
	if !always {
		fail("train.race", "every setting has least_samples: one at least must do without")
	}
	return faults
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
