package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/report"
)

func newTrain() *cobra.Command {
	var flags configFlags
	var asJSON bool
	var resume string
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Learn a model from a table",
		Long: `Learn a model from a table and write it, with all that belongs to the run, to a new directory below output.dir:
model.json, config.yaml (as resolved), metrics.jsonl (a line per iteration), summary.json, and the rows of each
part (train.csv, calibration.csv, validation.csv, test.csv).

Every few seconds a checkpoint is saved there. After an interrupt, a kill or a full disk, --resume goes on from it and ends
with the same model, to the bit, as if nothing had happened.`,
		Example: `  tskgraph train --config config.yaml
  tskgraph train --set data.path=no2.csv --set data.target=log_no2 --set model.membership=trapezoid
  TSKGRAPH_TRAIN_SEED=7 tskgraph train --json
  tskgraph train --resume runs/no2-gaussian-001`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, other := range []string{"config", "set"} {
				if err := exclusive(cmd, "resume", other); err != nil {
					return err
				}
			}
			t := &training{cmd: cmd, start: time.Now()}
			if resume != "" {
				if finished(resume) {
					return tellFinished(cmd, resume, asJSON)
				}
				if err := t.reopen(resume); err != nil {
					return err
				}
				defer t.dir.Close()
				flags.path = filepath.Join(resume, configFile)
			}
			var err error
			if t.config, err = flags.load(); err != nil {
				return err
			}
			summary, err := t.run()
			if summary == nil {
				return err
			}
			return errors.Join(err, printSummary(cmd, summary, asJSON))
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&resume, "resume", "", "`directory` of a run to go on with")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as one JSON object")
	return cmd
}

func printJSON(w io.Writer, v any) error {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", escape.JSON(out))
	return err
}

// training is one `train` command.
type training struct {
	cmd    *cobra.Command
	config *config.Config
	start  time.Time

	dir    *runDir              // of the run that it goes on with; nil: a new one
	resume *tskgraph.Checkpoint // where it goes on; nil: it begins
}

// note tells the user something on standard error.
func (t *training) note(format string, a ...any) {
	fmt.Fprintf(t.cmd.ErrOrStderr(), "note: "+format+"\n", a...)
}

// run trains, and writes the run's directory. When training ended early, by an
// interrupt or because it diverged, the best model so far is written all the
// same, and the summary comes with the error. A run that can go on keeps its
// checkpoint, and the error says how.
func (t *training) run() (*report.Summary, error) {
	parts, err := t.config.Data.Load()
	if err != nil {
		return nil, err
	}
	origin, err := originOf(t.config)
	if err != nil {
		return nil, err
	}
	noteTables(t.cmd.ErrOrStderr(), &t.config.Data, parts)
	t.noteMissing(parts.Train.Missing)
	t.noteShared(parts)
	for _, leak := range config.LeakNotes(parts.Train.Leaks(), func(data.Leak) bool { return false }) {
		t.note("%s", leak)
	}
	if parts.Test != nil {
		noteStrange(t.cmd.ErrOrStderr(), parts.Train.Missing.Policy == "mean", parts.Test.Missing)
	}
	defer saving()()
	dir, err := t.open(parts, origin)
	if err != nil {
		return nil, err
	}
	summary, err := t.learn(dir, parts, origin)
	if summary != nil && (err == nil || errors.Is(err, optim.ErrDiverged)) {
		return summary, errors.Join(err, dir.finish())
	}
	if dir.resumable() {
		err = fmt.Errorf("%w\ncontinue by %s", err, commandLine("tskgraph", "train", "--resume", dir.path))
	}
	return summary, errors.Join(err, dir.Close())
}

// learn trains in a directory that is ready.
func (t *training) learn(dir *runDir, parts *data.Parts, origin map[string]string) (*report.Summary, error) {
	var result *tskgraph.Result
	members := max(1, t.config.Options.Train.Members)
	trainErr, err := t.watch(dir, t.config.Options.Train.Iterations*members, func(o tskgraph.Options, take func(*tskgraph.Checkpoint)) (err error) {
		o.Origin, o.Resume, o.Test = origin, t.resume, parts.Test
		o.OnCheckpoint, o.CheckpointEvery = take, checkpointEvery
		result, err = tskgraph.Train(t.cmd.Context(), parts.Train, parts.Validation, o)
		return err
	})
	if err == nil && members > 1 {
		err = dir.sortMetrics()
	}
	if err != nil {
		return nil, errors.Join(trainErr, err)
	}
	if result == nil {
		if t.dir == nil && t.cmd.Context().Err() == nil { // training could not begin
			return nil, errors.Join(trainErr, dir.remove())
		}
		return nil, trainErr
	}
	t.noteResult(result)
	summary, err := t.summarise(result.Model, result.Training, parts, dir)
	if err != nil {
		return nil, errors.Join(trainErr, err)
	}
	summary.Race, summary.Prune = result.Race, result.Prune
	if err := dir.writeResult(result.Model, summary); err != nil {
		return nil, errors.Join(trainErr, err)
	}
	return summary, trainErr
}

// watch trains, with progress on the terminal and metrics in the run's directory, which
// takes checkpoints too. The second error is about the metrics.
func (t *training) watch(dir *runDir, iterations int, train func(o tskgraph.Options, take func(*tskgraph.Checkpoint)) error) (trainErr, err error) {
	metrics, err := dir.openMetrics()
	if err != nil {
		return nil, err
	}
	checkpoints := newCheckpointer(dir, metrics, func(err error) {
		t.note("a checkpoint was not written, training goes on: %v", err)
	})
	var race display
	var bar *progress
	options := t.config.Options
	options.OnRace = func(done, all int) {
		if done == 0 {
			race = newDisplay(t.cmd.ErrOrStderr(), "race %d/%d", all, func(decor.Statistics) string { return "" })
		}
		race.set(done, all)
	}
	options.OnIteration = func(m optim.Metrics) error {
		if bar == nil {
			race.stop()
			all := max(iterations, m.Of)
			if options.Train.Members <= 1 && options.Prune.Rounds == 0 {
				all = m.Of // of the setting that won the race
			}
			bar = newProgress(t.cmd.ErrOrStderr(), all, made(t.resume))
		}
		bar.show(m)
		return metrics.write(m)
	}
	trainErr = train(options, checkpoints.take)
	checkpoints.close()
	if race.stop(); bar != nil {
		bar.stop()
	}
	return trainErr, metrics.close()
}
