// Package cli is the command tskgraph: its subcommands, flags and printing.
//
// A program that calls [Main] is that command with everything that the program registers besides: its shapes
// ([github.com/tskgraph/tskgraph/membership.Register]), losses, solvers and the rest are choices of every subcommand.
package cli

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
	_ "github.com/tskgraph/tskgraph/data/table/parquet" // tables and predictions
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Main runs the command that the arguments of the program (os.Args) name, and exits with its code: 0 done, 1 failed, 2 usage or
// configuration, 3 data, 4 model file, 130 interrupted. It does not return. A program registers what it adds before it calls Main.
func Main() {
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
	err := inWords(root.ExecuteContext(ctx))
	logEnd(root, err)
	if errors.Is(err, syscall.EPIPE) { // the reader has closed the pipe, as head does
		return message.ExitFailed
	}
	if e, ok := root.ErrOrStderr().(*progress.Events); ok {
		e.End(progress.Lines(stderr), err)
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
	root.AddCommand(newInit(), newTrain(), newPredict(), newEvaluate(), newShow(), newExplain(), newReport(), newExport(), newImport(), newVerify(), newPrune(), newTune(), newStability(), newExperiment(), newPlot(), newWorkbench(), newConfig(),
		newCompletion(), newVersion())
	addCompletions(root)
	return root
}

func exitCode(err error) int {
	code, _ := message.ExitCode(err)
	return code
}
