package tune

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// ErrFailed is wrapped when no settings could be trained on all folds.
var ErrFailed = errors.New("tune: every trial failed")

// Result is the outcome of a search.
type Result struct {
	Metric    string   // by which trials are compared, see [model.Criterion]
	Trials    []*Trial // in the order in which they were drawn, those without a fit left out
	Starts    int      // how many of them the search started from
	Best      *Trial   // the lowest mean loss over all folds, within the limit of fidelity (train.fidelity) if a trial is
	Incumbent *Trial   // the start that the others were compared with; nil if all of them failed
	Found     bool     // whether a trial is better than Incumbent by more than the noise
	// the best of these trials, or the simplest that is not worse than it by more than one standard error; Incumbent if
	// nothing was found
	Chosen *Trial

	// Options are the base without a race and with the settings of Chosen; if nothing was found,
	// the base with its race, both within the given lists.
	Options recipe.Recipe

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
// Result.Options. If no trial is better than what base trains by more than the
// noise, Result.Options are base.
//
// Where base trains a page, the search is of rules that start from a tree instead: a page has no such settings.
//
// A trial that diverges, or fails otherwise, counts as the worst; if all do, the
// error wraps [ErrFailed]. When ctx ends, its error is returned; with Options.Dir
// the same call resumes the search. A directory that holds another search is
// refused with an error that says what differs.
func Search(ctx context.Context, d *data.Dataset, base recipe.Recipe, o Options) (*Result, error) {
	s, err := newSearch(ctx, d, base, o)
	if err != nil {
		return nil, err
	}
	defer s.store.close()
	stopped, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	decided, err := s.decide(ctx)
	if err != nil {
		return nil, err
	}
	return s.result(stopped, decided)
}

// search is the state of a search.
type search struct {
	data      *data.Dataset
	base      recipe.Recipe // of the trials, within the given lists
	o         Options
	folds     []data.Fold
	prepared  []func() (prepared, error) // by fold
	screening length                     // of the trainings that screen trials
	judge     judge
	trials    []*Trial
	starts    int             // trials that it started from
	drawn     map[string]bool // the canonical settings of trials
	store     *store          // nil: results are not kept

	mu       sync.Mutex          // guards what follows, and o.OnFit
	known    map[string]Measured // by the names of the tasks
	progress Progress
}

func newSearch(ctx context.Context, d *data.Dataset, base recipe.Recipe, o Options) (*search, error) {
	if d == nil || d.Len() == 0 {
		return nil, &data.Error{Message: "there is no training part"}
	}
	d, err := d.Weighed()
	if err != nil {
		return nil, err
	}
	if base.Model.FromFile() || base.Model.FromRules() {
		return nil, &recipe.Error{Key: "model.init", Message: "a search starts from scratch, not from a saved model or a file of rules: set auto"}
	}
	base = base.WithoutPage()
	if o.Split == "" && d.Ordered {
		o.Split = splitChronological
	}
	if o, err = o.resolve(base, d.Schema.Classes != nil); err != nil {
		return nil, err
	}
	s := &search{data: d, o: o, drawn: map[string]bool{}, known: map[string]Measured{}}
	if s.folds, err = o.divide(d, base.Train.Seed); err != nil {
		return nil, err
	}
	if err := s.start(ctx, base); err != nil {
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
		held, err := Held(o.Dir)
		if err == nil && o.OnOpen != nil {
			err = o.OnOpen(note)
		}
		if err != nil {
			s.store.close()
			return nil, err
		}
		s.known = byName(held)
	}
	return s, nil
}

// start sets the base and adds the trials that the search starts from: the settings of the
// base, or of its race, within the given lists.
func (s *search) start(ctx context.Context, base recipe.Recipe) error {
	var starts []recipe.Setting
	var err error
	if s.base, starts, err = confine(s.o.given, base, s.data.Len(), s.data.Schema.Classes != nil); err != nil {
		return err
	}
	criterion, err := model.CriterionOf(base.Train.Loss, s.data.Schema)
	if err != nil {
		return err
	}
	s.progress.Metric = criterion.Name
	if shortens(s.base) {
		s.screening = short
	}
	s.judge = judge{s.base.Train.Fidelity, data.HeldToTrain(s.folds), s.o.Choose}
	s.prepared = prepare(ctx, s.data, s.folds, s.base)
	for _, settings := range starts[:min(len(starts), s.o.Trials)] {
		s.add(settings)
	}
	s.starts = len(s.trials)
	return nil
}

func (s *search) result(stopped string, d decision) (*Result, error) {
	r := &Result{
		Metric: s.progress.Metric, Starts: s.starts, Incumbent: d.incumbent, Found: len(d.better) > 0, Chosen: d.incumbent, Options: s.base,
		Folds: s.o.Folds, Repeats: s.o.Repeats, Split: s.o.Split, Samples: s.data.Len(), Weighted: s.data.Weights != nil,
		Duplicates: data.Duplicates(s.data), Fits: s.progress.Fits, Stopped: stopped,
	}
	for _, t := range s.trials {
		if len(t.Screened)+len(t.Fits) > 0 {
			r.Trials = append(r.Trials, t)
		}
	}
	if r.Found {
		r.Chosen = s.judge.choose(d.better)
		var err error
		if r.Options, err = apply(s.base, r.Chosen.Settings); err != nil {
			return nil, err
		}
		r.Options.Train.Members, r.Options.Train.Patience = s.base.Train.Members, s.base.Train.Patience
	}
	if r.Chosen == nil {
		return nil, fmt.Errorf("%w: the first one because %s", ErrFailed, r.Trials[0].Failed())
	}
	finished := s.judge.finished(r.Trials)
	r.Best = finished[0]
	for _, t := range finished {
		if r.Incumbent != nil {
			t.Over, t.SE = difference(t, r.Incumbent, s.judge.heldToTrain)
		}
	}
	return r, nil
}
