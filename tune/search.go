package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
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
// the same call takes the search up again. A directory that holds another search is
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

// search is a search under way.
type search struct {
	data   *data.Dataset
	base   tskgraph.Recipe
	o      Options
	folds  []data.Fold
	trials []*Trial
	starts int               // trials that it started from
	drawn  map[Settings]bool // the settings of trials
	store  *store            // nil: results are not kept

	mu       sync.Mutex // guards what follows, and OnFit
	known    [][]*Fit   // [trial][fold], nil where nothing was measured
	found    map[place]*rules.Clusters
	progress Progress
}

// place is where rules start, which trials on the same fold share.
type place struct {
	fold, rules int
	init, shape string // the shape has a say in the initialiser auto
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
	s := &search{data: d, base: base, o: o, drawn: map[Settings]bool{}, found: map[place]*rules.Clusters{}}
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
		if err = s.o.Space.apply(s.base, settings).Validate(); err != nil && len(s.trials) == 0 {
			return err
		}
		if err == nil && !s.drawn[settings] && len(s.trials) < s.o.Trials {
			s.add(settings)
		}
	}
	s.starts = len(s.trials)
	return nil
}

func (s *search) add(settings Settings) {
	s.drawn[settings] = true
	s.trials = append(s.trials, &Trial{Number: len(s.trials) + 1, Settings: settings})
	s.known = append(s.known, make([]*Fit, len(s.folds)))
}

// run measures what is missing.
func (s *search) run(ctx context.Context) (stopped string, err error) {
	began := time.Now()
	s.progress.All = s.planned(s.o.Trials)
	if err := s.measure(ctx, s.trials, s.o.Folds); err != nil {
		return "", err
	}
	if err := s.measure(ctx, betterHalf(s.trials), len(s.folds)); err != nil {
		return "", err
	}
	for n := 0; len(s.trials) < s.o.Trials; n++ {
		alive := s.draw(min(bracket, s.o.Trials-len(s.trials)), n)
		if len(alive) == 0 {
			break
		}
		for _, folds := range rungs(len(s.folds)) {
			if s.o.Time > 0 && n > 0 && time.Since(began) > s.o.Time {
				return StoppedTime, nil
			}
			if err := s.measure(ctx, alive, folds); err != nil {
				return "", err
			}
			alive = betterHalf(alive)
		}
	}
	return StoppedCompleted, nil
}

// measure measures the trials on the first folds, side by side, the longest fits
// first.
func (s *search) measure(ctx context.Context, trials []*Trial, folds int) error {
	type task struct{ trial, fold int }
	var tasks []task
	for _, t := range trials {
		if s.store != nil && len(t.Fits) == 0 { // it is new
			if err := s.store.load(t, s.known[t.Number-1]); err != nil {
				return err
			}
		}
		for f := len(t.Fits); f < folds; f++ {
			if s.known[t.Number-1][f] == nil {
				tasks = append(tasks, task{t.Number - 1, f})
			} else {
				s.count(t.Number)
			}
		}
	}
	work := func(t task) int { return s.trials[t.trial].Settings.Iterations * s.trials[t.trial].Settings.Rules }
	slices.SortStableFunc(tasks, func(a, b task) int { return cmp.Compare(work(b), work(a)) })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.o.Workers)
	for _, t := range tasks {
		group.Go(func() error {
			settings := s.trials[t.trial].Settings
			at := place{t.fold, settings.Rules, settings.Init, settings.Membership}
			o := s.o.Space.apply(s.base, settings)
			s.mu.Lock()
			start := s.found[at]
			s.mu.Unlock()
			fit, start, err := fitOn(ctx, s.data, s.folds[t.fold], tskgraph.Run{Recipe: o, Start: start})
			if err != nil {
				return err
			}
			return s.keep(t.trial, t.fold, fit, at, start)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	for _, t := range trials {
		for f := len(t.Fits); f < folds; f++ {
			t.Fits = append(t.Fits, *s.known[t.Number-1][f])
		}
		t.sumUp(len(s.folds))
		if t.Finished && t.Failed() == "" && (s.progress.Best == 0 || t.RMSE < s.progress.Best) {
			s.progress.Best = t.RMSE
		}
	}
	return nil
}

// keep stores a fit and where its rules started, and reports it.
func (s *search) keep(trial, fold int, fit Fit, at place, start *rules.Clusters) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if start != nil {
		s.found[at] = start
	}
	s.known[trial][fold] = &fit
	if s.store != nil {
		if err := s.store.save(s.trials[trial], s.known[trial]); err != nil {
			return err
		}
	}
	s.count(trial + 1)
	return nil
}

// count reports a fit that is done; no other may be under way, or mu is held.
func (s *search) count(trial int) {
	s.progress.Fits++
	s.progress.Trials = max(s.progress.Trials, trial)
	if s.o.OnFit != nil {
		s.o.OnFit(s.progress)
	}
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
	shapes := append([]membership.Function{s.base.Model.Membership}, s.o.Space.Membership...)
	r.Best, r.Chosen = choose(r.Trials, s.o.Choose, shapes, data.HeldToTrain(s.folds))
	if r.Chosen == nil {
		return nil, fmt.Errorf("%w: the first one because %s", ErrFailed, r.Trials[0].Failed())
	}
	r.Options = s.o.Space.apply(s.base, r.Chosen.Settings)
	r.Options.Train.Members, r.Options.Train.Patience = s.base.Train.Members, s.base.Train.Patience
	return r, nil
}
