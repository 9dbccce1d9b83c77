// Command tskgraph-beam scores, fits and tunes on more than one machine, as pipelines of Apache Beam. See
// `tskgraph-beam --help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/worker"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

func main() {
	if args := os.Args[1:]; worker.Started(args) {
		fmt.Fprintln(os.Stderr, "tskgraph-beam:", worker.Run(context.Background(), args))
		os.Exit(message.ExitFailed)
	}
	beam.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if ctx.Err() != nil {
		safefile.Abandon() // what workers in this process still write
	}
	os.Exit(code)
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if errors.Is(err, syscall.EPIPE) { // the reader has closed the pipe, as head does
		return message.ExitFailed
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(stderr, "tskgraph-beam: %s\n", escape.Text(strings.TrimSuffix(line, "\n")))
		}
	}
	return cluster.ExitCode(err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "tskgraph-beam",
		Short:         "Score, fit and tune on more than one machine, with Apache Beam",
		Version:       tskgraph.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return message.Usage(err) })
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(commands()...)
	return root
}

// commands returns the subcommands.
func commands() []*cobra.Command {
	return []*cobra.Command{newScore(), newFit(), newTune(), newExperiment(), newPrism(), newWorker(), newRunners()}
}
