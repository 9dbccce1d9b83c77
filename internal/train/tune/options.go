package tune

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/tskgraph/tskgraph"
)

// Options are the options of a search. The zero value is the default.
type Options struct {
	Space   Space         // the values that settings may take; empty lists take DefaultSpace's
	Trials  int           // settings tried, those that the search starts from included; 0: 40
	Time    time.Duration // begin no further step of a bracket that lacks fits after this; the first bracket and the finalists are always finished; 0: no limit
	Folds   int           // 0: 5
	Repeats int           // how many times the training part is divided into folds; 0: 1
	Split   string        // how folds are made: random, or chronological, each fold after what it is predicted from (default where samples are in time order, see data.Dataset)
	Choose  string        // among trials that are better than the base: simplest (default), that is not worse than the best by more than one standard error of the difference, nor 1%; or best
	Workers int           // fits at a time; 0: GOMAXPROCS
	Dir     string        // where results are kept, so that a search can be resumed; one that holds anything else is refused; empty: nowhere

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

	defaultRepeats = 1
	maxRepeats     = 1000

	splitRandom        = "random"
	splitChronological = "chronological"

	chooseSimplest = "simplest"
	chooseBest     = "best"
)

// Validate checks the options of a search from base. [Search] does so too.
func (o Options) Validate(base tskgraph.Recipe) error {
	_, err := o.resolve(base, false)
	return err
}

// resolve returns the options with defaults filled in, checked, of a search for a target of
// classes or of numbers.
func (o Options) resolve(base tskgraph.Recipe, classes bool) (Options, error) {
	fail := func(key, format string, a ...any) (Options, error) {
		return o, &tskgraph.RecipeError{Key: key, Message: fmt.Sprintf(format, a...)}
	}
	switch {
	case o.Trials < 0:
		return fail("tune.trials", "%d: must be at least 1", o.Trials)
	case o.Time < 0:
		return fail("tune.time", "%v: must be positive", o.Time)
	case o.Repeats < 0 || o.Repeats > maxRepeats:
		return fail("tune.repeats", "%d: must be at least 1 and at most %d", o.Repeats, maxRepeats)
	case o.Repeats > 1 && o.Split == splitChronological:
		return fail("tune.repeats", "%d: there is one way to divide samples in time order: set it to 1", o.Repeats)
	case o.Folds < 0 || o.Folds == 1:
		return fail("tune.folds", "%d: must be at least 2", o.Folds)
	case o.Folds > maxFolds:
		return fail("tune.folds", "%d: must be at most %d", o.Folds, maxFolds)
	}
	if o.Trials == 0 {
		o.Trials = defaultTrials
	}
	if o.Folds == 0 {
		o.Folds = defaultFolds
	}
	if o.Repeats == 0 {
		o.Repeats = defaultRepeats
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Began.IsZero() {
		o.Began = time.Now()
	}
	switch o.Split {
	case "":
		o.Split = splitRandom
	case splitRandom, splitChronological:
	default:
		return fail("tune.split", "%q: choose random or chronological", o.Split)
	}
	switch o.Choose {
	case "":
		o.Choose = chooseSimplest
	case chooseSimplest, chooseBest:
	default:
		return fail("tune.choose", "%q: choose simplest or best", o.Choose)
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
