package tuning

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/predicting"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// Command is one command that searches.
type Command struct {
	Flags *Flags
	Notes io.Writer               // of notes and progress
	Again func(dir string) string // the command that continues a search
	Usage func(error) error       // marks an error in the command line

	// Show, if not nil, begins to show progress; stop ends that.
	Show func() (onFit func(tune.Progress), stop func())

	// Planned, if not nil, is called before anything is written. Its error ends the command.
	Planned func(ctx context.Context, train *data.Dataset, c *config.Config, o tune.Options) error

	// Elsewhere, if not nil, returns what makes the fits of a search in place of this process, given its data and
	// configuration, and its options except its functions.
	Elsewhere func(train *data.Dataset, c *config.Config, o tune.Options) func(context.Context, []tune.Task) ([]tune.Measured, error)
}

// Run searches, writes the directory of the search, and returns its summary.
func (t *Command) Run(ctx context.Context) (*report.Tuning, error) {
	began := time.Now()
	f := t.Flags
	c, err := f.Load()
	if err != nil {
		return nil, err
	}
	parts, err := c.Source().Load(ctx)
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	predicting.NoteTables(t.Notes, &c.Data, parts)
	if err := t.check(c); err != nil {
		return nil, err
	}
	if t.Planned != nil {
		if err := t.Planned(ctx, parts.Train, c, t.options(c, began)); err != nil {
			return nil, err
		}
	}
	made := f.Out == ""
	if made {
		if f.Out, err = runs.NewDir(c.Output.Dir, safefile.Name(c.Data.Name())+"-tune"); err != nil {
			return nil, fmt.Errorf("output.dir: %w", err)
		}
	}
	result, err := t.search(ctx, c, parts.Train, t.options(c, began))
	if made && !tune.Begun(f.Out) {
		err = errors.Join(err, os.Remove(f.Out))
	}
	switch {
	case errors.Is(err, context.Canceled), err != nil && made && tune.Begun(f.Out) && !errors.Is(err, tune.ErrFailed):
		return nil, fmt.Errorf("%w\ncontinue with: %s", err, t.Again(f.Out))
	case errors.Is(err, tune.ErrOther):
		return nil, t.Usage(err)
	case err != nil:
		return nil, err
	}
	summary := report.NewTuning(result)
	summary.Dir, summary.Config, summary.Table = f.Out, filepath.Join(f.Out, runs.ConfigFile), filepath.Join(f.Out, TriedFile)
	summary.Data, summary.Target = c.Data.Name(), parts.Train.Schema.Target
	summary.Seconds = time.Since(began).Seconds()
	c.Recipe, c.Tune = result.Options, tune.Options{}
	if err := write(f.Out, c, summary); err != nil {
		return nil, err
	}
	t.noteResult(c, summary)
	return summary, nil
}

// check refuses a directory in which a result would overwrite an input.
func (t *Command) check(c *config.Config) error {
	if t.Flags.Out == "" {
		return nil // a new directory
	}
	for _, name := range []string{runs.ConfigFile, TriedFile, runs.SummaryFile} {
		out := filepath.Join(t.Flags.Out, name)
		for _, read := range []string{t.Flags.Path, c.Data.Path, c.Data.TestPath} {
			if safefile.Same(out, read) {
				return t.Usage(fmt.Errorf("the output %s is the input %s: name another file with --out", out, read))
			}
		}
	}
	return nil
}

// options returns the options of the search, without its functions.
func (t *Command) options(c *config.Config, began time.Time) tune.Options {
	o := c.Tune
	o.Trials, o.Time, o.Began, o.Dir = t.Flags.Trials, t.Flags.Time, began, t.Flags.Out
	return o
}

func (t *Command) search(ctx context.Context, c *config.Config, train *data.Dataset, o tune.Options) (*tune.Result, error) {
	if t.Elsewhere != nil {
		o.Measure = t.Elsewhere(train, c, o)
	}
	if t.Show != nil {
		var stop func()
		o.OnFit, stop = t.Show()
		defer stop()
	}
	o.OnOpen = func(unlocked string) error {
		if unlocked != "" {
			predicting.Note(t.Notes, "%s", unlocked)
		}
		return writeStart(o.Dir, c)
	}
	return tune.Search(ctx, train, c.Recipe, o)
}

// noteResult prints notes on the result.
func (t *Command) noteResult(c *config.Config, s *report.Tuning) {
	if s.Duplicates > 0 {
		fold := "; they share its fold"
		if s.Split != "random" {
			fold = ", each in the fold of its time"
		}
		predicting.Note(t.Notes, "%d of %d training samples repeat an earlier one%s", s.Duplicates, s.Samples, fold)
	}
	if !s.Found {
		predicting.Note(t.Notes, "%s", s.Verdict())
	}
	if s.Stopped == tune.StoppedTime {
		predicting.Note(t.Notes, "the time limit was reached after %d of %d trials", s.Trials, t.Flags.Trials)
	}
	if c.Recipe.Train.Patience > 0 {
		predicting.Note(t.Notes, "train.patience had no effect: every trial was trained for all its iterations")
	}
}
