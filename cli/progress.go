package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// display shows progress: a bar with a count and the time left on a terminal, log lines under --verbose, events under --progress json,
// otherwise nothing.
type display struct {
	container *mpb.Progress // nil: no bar
	bar       *mpb.Bar
	lines     *progressLog     // nil: no log
	events    *progress.Events // nil: no events
	stage     string           // of these
}

// newDisplay starts to show a count, such as "training %d/%d", and figures.
func newDisplay(w io.Writer, count string, all int, figures func(decor.Statistics) string) display {
	return newDisplayOf(w, count, all, figures, decor.AverageETA(decor.ET_STYLE_GO))
}

// newDisplayOf is newDisplay with further decorators of the bar, after the figures.
func newDisplayOf(w io.Writer, count string, all int, figures func(decor.Statistics) string, more ...decor.Decorator) display {
	if l, ok := w.(*logger); ok {
		return display{lines: &progressLog{log: l.Logger, count: count, all: all, figures: figures}}
	}
	if e, ok := w.(*progress.Events); ok {
		stage, _, _ := strings.Cut(count, " ")
		return display{events: e, stage: stage}
	}
	if !isTerminal(w) {
		return display{}
	}
	container := mpb.New(mpb.WithOutput(w))
	return display{container: container, bar: container.AddBar(int64(all),
		mpb.PrependDecorators(decor.CountersNoUnit(count)),
		mpb.AppendDecorators(append([]decor.Decorator{decor.Any(figures)}, more...)...),
	)}
}

// set shows that done of all are finished.
func (d display) set(done, all int) { d.show(progress.Step{Done: done, Total: all}) }

// show shows a step; a bar and a log show its counts.
func (d display) show(s progress.Step) {
	if d.container != nil {
		d.bar.SetTotal(int64(s.Total), false)
		d.bar.SetCurrent(int64(s.Done))
	}
	if d.lines != nil {
		d.lines.set(s.Done, s.Total)
	}
	if d.events != nil {
		s.Stage = d.stage
		d.events.Step(s)
	}
}

// shown reports whether anything is shown.
func (d display) shown() bool { return d.container != nil || d.lines != nil || d.events != nil }

// stop ends the display at any count.
func (d display) stop() {
	if d.container != nil {
		d.bar.Abort(false)
		d.container.Wait()
	}
	if d.lines != nil {
		d.lines.stop()
	}
}

// trainingBars show the race and then the iterations of a training, with loss and metric.
type trainingBars struct {
	*progress.Trainer
	w     io.Writer
	shown display // of the stage
	stage string
	last  atomic.Pointer[progress.Step]
}

// newTrainingBars begins to show a training with all iterations, of all members together, of which some were made before it was resumed.
func newTrainingBars(w io.Writer, r tskgraph.Recipe, all, made int) *trainingBars {
	b := &trainingBars{w: w}
	b.Trainer = progress.NewTrainer(r, all, made, b.show)
	return b
}

func (b *trainingBars) show(s progress.Step) {
	b.last.Store(&s)
	if s.Stage != b.stage {
		b.shown.stop()
		b.stage, b.shown = s.Stage, newDisplay(b.w, s.Stage+" %d/%d", s.Total, b.figures)
	}
	b.shown.show(s)
}

func (b *trainingBars) figures(decor.Statistics) string {
	s := b.last.Load()
	if s.Metric == "" {
		return ""
	}
	return fmt.Sprintf("loss %.4g  %s %.4g  ", numeric.OrNaN(s.Loss), s.Metric, numeric.OrNaN(s.Value))
}

// stop ends the bars.
func (b *trainingBars) stop() { b.shown.stop() }

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
