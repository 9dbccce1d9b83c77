package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/predicting"
	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/internal/safefile"
	"github.com/tskgraph/tskgraph/report"
	"github.com/tskgraph/tskgraph/report/text"
	"github.com/tskgraph/tskgraph/tune"
)

// The files of a search, besides config.yaml (the chosen one), summary.json and
// the files of package tune.
const (
	searchConfigFile = "search.yaml" // the configuration that the search started from
	triedFile        = "tried.csv"
)

func newTune() *cobra.Command {
	t := &tuning{}
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Choose settings by cross-validation",
		Long: `Search for better settings than those of the configuration, by cross-validation on the training part. The search starts
from the settings of the race (train.race), or from those of the configuration if there is none. Each further trial takes
one of the three best so far and moves some of its settings along the lists of section tune; a list in the configuration
holds for all trials. Short trainings (an eighth of the updates, with train.schedule: cosine) and successive halving over
the folds drop most trials; the best are trained for their whole length. A trial is chosen only if its error (RMSE or, of
another loss, its own figure, such as the log loss of classes) is below that of the configuration's own settings, those that its race chooses, by more than one standard error of the difference, and
within train.fidelity; of several, the simplest (fewest rules, then shortest rules) that is worse than the best by at most
one standard error and 1%. If there is none, the command says so, and the chosen configuration is the given one. The
chosen configuration, a table of all trials (tried.csv) and summary.json are written to the directory --out, by default a
new one below output.dir. --resume, or the same command with the same --out, continues an interrupted search, or extends
a finished one with more --trials.`,
		Example: `  tskgraph tune --set data.path=no2.csv --set data.target=log_no2 --out tuned
  tskgraph train --config tuned/config.yaml
  tskgraph tune --config config.yaml --trials 100 --time 10m --set tune.rules=4,8
  tskgraph tune --resume tuned --trials 200`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t.cmd, t.start = cmd, time.Now()
			for _, pair := range [][2]string{{"resume", "config"}, {"resume", "set"}, {"resume", "group"}, {"resume", "out"}} {
				if err := exclusive(cmd, pair[0], pair[1]); err != nil {
					return err
				}
			}
			return t.run(cmd.Context())
		},
	}
	t.flags.add(cmd)
	cmd.Flags().StringVarP(&t.out, "out", "o", "", "`directory` for the results; if it holds the same search, that search continues")
	cmd.Flags().StringVar(&t.resume, "resume", "", "`directory` of a search to resume, with its own configuration")
	cmd.Flags().IntVar(&t.options.Trials, "trials", 40, "`number` of settings to try, including those that the search starts from")
	cmd.Flags().DurationVar(&t.options.Time, "time", 0, "start no further step after this `time`, such as 90s or 10m (default: no limit); the first settings, eight trials and the finalists are always completed")
	cmd.Flags().StringVar(&t.group, "group", "", "`column` of groups: rows with equal cells stay together; the same as --set data.group=...")
	cmd.Flags().BoolVar(&t.asJSON, "json", false, "print the summary as one JSON object")
	return cmd
}

// tuning is one `tune` command.
type tuning struct {
	cmd                *cobra.Command
	start              time.Time
	flags              configFlags
	out, resume, group string
	options            tune.Options
	asJSON             bool
}

func (t *tuning) run(ctx context.Context) error {
	c, err := t.load()
	if err != nil {
		return err
	}
	parts, err := sourceOf(c).Load(ctx)
	if err != nil {
		return err
	}
	defer parts.Close()
	noteTables(t.cmd.ErrOrStderr(), &c.Data, parts)
	if err := t.check(c); err != nil {
		return err
	}
	made := t.out == ""
	if made {
		if t.out, err = runs.NewDir(c.Output.Dir, safefile.Name(c.Data.Name())+"-tune"); err != nil {
			return fmt.Errorf("output.dir: %w", err)
		}
	}
	result, err := t.search(ctx, c, parts.Train)
	if made && !tune.Begun(t.out) {
		err = errors.Join(err, os.Remove(t.out))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%w\ncontinue with: %s", err, t.again())
	case errors.Is(err, tune.ErrOther):
		return usageError{err}
	case err != nil:
		return err
	}
	summary := report.NewTuning(result)
	summary.Dir, summary.Config, summary.Table = t.out, filepath.Join(t.out, runs.ConfigFile), filepath.Join(t.out, triedFile)
	summary.Data, summary.Target = c.Data.Name(), parts.Train.Schema.Target
	summary.Seconds = time.Since(t.start).Seconds()
	c.Recipe, c.Tune = result.Options, tune.Options{}
	if err := t.write(c, summary); err != nil {
		return err
	}
	t.noteResult(c, summary)
	if t.asJSON {
		return printJSON(t.cmd.OutOrStdout(), summary)
	}
	if err := text.WriteTuning(t.cmd.OutOrStdout(), summary); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.cmd.OutOrStdout(), "chosen: %s\n", summary.Config)
	return err
}

