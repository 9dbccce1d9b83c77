// Package cli is the command tskgraph: its subcommands, flags and printing.
//
// A program that calls [Main] is that command with everything that the program registers besides: its shapes
// ([github.com/tskgraph/tskgraph/membership.Register]), losses, solvers and the rest are choices of every subcommand.
package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	_ "github.com/tskgraph/tskgraph/data/table/parquet" // tables and predictions
	_ "github.com/tskgraph/tskgraph/data/table/xlsx"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	_ "github.com/tskgraph/tskgraph/internal/export/fmu"
	_ "github.com/tskgraph/tskgraph/internal/export/targets" // of export
	_ "github.com/tskgraph/tskgraph/internal/export/xlsx"
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
	root.AddCommand(newInit(), newTrain(), newPredict(), newForecast(), newEvaluate(), newWatch(), newShow(), newExplain(), newReport(),
		newDossier(), newExport(), newImport(), newVerify(), newCertify(), newPrune(), newTune(), newStability(), newExperiment(), newPlot(),
		newWorkbench(), newServe(), newConfig(), newCompletion(), newVersion())
	addCompletions(root)
	return root
}

func exitCode(err error) int {
	code, _ := message.ExitCode(err)
	return code
}

// helpTemplate shows examples first, then usage and description.
const helpTemplate = `{{.Short}}.

{{if .HasExample}}Examples:
{{.Example}}

{{end}}Usage:{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{else}}
  {{.UseLine}}{{end}}
{{with .Long}}
{{. | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}}  {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
Run {{.CommandPath}} [command] --help for details of a command.
{{end}}`

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Show the help of a command",
		Example: `  tskgraph help plot surface`,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return message.Usage(err)
			}
			if err := noArgs(about, rest); err != nil {
				return err
			}
			return about.Help()
		},
	}
}

// grace is how long a command may run after a signal, unless it is saving: long enough to print what it did, short enough
// for one that is blocked in input or output.
const grace = 500 * time.Millisecond

// savers is the number of calls of saving that are not done.
var savers atomic.Int32

// saving keeps the program running after a signal until done is called, while a model is trained and saved or a file is
// written. Whatever may block in between must end with the context.
func saving() (done func()) {
	savers.Add(1)
	return func() { savers.Add(-1) }
}

// interruptible returns a context that SIGINT and SIGTERM end, so that training
// stops and keeps its model, and predict leaves no half-written file. A second
// signal ends the program at once.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// runInterruptibly runs a command that gets a context, and returns its exit code. After a
// signal it does not wait for a command that saves nothing for the time grace, and returns
// message.ExitInterrupted.
func runInterruptibly(command func(context.Context) int) int {
	ctx, stop := interruptible(context.Background())
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- command(ctx) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	const step = grace / 50
	for left := grace; left > 0; left -= step {
		if savers.Load() > 0 {
			left = grace
		}
		select {
		case code := <-ended:
			return code
		case <-time.After(step):
		}
	}
	safefile.Abandon()
	go fmt.Fprintln(os.Stderr, "tskgraph: interrupted") // standard error may be what blocks
	time.Sleep(step)
	return message.ExitInterrupted
}

// interruption is an error of a command that was interrupted, with a text that says so.
type interruption struct {
	error
	text string
}

func (e interruption) Error() string { return e.text }
func (e interruption) Unwrap() error { return e.error }

// inWords says in the text of an error that the command was interrupted, in place of the texts that contexts have for it.
func inWords(err error) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		for _, cause := range []string{context.Canceled.Error(), "interrupt signal received", "terminated signal received"} {
			before, found := strings.CutSuffix(line, cause)
			switch before = strings.TrimSuffix(before, ": "); {
			case found && before == "":
				lines[i] = "interrupted"
			case found && strings.Contains(before, "interrupted"):
				lines[i] = before
			case found:
				lines[i] = before + ": interrupted"
			}
		}
	}
	return interruption{err, strings.Join(lines, "\n")}
}

// texts has a file of help for each subcommand and those below it. A line "# config print: ..." begins the text of one: its use and what
// it does; a description may follow, then "Examples:".
//
//go:embed help
var texts embed.FS

// described returns a command of a name, without tskgraph, with its texts.
func described(name string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	file, _, _ := strings.Cut(name, " ")
	text, err := texts.ReadFile("help/" + file + ".txt")
	if err != nil {
		panic(err)
	}
	for entry := range strings.SplitSeq(string(text), "\n# ") {
		head, body, _ := strings.Cut(strings.TrimPrefix(entry, "# "), "\n")
		use, short, _ := strings.Cut(head, ": ")
		if !strings.HasPrefix(use+" ", name+" ") {
			continue
		}
		long, examples, _ := strings.Cut(body, "Examples:\n")
		return &cobra.Command{Use: use[strings.LastIndex(name, " ")+1:], Short: short, Long: strings.Trim(long, "\n"),
			Example: strings.TrimRight(examples, "\n"), Args: args, RunE: run}
	}
	panic(fmt.Sprintf("cli: help/%s.txt does not describe %s", file, name)) // a fault of this package
}

// withHelp is the run of a command that only has subcommands.
func withHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }
