package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

// logger is standard error under --verbose: progress is written as log lines instead of a bar, even on a terminal.
type logger struct {
	io.Writer
	*slog.Logger
	start time.Time
}

// addVerbosity adds --quiet and --verbose to every command. Notes and progress go to the standard error that cobra hands
// to the command.
func addVerbosity(root *cobra.Command) {
	var quiet, verbose bool
	root.PersistentFlags().BoolVarP(&quiet, "quiet", "q", false, "print only results and errors, no progress and no notes")
	root.PersistentFlags().BoolVarP(&verbose, "verbose", "v", false, "log each step, with progress as lines instead of a bar")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case quiet && verbose:
			return message.Usagef("--quiet and --verbose cannot be combined")
		case quiet:
			root.SetErr(io.Discard)
		case verbose:
			w := root.ErrOrStderr()
			l := &logger{Writer: w, Logger: slog.New(slog.NewTextHandler(w, nil)), start: time.Now()}
			root.SetErr(l)
			l.Info("begun", "command", cmd.CommandPath(), "version", tskgraph.Version, "kernel", kernel.Name())
		}
		return nil
	}
}

// logEnd logs the end of a command.
func logEnd(root *cobra.Command, err error) {
	if l, ok := root.ErrOrStderr().(*logger); ok {
		l.Info("ended", "seconds", time.Since(l.start).Seconds(), "exit", exitCode(err))
	}
}

// isTerminal reports whether w can show a bar.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// logEvery is how often progress is logged.
const logEvery = 2 * time.Second

// progressLog writes progress as log lines: the first, one every logEvery, and the last.
type progressLog struct {
	log       *slog.Logger
	count     string // such as "training %d/%d"
	done, all int
	figures   func(decor.Statistics) string
	at        time.Time // of the last line
	said      int       // the count of the last line
}

func (p *progressLog) set(done, all int) {
	p.done, p.all = done, all
	if done > p.said && (done == all || time.Since(p.at) >= logEvery) {
		p.say()
	}
}

func (p *progressLog) say() {
	p.at, p.said = time.Now(), p.done
	figures := strings.Join(strings.Fields(p.figures(decor.Statistics{})), " ")
	p.log.Info(strings.TrimSpace(fmt.Sprintf(p.count, p.done, p.all) + "  " + figures))
}

// stop logs the last count.
func (p *progressLog) stop() {
	if p.done != p.said {
		p.say()
	}
}
