package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

func newTrain() *cobra.Command {
	var flags trainFlags
	cmd := described("train", noArgs, func(cmd *cobra.Command, _ []string) error { return flags.train(cmd) })
	flags.Add(cmd.Flags())
	cmd.Flags().StringVar(&flags.resume, "resume", "", "`directory` of a run to resume")
	cmd.Flags().BoolVar(&flags.asJSON, "json", false, "print the summary as one JSON object")
	cmd.Flags().StringArrayVar(&flags.watch, "watch", nil,
		"`NAME=TABLE` to measure as training goes on, or train, validation or test (may be repeated)")
	cmd.Flags().StringVar(&flags.progress, "progress", progressForms[0],
		"the `form` of progress on standard error: bar (on a terminal), or json")
	return cmd
}

// trainFlags are the flags of `train`.
type trainFlags struct {
	command.Config
	resume, progress string
	watch            []string
	asJSON           bool
}

// train trains a new model or resumes a run.
func (f *trainFlags) train(cmd *cobra.Command) error {
	if err := exclusive(cmd, "resume", "config", "set"); err != nil {
		return err
	}
	if err := runs.CheckWatch(f.watch); err != nil {
		return err
	}
	if err := showProgress(cmd, f.progress); err != nil {
		return err
	}
	t := &trainCommand{cmd: cmd, start: time.Now(), watch: f.watch}
	if f.resume != "" {
		switch err := t.reopen(f.resume); {
		case errors.Is(err, runs.ErrFinished):
			t.note(err.Error())
			return printFinished(cmd, f.resume, f.asJSON)
		case err != nil:
			return err
		}
		defer t.dir.Close()
		f.Path, f.Run = t.dir.File(runs.ConfigFile), true
	}
	var err error
	if t.config, err = f.Load(); err != nil {
		return err
	}
	summary, err := t.run()
	if summary == nil {
		return err
	}
	return errors.Join(err, printSummary(cmd, summary, f.asJSON))
}

// progressForms are the values of --progress.
var progressForms = []string{"bar", "json"}

// showProgress makes a command show its progress in a form.
func showProgress(cmd *cobra.Command, form string) error {
	switch {
	case !slices.Contains(progressForms, form):
		return message.Usagef("--progress %s: want bar or json", escape.Quote(form))
	case form == "bar":
		return nil
	}
	if err := exclusive(cmd, "progress", "verbose"); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	cmd.SetContext(ctx)
	cmd.Root().SetErr(progress.New(progress.Lines(cmd.ErrOrStderr()), cancel))
	return nil
}

// checkpointEvery is the time between two checkpoints; 0 means the library's default. Tests shorten it.
var checkpointEvery time.Duration

// trainCommand is one `train` command.
type trainCommand struct {
	cmd    *cobra.Command
	config *config.Config
	start  time.Time
	watch  []string
	dir    *runs.Run // the run to resume; nil: a new one
}

// note prints a note on standard error.
func (t *trainCommand) note(text string) { message.Note(t.cmd.ErrOrStderr(), "%s", text) }

// reopen opens the run to resume.
func (t *trainCommand) reopen(path string) (err error) {
	if t.dir, err = runs.Resume(path, t.note); errors.Is(err, runs.ErrNone) {
		return message.Usagef("--resume %s: %w; start a new run", path, err)
	}
	return err
}

// run reads the data and trains. A training that ended early but left a model returns both summary and error; the error
// of a run that can be resumed gives the command.
func (t *trainCommand) run() (*report.Summary, error) {
	var bars *trainingBars
	task := runs.Task{
		Config: t.config, Dir: t.dir, Watch: t.watch, Notes: t.cmd.ErrOrStderr(), Start: t.start, Saving: saving,
		Attach: func(job *runs.Job, made int) {
			bars = newTrainingBars(t.cmd.ErrOrStderr(), t.config.Recipe,
				t.config.Recipe.Train.Iterations*max(1, t.config.Recipe.Train.Members), made)
			bars.Attach(&job.Training)
			job.Training.CheckpointEvery = checkpointEvery
		},
		Ended: func() { bars.stop() },
	}
	summary, err := task.Run(t.cmd.Context())
	if task.Dir != nil && t.dir == nil {
		defer task.Dir.Close()
	}
	if err != nil && task.Dir != nil && task.Dir.Resumable() {
		err = fmt.Errorf("%w\ncontinue with: %s", err, escape.ShellLine("tskgraph", "train", "--resume", task.Dir.Path()))
	}
	return summary, err
}

// printFinished prints the result of a finished run.
func printFinished(cmd *cobra.Command, path string, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "model: %s\n", filepath.Join(path, model.FileName))
		return err
	}
	text, err := safefile.ReadInside(filepath.Join(path, runs.SummaryFile))
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}

// printSummary prints the summary, and warnings about the model on standard error.
func printSummary(cmd *cobra.Command, s *report.Summary, asJSON bool) error {
	defer message.Warn(cmd.ErrOrStderr(), s)
	if asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), s)
	}
	return text.WriteSummary(cmd.OutOrStdout(), s)
}
