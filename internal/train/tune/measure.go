package tune

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// measured holds the fits of a trial by length and fold, nil where nothing was measured.
type measured [2][]*Fit

// measurer trains and measures trials.
type measurer struct {
	base     tskgraph.Recipe            // of the trials
	prepared []func() (prepared, error) // by fold
	trials   []*Trial
	workers  int
	onFit    func(Progress) // may be nil
	store    *store         // nil: results are not kept

	elsewhere func(context.Context, []Task) ([]Measured, error) // [Options].Measure; nil: fits are made here

	mu       sync.Mutex // guards what follows, and onFit
	known    []measured // by trial
	progress Progress
}

// add adds a trial.
func (m *measurer) add(settings recipe.Setting) {
	m.trials = append(m.trials, &Trial{Number: len(m.trials) + 1, Settings: settings, Metric: m.progress.Metric})
	m.known = append(m.known, measured{make([]*Fit, len(m.prepared)), make([]*Fit, len(m.prepared))})
}

// always lets a step begin.
func always() bool { return true }

// measure trains the trials on the first folds and measures them, the longest trainings first. A step that lacks fits
// begins only if proceed returns true; measure returns whether the trials have all their fits.
func (m *measurer) measure(ctx context.Context, trials []*Trial, folds int, l length, proceed func() bool) (bool, error) {
	if err := m.recall(trials); err != nil {
		return false, err
	}
	var tasks []Task
	var found []int // the trials of the fits that are known
	for _, t := range trials {
		for f := len(t.on(l)); f < folds; f++ {
			if m.known[t.Number-1][l][f] == nil {
				tasks = append(tasks, Task{Trial: t.Number, Settings: t.Settings.String(), Fold: f, Short: l == short})
			} else {
				found = append(found, t.Number)
			}
		}
	}
	if len(tasks) > 0 && !proceed() {
		return false, nil
	}
	for _, trial := range found {
		m.count(trial)
	}
	slices.SortStableFunc(tasks, func(a, b Task) int {
		return cmp.Compare(work(m.trials[b.Trial-1].Settings, l), work(m.trials[a.Trial-1].Settings, l))
	})
	if err := m.carryOut(ctx, tasks); err != nil {
		return false, fmt.Errorf("tune: %w", err)
	}
	for _, t := range trials {
		m.extend(t, folds, l)
	}
	return true, nil
}

// recall loads the fits of trials that an earlier run measured.
func (m *measurer) recall(trials []*Trial) error {
	for _, t := range trials {
		if m.store != nil && len(t.Screened)+len(t.Fits) == 0 { // not measured before in this run
			if err := m.store.load(t, m.known[t.Number-1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// extend gives a trial its measured fits on the first folds.
func (m *measurer) extend(t *Trial, folds int, l length) {
	all := t.on(l)
	for f := len(all); f < folds; f++ {
		all = append(all, *m.known[t.Number-1][l][f])
	}
	if l == short {
		t.Screened = all
		return
	}
	t.Fits = all
	t.sumUp(len(m.prepared))
	if t.Finished && t.Failed() == "" && (m.progress.Best == 0 || t.Loss < m.progress.Best) {
		m.progress.Best = t.Loss
	}
}

// keep stores a fit and reports it.
func (m *measurer) keep(t Task, one Fit) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.known[t.Trial-1]
	known[t.length()][t.Fold] = &one
	if m.store != nil {
		if err := m.store.save(m.trials[t.Trial-1], known); err != nil {
			return err
		}
	}
	m.count(t.Trial)
	return nil
}

// count counts a fit and reports it. No fit runs meanwhile, or the caller holds mu.
func (m *measurer) count(trial int) {
	m.progress.Fits++
	m.progress.Trials = max(m.progress.Trials, trial)
	if m.onFit != nil {
		m.onFit(m.progress)
	}
}
