// Package tune chooses the settings of a model by cross-validation, and says how
// much a model depends on its seed.
//
// [Search] starts from the settings of a race ([recipe.Train].Race), or those
// of the base. Each further trial takes one of the three best so far and moves one of its
// settings, half of the time two, and so on, along the lists of a [Space]. What has no
// list (the initialiser, the batch, the ratio of the two learning rates) comes from the
// settings that it started from.
//
// Trials are compared on folds of the training part, see [data.Dataset.Folds], which are
// prepared once. Trials come in brackets of eight and are screened by successive halving:
// all of a bracket are measured on one fold, the better half on two, and the better half of
// these on all folds of the first division. With a cosine schedule, screening trainings make
// an eighth of the updates. The best two settings that the search started from, and the best
// two drawn ones, are then trained for their whole length: on two folds, and the better one
// of each kind on all. What was measured is never measured again. With a limit of fidelity
// (train.fidelity), trials beyond it rank after the others and are never chosen.
//
// A drawn trial replaces the base only if its loss, the figure of the criterion (RMSE, log loss, ..., see
// [model.Criterion]), is lower by more than one standard error than that of the best setting that the search started
// from, and than that of the setting that the race of the base chooses. The standard error is that of the mean, over the
// folds, of the differences between the two trials on the same fold; it allows for folds
// that share training samples, as Nadeau and Bengio (2003) do. Of several such trials the
// simplest is chosen that is not worse than the best by more than one standard error. If
// there is none, the search returns the base.
//
// The same data, options and machine architecture give the same choice, whatever
// the number of workers and however often the search was interrupted: every fit
// depends on its settings and its fold alone, and what is drawn on the brackets before.
// Only a time budget depends on the machine.
//
// With Options.Measure the fits are made elsewhere: [Next] says which ones a search needs next, a [Worker] makes them in any
// process that has the data, and the search, which alone draws, compares and chooses, keeps what they return as if it had made them.
//
// [Stability] trains the same model with several seeds and compares predictions,
// rules and response curves.
package tune

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Options are the options of a search. The zero value is the default.
type Options struct {
	Space  Space // the values that settings may take; empty lists take DefaultSpace's
	Trials int   // settings tried, those that the search starts from included; 0: 40
	// begin no further step of a bracket that lacks fits after this; the first bracket and the finalists are always
	// finished; 0: no limit
	Time    time.Duration
	Folds   int // 0: 5
	Repeats int // how many times the training part is divided into folds; 0: 1
	// how folds are made: random, or chronological, each fold after what it is predicted from (default where samples are in
	// time order, see data.Dataset)
	Split string
	// among trials that are better than the base: simplest (default), that is not worse than the best by more than one
	// standard error of the difference, nor 1%; or best
	Choose  string
	Workers int    // fits at a time; 0: GOMAXPROCS
	Dir     string // where results are kept, so that a search can be resumed; one that holds anything else is refused; empty: nowhere

	given Space // Space before it was filled in

	// Began is the time from which Time counts; zero: that of the call.
	Began time.Time

	// Measure, if not nil, carries out the tasks of a step in place of this process, such as on other machines with a
	// [Worker], and returns what each of them measured, in any order. Its error ends the search, which wraps it.
	Measure func(ctx context.Context, tasks []Task) ([]Measured, error)

	// OnFit, if not nil, is called after each fit, one call at a time.
	OnFit func(Progress)

	// OnOpen, if not nil, is called when Dir is found to be free or to hold this search, before anything is measured.
	// The note is not empty if the file system has no locks, so that nothing keeps other searches out. An error ends the search.
	OnOpen func(note string) error
}

// Progress is how far a search is.
type Progress struct {
	Fits   int     // done, those found in Options.Dir included
	All    int     // to be done if time lasts
	Trials int     // begun
	Best   float64 // the lowest mean loss over all folds so far; 0: none yet
	Metric string  // name of the criterion, see model.Criterion
}

