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

// progress shows iterations, loss, RMSE and the time left on a terminal, and
// nothing elsewhere.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
	last      atomic.Pointer[optim.Metrics]
	rmse      float64 // of the batches, smoothed over about 20 of them
}

func newProgress(w io.Writer, iterations int) *progress {
	f, ok := w.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return &progress{}
	}
	p := &progress{container: mpb.New(mpb.WithOutput(w))}
	p.bar = p.container.AddBar(int64(iterations),
		mpb.PrependDecorators(decor.CountersNoUnit("training %d/%d")),
		mpb.AppendDecorators(decor.Any(p.figures), decor.AverageETA(decor.ET_STYLE_GO)),
	)
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

// stop ends the display, wherever training ended.
func (p *progress) stop() {
	if p.container == nil {
		return
	}
	p.bar.Abort(false)
	p.container.Wait()
}
