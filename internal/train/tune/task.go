package tune

import (
	"context"
	"errors"
	"fmt"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
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

func (t Task) length() length {
	if t.Short {
		return short
	}
	return whole
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

// answersTo has tasks carried out elsewhere and returns what was measured, in their order.
func answersTo(ctx context.Context, elsewhere func(context.Context, []Task) ([]Measured, error), tasks []Task) ([]Measured, error) {
	if len(tasks) == 0 {
		return nil, nil
	}
	answers, err := elsewhere(ctx, tasks)
	if err != nil {
		return nil, err
	}
	of := map[Task]Measured{}
	for _, a := range answers {
		of[a.Task] = a
	}
	ordered := make([]Measured, len(tasks))
	for i, t := range tasks {
		if ordered[i] = of[t]; !ordered[i].Complete() {
			return nil, fmt.Errorf("the task %s has no result", t.Name())
		}
	}
	return ordered, nil
}

// Next returns the tasks that a search of the same data, base and options needs next, given what was measured; none if
// it needs no more. It trains nothing and uses no directory. After Options.Time from Options.Began it begins no further step, as
// [Search] does.
func Next(ctx context.Context, d *data.Dataset, base tskgraph.Recipe, o Options, known []Measured) ([]Task, error) {
	of := map[Task]Measured{}
	for _, k := range known {
		of[k.Task] = k
	}
	lacking := errors.New("tasks are missing")
	var missing []Task
	o.Dir, o.OnFit, o.OnOpen = "", nil, nil
	o.Measure = func(_ context.Context, tasks []Task) (found []Measured, err error) {
		for _, t := range tasks {
			if k, ok := of[t]; ok && k.Complete() {
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
