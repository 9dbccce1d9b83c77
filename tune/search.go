package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
)

// ErrFailed is wrapped when no settings could be trained on all folds.
var ErrFailed = errors.New("tune: every trial failed")

// trialStream separates the random stream of the settings from the others drawn
// from the same seed.
const trialStream = 0x747269616c73 // "trials"

// Result is the outcome of a search.
type Result struct {
	Trials     []*Trial // in the order in which they were drawn, those without a fit left out
	Best       *Trial   // the lowest mean RMSE over all folds
	Chosen     *Trial   // Best, or the simplest within one standard error of it
	Options    tskgraph.Options
	Folds      int
	Samples    int    // of the training part
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
// Result.Options, which are base with the chosen settings.
//
// A trial that diverges, or fails otherwise, counts as the worst; if all do, the
// error wraps [ErrFailed]. When ctx ends, its error is returned; with Options.Dir
// the same call takes the search up again. A directory that holds another search is
// refused with an error that says what differs.
func Search(ctx context.Context, d *data.Dataset, base tskgraph.Options, o Options) (*Result, error) {
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
	base   tskgraph.Options
	o      Options
	folds  []fold
	trials []*Trial
	store  *store // nil: results are not kept

	mu       sync.Mutex // guards what follows, and OnFit
	known    [][]*Fit   // [trial][fold], nil where nothing was measured
	progress Progress
}

func newSearch(d *data.Dataset, base tskgraph.Options, o Options) (*search, error) {
	if d == nil || d.Len() == 0 {
		return nil, &data.Error{Message: "there is no training part"}
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if base.Model.FromFile() {
		return nil, &tskgraph.OptionError{Key: "model.init", Message: "a search starts from scratch, not from a saved model: set auto"}
	}
	base.OnIteration, base.OnCheckpoint, base.Resume = nil, nil, nil
	o, err := o.resolve(base)
	if err != nil {
		return nil, err
	}
	s := &search{data: d, base: base, o: o}
	if o.Split == splitChronological {
		s.folds, err = chronologicalFolds(d, o.Folds)
	} else {
		s.folds, err = randomFolds(d, o.Folds, base.Train.Seed)
	}
	if err != nil {
		return nil, err
	}
	first, err := settingsOf(base)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(base.Train.Seed, trialStream))
	for i, settings := range o.Space.draw(first, o.Trials, rng) {
		s.trials = append(s.trials, &Trial{Number: i + 1, Settings: settings})
		s.known = append(s.known, make([]*Fit, o.Folds))
	}
	if o.Dir == "" {
		return s, nil
	}
	if s.store, err = openStore(o.Dir, identify(d, base, o)); err != nil {
		return nil, err
	}
	for i, t := range s.trials {
		if err := s.store.load(t, s.known[i]); err != nil {
			s.store.close()
			return nil, err
		}
	}
	return s, nil
}

// run measures what is missing.
func (s *search) run(ctx context.Context) (stopped string, err error) {
	start := time.Now()
	s.progress.All = s.planned()
	if err := s.measure(ctx, s.trials[:1], len(s.folds)); err != nil {
		return "", err
	}
	for first := 1; first < len(s.trials); first += bracket {
		alive := s.trials[first:min(first+bracket, len(s.trials))]
		for _, folds := range rungs(len(s.folds)) {
			if s.o.Time > 0 && first > 1 && time.Since(start) > s.o.Time {
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
			settings := s.o.Space.apply(s.base, s.trials[t.trial].Settings)
			fit, err := fitOn(ctx, s.data, s.folds[t.fold], settings)
			if err != nil {
				return err
			}
			return s.keep(t.trial, t.fold, fit)
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

// keep stores a fit and reports it.
func (s *search) keep(trial, fold int, fit Fit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
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
		Folds: len(s.folds), Samples: s.data.Len(), Duplicates: duplicates(s.data), Fits: s.progress.Fits, Stopped: stopped,
	}
	for _, t := range s.trials {
		if len(t.Fits) > 0 {
			r.Trials = append(r.Trials, t)
		}
	}
	shapes := append([]membership.Function{s.base.Model.Membership}, s.o.Space.Membership...)
	r.Best, r.Chosen = choose(r.Trials, s.o.Choose, shapes)
	if r.Chosen == nil {
		return nil, fmt.Errorf("%w: the first one because %s", ErrFailed, r.Trials[0].Failed())
	}
	r.Options = s.o.Space.apply(s.base, r.Chosen.Settings)
	r.Options.Train.Members, r.Options.Train.Patience = s.base.Train.Members, s.base.Train.Patience
	return r, nil
}
