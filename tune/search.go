package tune

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrFailed is wrapped when no settings could be trained on all folds.
var ErrFailed = errors.New("tune: every trial failed")

// Result is the outcome of a search.
type Result struct {
	Trials     []*Trial // in the order in which they were drawn, those without a fit left out
	Starts     int      // how many of them the search started from
	Best       *Trial   // the lowest mean RMSE over all folds
	Chosen     *Trial   // Best, or the simplest that is not worse by more than one standard error
	Options    tskgraph.Recipe
	Folds      int
	Repeats    int    // of the division into folds
	Split      string // of the folds: random or chronological
	Samples    int    // of the training part, those of weight zero left out
	Weighted   bool   // whether errors are weighted
	Duplicates int    // of them that repeat an earlier one exactly
	Fits       int    // made or found in Options.Dir
	Stopped    string // completed, or time
}

// Why a search ended: the values of Result.Stopped.
const (
	StoppedCompleted = "completed"
	StoppedTime      = "time"
)

// Search looks for better settings than those of base, by cross-validation on d,
// the training part. Trials train single models for their whole length:
// Train.Members and Train.Patience of base play no part, and return in
// Result.Options, which are base with the chosen settings and without a race.
//
// A trial that diverges, or fails otherwise, counts as the worst; if all do, the
// error wraps [ErrFailed]. When ctx ends, its error is returned; with Options.Dir
// the same call resumes the search. A directory that holds another search is
// refused with an error that says what differs.
func Search(ctx context.Context, d *data.Dataset, base tskgraph.Recipe, o Options) (*Result, error) {
	s, err := newSearch(d, base, o)
	if err != nil {
		return nil, err
	}
	defer s.store.close()
	stopped, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	return s.result(stopped)
}

// search is the state of a search.
type search struct {
	data   *data.Dataset
	base   tskgraph.Recipe
	o      Options
	folds  []data.Fold
	trials []*Trial
	starts int             // trials that it started from
	drawn  map[string]bool // the settings of trials
	store  *store          // nil: results are not kept

	mu       sync.Mutex // guards what follows, and OnFit
	known    [][]*Fit   // [trial][fold], nil where nothing was measured
	found    map[startKey]*rules.Clusters
	progress Progress
}

// startKey identifies where rules start, which trials on the same fold share.
type startKey struct {
	fold     int
	settings string // of the keys that it depends on
}

func startKeyOf(fold int, s recipe.Setting) startKey {
	at := recipe.Setting{}
	for _, k := range recipe.DrawnKeys() {
		if k.Draw.Start {
			at[k.Own()] = s[k.Own()]
		}
	}
	return startKey{fold, at.String()}
}

func newSearch(d *data.Dataset, base tskgraph.Recipe, o Options) (*search, error) {
	if d == nil || d.Len() == 0 {
		return nil, &data.Error{Message: "there is no training part"}
	}
	d, err := d.Weighed()
	if err != nil {
		return nil, err
	}
	if base.Model.FromFile() {
		return nil, &tskgraph.RecipeError{Key: "model.init", Message: "a search starts from scratch, not from a saved model: set auto"}
	}
	if o.Split == "" && d.Ordered {
		o.Split = splitChronological
	}
	if o, err = o.resolve(base); err != nil {
		return nil, err
	}
	s := &search{data: d, base: base, o: o, drawn: map[string]bool{}, found: map[startKey]*rules.Clusters{}}
	if s.folds, err = o.divide(d, base.Train.Seed); err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		return nil, err
	}
	if o.Dir != "" {
		id, err := identify(d, base, o)
		if err != nil {
			return nil, err
		}
		var note string
		if s.store, note, err = openStore(o.Dir, id); err != nil {
			return nil, err
		}
		if o.OnOpen != nil {
			if err := o.OnOpen(note); err != nil {
				s.store.close()
				return nil, err
			}
		}
	}
	return s, nil
}

// start adds the trials that the search starts from: the settings of the base, or of
// its race, with the values of the lists that were given.
func (s *search) start() error {
	for _, candidate := range s.base.Candidates(s.data.Len()) {
		settings, err := settingsOf(candidate)
		if err != nil {
			return err
		}
		settings = s.o.given.hold(settings)
		if err = valid(s.base, settings); err != nil && len(s.trials) == 0 {
			return err
		}
		if err == nil && !s.drawn[settings.String()] && len(s.trials) < s.o.Trials {
			s.add(settings)
		}
	}
	s.starts = len(s.trials)
	return nil
}

func (s *search) add(settings recipe.Setting) {
	s.drawn[settings.String()] = true
	s.trials = append(s.trials, &Trial{Number: len(s.trials) + 1, Settings: settings})
	s.known = append(s.known, make([]*Fit, len(s.folds)))
}

func (s *search) result(stopped string) (*Result, error) {
	r := &Result{
		Starts: s.starts, Folds: s.o.Folds, Repeats: s.o.Repeats, Split: s.o.Split, Samples: s.data.Len(), Weighted: s.data.Weights != nil, Duplicates: data.Duplicates(s.data), Fits: s.progress.Fits, Stopped: stopped,
	}
	for _, t := range s.trials {
		if len(t.Fits) > 0 {
			r.Trials = append(r.Trials, t)
		}
	}
	r.Best, r.Chosen = choose(r.Trials, s.o.Choose, data.HeldToTrain(s.folds))
	if r.Chosen == nil {
		return nil, fmt.Errorf("%w: the first one because %s", ErrFailed, r.Trials[0].Failed())
	}
	var err error
	if r.Options, err = apply(s.base, r.Chosen.Settings); err != nil {
		return nil, err
	}
	r.Options.Train.Members, r.Options.Train.Patience = s.base.Train.Members, s.base.Train.Patience
	return r, nil
}
