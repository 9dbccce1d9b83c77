package cli

import (
	"io"
	"strings"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/internal/app/progress"
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
