package tune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Task is a fit that a search needs, or the race of its base. Its zero value is the race.
type Task struct {
	Trial    int    `json:"trial,omitempty"`    // number of the trial, from 1; 0: the race of the base
	Settings string `json:"settings,omitempty"` // of the trial, as [recipe.Setting.String] writes them
	Fold     int    `json:"fold,omitempty"`     // from 0
	Short    bool   `json:"short,omitempty"`    // a short training, by which trials are screened
}

// Name returns a name of the task that no other task of the search has: letters, digits and hyphens.
func (t Task) Name() string {
	switch {
	case t.Trial == 0:
		return "race"
	case t.Short:
		return fmt.Sprintf("%04d-fold-%d-short", t.Trial, t.Fold+1)
	}
	return fmt.Sprintf("%04d-fold-%d", t.Trial, t.Fold+1)
}

// Measured is a task with its result.
type Measured struct {
	Task
	Fit    *Fit   `json:"fit,omitempty"`    // of a trial
	Chosen string `json:"chosen,omitempty"` // of the race: the settings that it chose
}

// Complete reports whether there is a result of the kind that the task asks for.
func (m Measured) Complete() bool {
	return m.Trial == 0 && m.Chosen != "" || m.Trial > 0 && m.Fit != nil
}

// byName returns results by the names of their tasks.
func byName(all []Measured) map[string]Measured {
	of := map[string]Measured{}
	for _, m := range all {
		of[m.Name()] = m
	}
	return of
}

// Next returns the tasks that a search of the same data, base and options needs next, given what was measured; none if
// it needs no more. It trains nothing and uses no directory. After Options.Time from Options.Began it begins no further step, as
// [Search] does.
func Next(ctx context.Context, d *data.Dataset, base recipe.Recipe, o Options, known []Measured) ([]Task, error) {
	of := byName(known)
	lacking := errors.New("tasks are missing")
	var missing []Task
	o.Dir, o.OnFit, o.OnOpen = "", nil, nil
	o.Measure = func(_ context.Context, tasks []Task) (found []Measured, err error) {
		for _, t := range tasks {
			if k := of[t.Name()]; k.Task == t && k.Complete() {
				found = append(found, k)
			} else {
				missing = append(missing, t)
			}
		}
		if len(missing) > 0 {
			return nil, lacking
		}
		return found, nil
	}
	_, err := Search(ctx, d, base, o)
	if err == nil || errors.Is(err, lacking) || errors.Is(err, ErrFailed) {
		return missing, nil
	}
	return nil, err
}

// Worker carries out tasks of a search, such as in another process than that of the search. Its methods may be called
// concurrently.
type Worker struct {
	s  *search
	id checkpoint.Identity
}

// NewWorker returns a worker of the search of the same data, base and options. Of the options it uses those that fits depend on, see
// [Worker.Identity]. Folds are prepared at the first task that needs them, until ctx ends.
func NewWorker(ctx context.Context, d *data.Dataset, base recipe.Recipe, o Options) (*Worker, error) {
	o.Dir, o.OnFit, o.OnOpen, o.Measure = "", nil, nil, nil
	base = base.WithoutPage()
	s, err := newSearch(ctx, d, base, o)
	if err != nil {
		return nil, err
	}
	id, err := identify(s.data, base, s.o)
	if err != nil {
		return nil, err
	}
	return &Worker{s, id}, nil
}

// Identity returns what the results of tasks depend on: program and arithmetic, data, base and options. Results of a worker belong to
// a search only if their identities are equal.
func (w *Worker) Identity() checkpoint.Identity { return w.id }

// Planned returns how many fits the search makes if no trial fails, and a bound of its steps as long as settings are found that were
// not tried, see [Next].
func (w *Worker) Planned() (fits, steps int) {
	s := w.s
	drawn := max(0, s.o.Trials-s.starts)
	screenings := 1 + (drawn+bracket-1)/bracket
	const finals = 4 // finalists on some folds and on all, the race, the trial that it chose
	return planned(s.starts, s.o.Trials, s.o.Folds, len(s.folds), s.screening), screenings*len(rungs(s.o.Folds)) + finals
}

// Measure carries out a task. A training that diverges, or fails otherwise, is a result; an error is returned only for a
// task of another search, for a race that fails, or if a context ended.
func (w *Worker) Measure(ctx context.Context, t Task) (Measured, error) {
	var settings recipe.Setting
	if t.Trial > 0 {
		var err error
		if settings, err = w.settingsOf(t); err != nil {
			return Measured{}, fmt.Errorf("tune: the task %s is not of this search: %w", t.Name(), err)
		}
	}
	m, err := w.s.perform(ctx, t, settings)
	if err != nil {
		return Measured{}, fmt.Errorf("tune: %w", err)
	}
	return m, nil
}

// settingsOf returns the settings of a task. Values of the lists and of the settings that the search starts from are those
// themselves, so that shapes are not only names.
func (w *Worker) settingsOf(t Task) (recipe.Setting, error) {
	if t.Fold < 0 || t.Fold >= len(w.s.folds) {
		return nil, fmt.Errorf("it has %d folds", len(w.s.folds))
	}
	var held map[string]any
	d := json.NewDecoder(strings.NewReader(t.Settings))
	d.UseNumber()
	if err := d.Decode(&held); err != nil {
		return nil, err
	}
	starts := settings(w.s.trials[:w.s.starts])
	r, all := w.s.base, recipe.Setting{}
	for _, k := range recipe.DrawnKeys() {
		known := slices.Clone(w.s.o.Space[k.Own()])
		for _, s := range starts {
			known = append(known, s[k.Own()])
		}
		v := held[k.Own()]
		if i := slices.IndexFunc(known, equals(v)); i >= 0 {
			v = known[i]
		}
		if err := k.Field(&r).Set(v); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		all[k.Own()] = k.Field(&r).Get()
	}
	if all.String() != t.Settings {
		return nil, fmt.Errorf("its settings are %s", t.Settings)
	}
	return all, valid(w.s.base, all)
}