const (
	defaultTrials = 40
	defaultFolds  = 5
	maxFolds      = 1000
	maxRepeats    = 1000

	splitRandom        = "random"
	splitChronological = "chronological"

	chooseSimplest = "simplest"
	chooseBest     = "best"
)

// Validate checks the options of a search from base. [Search] does so too.
func (o Options) Validate(base recipe.Recipe) error {
	_, err := o.resolve(base, false)
	return err
}

// resolve returns the options with defaults filled in, checked, of a search for a target of
// classes or of numbers.
func (o Options) resolve(base recipe.Recipe, classes bool) (Options, error) {
	fail := func(key, format string, a ...any) (Options, error) {
		return o, &recipe.Error{Key: key, Message: fmt.Sprintf(format, a...)}
	}
	base = base.WithoutPage()
	o.Trials, o.Folds, o.Repeats = cmp.Or(o.Trials, defaultTrials), cmp.Or(o.Folds, defaultFolds), cmp.Or(o.Repeats, 1)
	o.Split, o.Choose = cmp.Or(o.Split, splitRandom), cmp.Or(o.Choose, chooseSimplest)
	switch {
	case o.Trials < 0:
		return fail("tune.trials", "%d: must be at least 1", o.Trials)
	case o.Time < 0:
		return fail("tune.time", "%v: must be positive", o.Time)
	case o.Repeats < 0 || o.Repeats > maxRepeats:
		return fail("tune.repeats", "%d: must be at least 1 and at most %d", o.Repeats, maxRepeats)
	case o.Repeats > 1 && o.Split == splitChronological:
		return fail("tune.repeats", "%d: there is one way to divide samples in time order: set it to 1", o.Repeats)
	case o.Folds < 2:
		return fail("tune.folds", "%d: must be at least 2", o.Folds)
	case o.Folds > maxFolds:
		return fail("tune.folds", "%d: must be at most %d", o.Folds, maxFolds)
	case o.Split != splitRandom && o.Split != splitChronological:
		return fail("tune.split", "%q: choose random or chronological", o.Split)
	case o.Choose != chooseSimplest && o.Choose != chooseBest:
		return fail("tune.choose", "%q: choose simplest or best", o.Choose)
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Began.IsZero() {
		o.Began = time.Now()
	}
	defaults, err := DefaultSpace(base, classes)
	if err != nil {
		return o, err
	}
	if o.given, err = o.Space.typed(); err != nil {
		return o, err
	}
	o.Space = o.given.or(defaults)
	return o, o.Space.validate(base, classes)
}

// foldStream separates the random stream of the folds from the others drawn from
// the same seed.
const foldStream = 0x666f6c6473 // "folds"

// divide returns the folds of every repeat, one repeat after the other.
func (o Options) divide(d *data.Dataset, seed uint64) ([]data.Fold, error) {
	of := *d
	of.Ordered = o.Split == splitChronological
	if err := of.Validate(); err != nil {
		return nil, err
	}
	var all []data.Fold
	for repeat := range o.Repeats {
		folds, err := of.Folds(o.Folds, rand.New(rand.NewPCG(seed, foldStream+uint64(repeat))))
		if err != nil {
			return nil, err
		}
		all = append(all, folds...)
	}
	return all, nil
}

// prepared is a fold with the prepared training part that all trials share: drawn keys do
// not change the preprocessing.
type prepared struct {
	training, held *data.Dataset
	set            *fit.TrainingSet
}

// prepare returns a function for each fold that prepares it at its first call, until ctx ends.
func prepare(ctx context.Context, d *data.Dataset, folds []data.Fold, base recipe.Recipe) []func() (prepared, error) {
	all := make([]func() (prepared, error), len(folds))
	for i, f := range folds {
		all[i] = sync.OnceValues(func() (prepared, error) {
			p := prepared{training: d.Subset(f.Train), held: d.Subset(f.Held)}
			var err error
			p.set, err = fit.PrepareSubset(ctx, d, f.Train, base)
			return p, err
		})
	}
	return all
}
