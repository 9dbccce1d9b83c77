package tskgraph

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/optim"
)

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

// RaceScore is what became of a setting.
type RaceScore struct {
	Setting
	RMSE   float64 `json:"rmse"` // over all parts that were held out together, in the target's unit
	Chosen bool    `json:"chosen,omitempty"`
	Failed string  `json:"failed,omitempty"` // why it has no score: its training diverged
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

// heldOut is the share of the training part that is held out in a split of a race.
const heldOut = 0.2

// raceStream separates the splits of a race from the other random streams of the
// same seed.
const raceStream = 0x72616365 // "race"

// race trains every setting on each split of the training part and scores it by the
// errors on what was held out. The splits are drawn from the seed, the same for all
// settings. Without another setting, or with fewer than three samples, the first one is
// chosen. Trainings run side by side, as many as there are processors; which of
// them runs where changes nothing. A setting whose training diverges has no score.
func (o Options) race(ctx context.Context, train *data.Dataset) ([]RaceScore, error) {
	var scores []RaceScore
	for _, s := range o.Train.Race {
		if s.LeastSamples <= train.Len() {
			scores = append(scores, RaceScore{Setting: s})
		}
	}
	splits := o.raceSplits(train)
	if len(scores) == 1 || splits == nil {
		scores[0].Chosen = true
		return scores[:1], nil
	}
	jobs := len(scores) * len(splits)
	squares, errs := make([]float64, jobs), make([]error, jobs)
	o.sideBySide(jobs, func(i int) {
		s := splits[i%len(splits)]
		squares[i], errs[i] = scores[i/len(splits)].options(o).heldOutError(ctx, s.train, s.held)
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("interrupted in the race of settings: %w", err)
	}
	best := -1
	for i := range scores {
		sum, held := 0.0, 0
		for j, s := range splits {
			switch err := errs[i*len(splits)+j]; {
			case err == nil:
			case !errors.Is(err, optim.ErrDiverged):
				return nil, fmt.Errorf("race, setting %d: %w", i+1, err)
			case scores[i].Failed == "":
				scores[i].Failed = err.Error()
			}
			sum += squares[i*len(splits)+j]
			held += s.held.Len()
		}
		if scores[i].Failed != "" {
			continue
		}
		scores[i].RMSE = math.Sqrt(sum / float64(held))
		if best < 0 || scores[i].RMSE < scores[best].RMSE {
			best = i
		}
	}
	if best < 0 {
		return scores, fmt.Errorf("race: no setting could be trained: %w", errs[0])
	}
	scores[best].Chosen = true
	return scores, nil
}

type raceSplit struct{ train, held *data.Dataset }

// raceSplits draws the splits; nil if there are too few samples. Rows of a group stay
// together.
func (o Options) raceSplits(train *data.Dataset) []raceSplit {
	share := int(math.Round(heldOut * float64(train.Len())))
	if share < 1 {
		return nil
	}
	rng := rand.New(rand.NewPCG(o.Train.Seed, raceStream))
	var splits []raceSplit
	for range o.Train.RaceSplits {
		held, rows := share, rng.Perm(train.Len())
		if train.Groups != nil {
			rows = byGroup(rows, train.Groups)
			for held > 0 && held < len(rows) && train.Groups[rows[held]] == train.Groups[rows[held-1]] {
				held++
			}
			if held == len(rows) {
				return nil // a single group
			}
		}
		splits = append(splits, raceSplit{train.Subset(rows[held:]), train.Subset(rows[:held])})
	}
	return splits
}

// byGroup brings rows of one group together, groups in the order of their first row.
func byGroup(rows, group []int) []int {
	place := map[int]int{}
	for _, n := range rows {
		if _, ok := place[group[n]]; !ok {
			place[group[n]] = len(place)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return place[group[a]] - place[group[b]] })
	return rows
}

// heldOutError returns the sum of squared errors on the part that was held out.
func (o Options) heldOutError(ctx context.Context, train, held *data.Dataset) (float64, error) {
	o.Train.Patience, o.Train.Members, o.OnIteration, o.Watch, o.Start = 0, 1, nil, nil, nil
	r, err := Train(ctx, train, nil, o)
	if err != nil {
		return 0, err
	}
	e, err := r.Model.Evaluate(held)
	return e.RMSE * e.RMSE * float64(e.Samples), err
}

// sideBySide calls f for 0 to n-1, as many at a time as there are processors, and
// OnRace after each.
func (o Options) sideBySide(n int, f func(i int)) {
	var mu sync.Mutex
	done := -1
	told := func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; o.OnRace != nil {
			o.OnRace(done, n)
		}
	}
	told()
	var wg sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		turns <- struct{}{}
		wg.Go(func() {
			f(i)
			told()
			<-turns
		})
	}
	wg.Wait()
}

// robustRace are the settings of [Robust]. docs/accuracy.md says how they were found.
func robustRace() []Setting {
	return []Setting{
		{Init: "kmeans", Iterations: 4000, DropRule: 1, L2: 0.004, LearningRate: 0.06, ConsequentRate: 0.02, Uniform: 0.05},
		{Init: "kmeans", Iterations: 4000, Antecedents: 3, DropRule: 1, L2: 0.004, LearningRate: 0.06, ConsequentRate: 0.02, Uniform: 0.05},
		{Init: "one-feature", Iterations: 1000, DropRule: 0.3, L2: 0.01, LearningRate: 0.06, ConsequentRate: 0.02, Uniform: 0.05},
		{Init: "one-feature", Iterations: 2000, DropRule: 1, L2: 0.007, LearningRate: 0.02, ConsequentRate: 0.007, Uniform: 0.3},
		{Init: "one-feature", Iterations: 8000, DropRule: 0.4, L2: 0.0025, LearningRate: 0.03, ConsequentRate: 0.03, Uniform: 0.01},
		{Init: "kmeans", Iterations: 20000, Batch: 128, DropRule: 1, L2: 1e-4, LearningRate: 0.03, ConsequentRate: 0.01, Uniform: 0.01, LeastSamples: 5000},
	}
}
