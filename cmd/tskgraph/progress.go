package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/optim"
)

// display shows progress: a bar with a count and the time left on a terminal, log lines under --verbose, events under --progress json,
// otherwise nothing.
type display struct {
	container *mpb.Progress // nil: no bar
	bar       *mpb.Bar
	lines     *progressLog // nil: no log
	events    *eventCount  // nil: no events
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
	if e, ok := w.(*events); ok {
		stage, _, _ := strings.Cut(count, " ")
		return display{events: &eventCount{events: e, stage: stage}}
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
func (d display) set(done, all int) {
	if d.container != nil {
		d.bar.SetTotal(int64(all), false)
		d.bar.SetCurrent(int64(done))
	}
	if d.lines != nil {
		d.lines.set(done, all)
	}
	if d.events != nil {
		d.events.set(done, all)
	}
}

// increment shows that one more is finished.
func (d display) increment() {
	if d.container != nil {
		d.bar.Increment()
	}
	if d.lines != nil {
		d.lines.set(d.lines.done+1, d.lines.all)
	}
	if d.events != nil {
		d.events.set(d.events.done+1, d.events.all)
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

// progress shows iterations, loss, RMSE and the time left of a training.
type progress struct {
	display
	last atomic.Pointer[optim.Metrics]
	rmse float64 // of the batches, smoothed over about 20 of them
}

func newProgress(w io.Writer, iterations, made int) *progress {
	p := &progress{}
	p.display = newDisplay(w, "training %d/%d", iterations, p.figures)
	if p.events != nil {
		p.events.figures = p.fill
	}
	p.set(made, iterations)
	return p
}

// fill adds the figures to an event.
func (p *progress) fill(s *step) {
	if m := p.last.Load(); m != nil {
		s.Loss, s.Metric, s.Value = &m.Loss, cmp.Or(m.Metric, "RMSE"), &m.RMSE
	}
}

func (p *progress) figures(decor.Statistics) string {
	m := p.last.Load()
	if m == nil {
		return ""
	}
	return fmt.Sprintf("loss %.4g  %s %.4g  ", m.Loss, cmp.Or(m.Metric, "RMSE"), m.RMSE)
}

func (p *progress) show(m optim.Metrics) {
	if !p.shown() {
		return
	}
	if p.rmse == 0 {
		p.rmse = m.RMSE
	}
	p.rmse = math.Sqrt(0.95*p.rmse*p.rmse + 0.05*m.RMSE*m.RMSE)
	m.RMSE = p.rmse
	p.last.Store(&m)
	p.increment()
}
