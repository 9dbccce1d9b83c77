package tune

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/ensemble"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/recipe"
)

// confine returns the recipe with values of the given lists, in each setting of its race,
// and the different settings that a search on so many samples starts from. Settings of the
// race that the lists make invalid are left out.
func (sp Space) confine(base tskgraph.Recipe, samples int) (tskgraph.Recipe, []recipe.Setting, error) {
	race := base.Settings()
	base.Train.Race = nil
	if len(race) == 0 {
		settings, changed, err := sp.confineOne(base)
		if err == nil {
			err = put(&base, changed)
		}
		return base, []recipe.Setting{settings}, err
	}
	var starts []recipe.Setting
	var first error
	for _, s := range race {
		with, err := base.With(s)
		if err != nil {
			return base, nil, err
		}
		settings, changed, err := sp.confineOne(with)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		s = maps.Clone(s)
		maps.Copy(s, changed)
		base.Train.Race = append(base.Train.Race, s)
		same := func(other recipe.Setting) bool { return other.String() == settings.String() }
		if s.LeastSamples() <= samples && !slices.ContainsFunc(starts, same) {
			starts = append(starts, settings)
		}
	}
	if len(starts) == 0 && first != nil {
		return base, nil, first
	}
	return base, starts, nil
}

// confineOne returns the settings of a recipe without a race within the given lists, and
// those that differ from the recipe's.
func (sp Space) confineOne(r tskgraph.Recipe) (settings, changed recipe.Setting, err error) {
	own, err := settingsOf(r)
	if err != nil {
		return nil, nil, err
	}
	settings, changed = sp.hold(own), recipe.Setting{}
	for name, v := range settings {
		if own.Text(name) != recipe.Text(v) {
			changed[name] = v
		}
	}
	return settings, changed, valid(r, settings)
}

// decision is the outcome of the comparison of the finalists.
type decision struct {
	incumbent *Trial   // of the default; nil if it failed
	better    []*Trial // that may replace it, the best first
}

// decide compares the drawn finalists with the settings that the search started from: with
// the best one on the folds and, if a trial is better, with the one that the race chooses.
func (s *search) decide(ctx context.Context) (d decision, err error) {
	if starts := s.finished(s.trials[:s.starts]); len(starts) > 0 {
		d.incumbent = starts[0]
	}
	d.better = s.better(s.trials[s.starts:], d.incumbent)
	if len(d.better) == 0 || s.starts == 1 {
		return d, nil
	}
	chosen, err := s.raced(ctx)
	if err != nil {
		return d, err
	}
	if missing := len(s.folds) - len(chosen.Fits); missing > 0 {
		s.progress.All += missing
		if err := s.measure(ctx, []*Trial{chosen}, len(s.folds), whole); err != nil {
			return d, err
		}
	}
	if chosen.Failed() == "" {
		d.incumbent, d.better = chosen, s.better(d.better, chosen)
	}
	return d, nil
}

// raced returns the trial of the setting that the race of the base chooses.
func (s *search) raced(ctx context.Context) (*Trial, error) {
	text, err := s.store.raced()
	if err != nil {
		return nil, err
	}
	if text == "" {
		_, chosen, err := ensemble.Race(ctx, s.data, ensemble.Run{Job: fit.Job{Recipe: s.base}})
		if err != nil {
			return nil, fmt.Errorf("tune: %w", err)
		}
		settings, err := settingsOf(chosen)
		if err != nil {
			return nil, err
		}
		text = settings.String()
		if err := s.store.saveRaced(text); err != nil {
			return nil, err
		}
	}
	i := slices.IndexFunc(s.trials[:s.starts], func(t *Trial) bool { return t.Settings.String() == text })
	if i < 0 {
		return nil, fmt.Errorf("tune: the race chose settings that no trial has: %s", text)
	}
	return s.trials[i], nil
}
