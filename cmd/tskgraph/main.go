// Command tskgraph learns Takagi-Sugeno-Kang fuzzy regression models from tables
// and uses them. See `tskgraph --help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/parquet" // tables and predictions
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/knowledge"
	"github.com/tskgraph/tskgraph/model"
)

// Exit codes.
const (
	exitFailed      = 1   // training diverged, verify found a wrong gradient, a file could not be written, ...
	exitUsage       = 2   // usage or configuration
	exitData        = 3   // an error in a table
	exitModel       = 4   // an error in a model file or a checkpoint
	exitInterrupted = 130 // SIGINT or SIGTERM
)

func main() {
	os.Exit(runInterruptibly(func(ctx context.Context) int {
		return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}))
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	logEnd(root, err)
	if errors.Is(err, syscall.EPIPE) { // the reader has closed the pipe, as head does
		return exitFailed
	}
	if e, ok := root.ErrOrStderr().(*events); ok {
		e.end(stderr, err)
	} else if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(stderr, "tskgraph: %s\n", escape.Text(strings.TrimSuffix(line, "\n")))
		}
	}
	return exitCode(err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "tskgraph",
		Short: "Learn Takagi-Sugeno-Kang fuzzy regression models from tables, and use them",
		Example: `  tskgraph init no2.csv --out no2.yaml
  tskgraph train --config no2.yaml
  tskgraph report runs/no2-gaussian-001
  tskgraph show --model runs/no2-gaussian-001
  tskgraph predict --model runs/no2-gaussian-001 --data new.csv --out predicted.csv`,
		Version:       tskgraph.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	root.CompletionOptions.DisableDefaultCmd = true // ours has examples
	root.SetHelpTemplate(helpTemplate)
	root.SetHelpCommand(newHelp())
	addVerbosity(root)
	root.AddCommand(newInit(), newTrain(), newPredict(), newEvaluate(), newShow(), newExplain(), newReport(), newExport(), newImport(), newVerify(), newPrune(), newTune(), newStability(), newExperiment(), newPlot(), newConfig(),
		newCompletion(), newVersion())
	addCompletions(root)
	return root
}

// usageError is an error in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// ending is how a command ended: its exit code, and the kind of its error.
type ending struct {
	code int
	kind string // empty: done
}

func exitCode(err error) int { return endingOf(err).code }

// endingOf returns the ending by an error, by the errors that it wraps.
func endingOf(err error) ending {
	var (
		usage    usageError
		settings *config.Error
		option   *tskgraph.RecipeError
		key      *data.KeyError
		table    *data.Error
		changed  *tskgraph.ChangedError
		rules    *knowledge.Error
	)
	switch {
	case err == nil:
		return ending{}
	case errors.Is(err, context.Canceled):
		return ending{exitInterrupted, "interrupted"}
	case errors.As(err, &changed) && runs.DataChanged(changed):
		return ending{exitData, "data"}
	case errors.As(err, &usage):
		return ending{exitUsage, "usage"}
	case errors.As(err, &changed), errors.As(err, &settings), errors.As(err, &option), errors.As(err, &key), errors.As(err, &rules):
		return ending{exitUsage, "config"}
	case errors.As(err, &table):
		return ending{exitData, "data"}
	case errors.Is(err, model.ErrFile), errors.Is(err, tskgraph.ErrCheckpoint):
		return ending{exitModel, "model"}
	}
	return ending{exitFailed, "failed"}
}
