package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/optim"
)

// display is a bar with a count and the time left on a terminal, and nothing
// elsewhere.
type display struct {
	container *mpb.Progress // nil: no terminal
	bar       *mpb.Bar
}

// newDisplay begins to show a count, such as "training %d/%d", and figures.
func newDisplay(w io.Writer, count string, all int, figures func(decor.Statistics) string) display {
	f, ok := w.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return display{}
	}
	container := mpb.New(mpb.WithOutput(w))
	return display{container, container.AddBar(int64(all),
		mpb.PrependDecorators(decor.CountersNoUnit(count)),
		mpb.AppendDecorators(decor.Any(figures), decor.AverageETA(decor.ET_STYLE_GO)),
	)}
}

// set shows that done of all are done.
func (d display) set(done, all int) {
	if d.container != nil {
		d.bar.SetTotal(int64(all), false)
		d.bar.SetCurrent(int64(done))
	}
}

// stop ends the display, wherever the count is.
func (d display) stop() {
	if d.container != nil {
		d.bar.Abort(false)
		d.container.Wait()
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
	p.set(made, iterations)
	return p
}

func (p *progress) figures(decor.Statistics) string {
	m := p.last.Load()
	if m == nil {
		return ""
	}
	return fmt.Sprintf("loss %.4g  RMSE %.4g  ", m.Loss, m.RMSE)
}

func (p *progress) show(m optim.Metrics) {
	if p.container == nil {
		return
	}
	if p.rmse == 0 {
		p.rmse = m.RMSE
	}
	p.rmse = math.Sqrt(0.95*p.rmse*p.rmse + 0.05*m.RMSE*m.RMSE)
	m.RMSE = p.rmse
	p.last.Store(&m)
	p.bar.Increment()
}