// again returns the command that resumes the search.
func (t *tuning) again() string {
	words := []string{"tskgraph", "tune", "--resume", t.out}
	for _, name := range []string{"trials", "time"} {
		if f := t.cmd.Flags().Lookup(name); f.Changed {
			words = append(words, "--"+name, f.Value.String())
		}
	}
	return commandLine(words...)
}

// load reads the configuration; to resume, that of the search.
func (t *tuning) load() (*config.Config, error) {
	if t.cmd.Flags().Changed("trials") && t.options.Trials < 1 {
		return nil, usageError{fmt.Errorf("--trials %d: must be at least 1", t.options.Trials)}
	}
	if t.options.Time < 0 {
		return nil, usageError{fmt.Errorf("--time %v: must be positive", t.options.Time)}
	}
	if t.resume != "" {
		t.out, t.flags.path = t.resume, filepath.Join(t.resume, searchConfigFile)
		if _, err := os.Stat(t.flags.path); err != nil {
			return nil, usageError{fmt.Errorf("--resume %s: no search to resume: %w", t.resume, err)}
		}
	}
	if t.group != "" {
		t.flags.set = append(t.flags.set, "data.group="+t.group)
	}
	return t.flags.load()
}

// check refuses a directory in which a result would overwrite an input.
func (t *tuning) check(c *config.Config) error {
	if t.out == "" {
		return nil // a new directory
	}
	for _, name := range []string{runs.ConfigFile, triedFile, runs.SummaryFile} {
		out := output{path: filepath.Join(t.out, name), reads: []string{t.flags.path, c.Data.Path, c.Data.TestPath}}
		if err := out.check(); err != nil {
			return err
		}
	}
	return nil
}

// opened is called once the directory of the results is locked. It writes the configuration that the search starts from,
// unless the file exists.
func (t *tuning) opened(c *config.Config, unlocked string) error {
	if unlocked != "" {
		predicting.Note(t.cmd.ErrOrStderr(), "%s", unlocked)
	}
	d, err := safefile.OpenDir(t.out)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := os.Lstat(d.Path(searchConfigFile)); err == nil {
		return nil
	}
	return d.Write(searchConfigFile, c.YAML(), 0o666)
}

func (t *tuning) search(ctx context.Context, c *config.Config, train *data.Dataset) (*tune.Result, error) {
	trials, limit := t.options.Trials, t.options.Time
	t.options = c.Tune
	t.options.Trials, t.options.Time, t.options.Dir = trials, limit, t.out
	var last atomic.Pointer[tune.Progress] // written by the search, read by the display
	bar := newDisplay(t.cmd.ErrOrStderr(), "fits %d/%d", 0, func(decor.Statistics) string {
		if p := last.Load(); p != nil && p.Best > 0 {
			return fmt.Sprintf("best %s %.5g  ", p.Metric, p.Best)
		}
		return ""
	})
	defer bar.stop()
	t.options.OnOpen = func(unlocked string) error { return t.opened(c, unlocked) }
	t.options.OnFit = func(p tune.Progress) {
		last.Store(&p)
		bar.set(p.Fits, p.All)
	}
	return tune.Search(ctx, train, c.Recipe, t.options)
}

// write writes the chosen configuration, the table of trials and the summary.
func (t *tuning) write(c *config.Config, s *report.Tuning) error {
	var table bytes.Buffer
	if err := s.WriteCSV(&table); err != nil {
		return err
	}
	summary, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	d, err := safefile.OpenDir(t.out)
	if err != nil {
		return err
	}
	return errors.Join(
		d.Write(runs.ConfigFile, c.YAML(), 0o666),
		d.Write(triedFile, table.Bytes(), 0o666),
		d.Write(runs.SummaryFile, append(summary, '\n'), 0o666),
		d.Close(),
	)
}

// noteResult prints notes on the result.
func (t *tuning) noteResult(c *config.Config, s *report.Tuning) {
	w := t.cmd.ErrOrStderr()
	if s.Duplicates > 0 {
		fold := "; they share its fold"
		if s.Split != "random" {
			fold = ", each in the fold of its time"
		}
		predicting.Note(w, "%d of %d training samples repeat an earlier one%s", s.Duplicates, s.Samples, fold)
	}
	if !s.Found {
		predicting.Note(w, "%s", s.Verdict())
	}
	if s.Stopped == tune.StoppedTime {
		predicting.Note(w, "the time limit was reached after %d of %d trials", s.Trials, t.options.Trials)
	}
	if c.Recipe.Train.Patience > 0 {
		predicting.Note(w, "train.patience had no effect: every trial was trained for all its iterations")
	}
}
