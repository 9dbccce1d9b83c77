// Package command is what the commands of tskgraph and of tskgraph-beam share: flags with their checks, the directories of a search
// and of an experiment, and what is written and noted at their end. The page that trains has no flags and does not link it.
package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// Tune is one command that searches.
type Tune struct {
	Flags *TuneFlags
	Notes io.Writer               // of notes and progress
	Again func(dir string) string // the command that continues a search

	// Show, if not nil, begins to show progress; stop ends that.
	Show func() (onFit func(tune.Progress), stop func())

	// Planned, if not nil, is called before anything is written. Its error ends the command.
	Planned func(ctx context.Context, train *data.Dataset, c *config.Config, o tune.Options) error

	// Elsewhere, if not nil, returns what makes the fits of a search in place of this process, given its data and
	// configuration, and its options except its functions.
	Elsewhere func(train *data.Dataset, c *config.Config, o tune.Options) func(context.Context, []tune.Task) ([]tune.Measured, error)
}

// Run searches, writes the directory of the search, and returns its summary.
func (t *Tune) Run(ctx context.Context) (*report.Tuning, error) {
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
	message.Tables(t.Notes, &c.Data, parts)
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
		return nil, message.Usage(err)
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
func (t *Tune) check(c *config.Config) error {
	if t.Flags.Out == "" {
		return nil // a new directory
	}
	for _, name := range []string{runs.ConfigFile, TriedFile, runs.SummaryFile} {
		out := filepath.Join(t.Flags.Out, name)
		for _, read := range []string{t.Flags.Path, c.Data.Path, c.Data.TestPath} {
			if safefile.Same(out, read) {
				return message.Usagef("the output %s is the input %s: name another file with --out", out, read)
			}
		}
	}
	return nil
}

// options returns the options of the search, without its functions.
func (t *Tune) options(c *config.Config, began time.Time) tune.Options {
	o := c.Tune
	o.Trials, o.Time, o.Began, o.Dir = t.Flags.Trials, t.Flags.Time, began, t.Flags.Out
	return o
}

func (t *Tune) search(ctx context.Context, c *config.Config, train *data.Dataset, o tune.Options) (*tune.Result, error) {
	if t.Elsewhere != nil {
		o.Measure = t.Elsewhere(train, c, o)
	}
	if t.Show != nil {
		var stop func()
		o.OnFit, stop = t.Show()
		defer stop()
	}
	if c.Recipe.Model.Init == recipe.PageInit {
		message.Note(t.Notes, "the training of a page chooses its size, up to model.page: the search is of rules without a page, which start "+
			"from a tree")
	}
	o.OnOpen = func(unlocked string) error {
		if unlocked != "" {
			message.Note(t.Notes, "%s", unlocked)
		}
		return writeStart(o.Dir, c)
	}
	return tune.Search(ctx, train, c.Recipe, o)
}

// noteResult prints notes on the result.
func (t *Tune) noteResult(c *config.Config, s *report.Tuning) {
	if s.Duplicates > 0 {
		fold := "; they share its fold"
		if s.Split != "random" {
			fold = ", each in the fold of its time"
		}
		message.Note(t.Notes, "%d of %d training samples repeat an earlier one%s", s.Duplicates, s.Samples, fold)
	}
	if s.Stopped == tune.StoppedTime {
		message.Note(t.Notes, "the time limit was reached after %d of %d trials", s.Trials, t.Flags.Trials)
	}
	if c.Recipe.Train.Patience > 0 {
		message.Note(t.Notes, "train.patience had no effect: every trial was trained for all its iterations")
	}
}

// The files of a search, besides config.yaml (the chosen one), summary.json and
// the files of package tune.
const (
	searchConfigFile = "search.yaml" // the configuration that the search started from
	TriedFile        = "tried.csv"
)

// writeStart writes the configuration that a search starts from, unless the file exists. The directory is locked.
func writeStart(dir string, c *config.Config) error {
	d, err := safefile.OpenDir(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := os.Lstat(d.Path(searchConfigFile)); err == nil {
		return nil
	}
	return d.Write(searchConfigFile, c.YAML(), 0o666)
}

// write writes the chosen configuration, the table of trials and the summary.
func write(dir string, c *config.Config, s *report.Tuning) error {
	var table bytes.Buffer
	if err := s.WriteCSV(&table); err != nil {
		return err
	}
	summary, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	d, err := safefile.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(
		d.Write(runs.ConfigFile, c.YAML(), 0o666),
		d.Write(TriedFile, table.Bytes(), 0o666),
		d.Write(runs.SummaryFile, append(summary, '\n'), 0o666),
		d.Close(),
	)
}

// TuneFlags are the values of the flags.
type TuneFlags struct {
	Config
	Out, Resume, Group string
	Trials             int
	Time               time.Duration
}

// Add adds the flags to a command.
func (f *TuneFlags) Add(flags *pflag.FlagSet) {
	f.Config.Add(flags)
	flags.StringVarP(&f.Out, "out", "o", "", "`directory` for the results; if it holds the same search, that search continues")
	flags.StringVar(&f.Resume, "resume", "", "`directory` of a search to resume, with its own configuration")
	flags.IntVar(&f.Trials, "trials", 40, "`number` of settings to try, including those that the search starts from")
	flags.DurationVar(&f.Time, "time", 0,
		"start no further step after this `time`, such as 90s or 10m (default: no limit); the first settings, eight trials and the "+
			"finalists are always completed")
	flags.StringVar(&f.Group, "group", "", "`column` of groups: rows with equal cells stay together; the same as --set data.group=...")
}

// Check returns an error about a wrong use of the flags that were added to a flag set.
func (f *TuneFlags) Check(flags *pflag.FlagSet) error {
	for _, other := range []string{"config", "set", "group", "out"} {
		if flags.Changed("resume") && flags.Changed(other) {
			return fmt.Errorf("--resume and --%s cannot be combined", other)
		}
	}
	if flags.Changed("trials") && f.Trials < 1 {
		return fmt.Errorf("--trials %d: must be at least 1", f.Trials)
	}
	if f.Time < 0 {
		return fmt.Errorf("--time %v: must be positive", f.Time)
	}
	if f.Resume != "" {
		if _, err := os.Stat(filepath.Join(f.Resume, searchConfigFile)); err != nil {
			return fmt.Errorf("--resume %s: no search to resume: %w", f.Resume, err)
		}
	}
	return nil
}

// Load reads the configuration; to resume, that of the search.
func (f *TuneFlags) Load() (*config.Config, error) {
	if f.Resume != "" {
		f.Out, f.Path, f.Run = f.Resume, filepath.Join(f.Resume, searchConfigFile), true
	}
	if f.Group != "" {
		f.Set = append(f.Set, "data.group="+f.Group)
	}
	return f.Config.Load()
}
