package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/experiment"
)

// studyProgress shows how far a study is and the time left: as a bar on a terminal,
// as a line now and then elsewhere.
type studyProgress struct {
	out       io.Writer
	start     time.Time
	said      time.Time     // when the last line was written
	container *mpb.Progress // nil off a terminal
	bar       *mpb.Bar      // nil until the first run is finished
	left      atomic.Int64  // time.Duration
}

// sayEvery is how often a line is written where there is no terminal.
const sayEvery = 30 * time.Second

func newStudyProgress(w io.Writer) *studyProgress {
	p := &studyProgress{out: w, start: time.Now(), said: time.Now()}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		p.container = mpb.New(mpb.WithOutput(w))
	}
	return p
}

// show is told of each finished run, one at a time. The time left goes by the
// estimated work, as runs differ much in length.
func (p *studyProgress) show(now experiment.Progress) {
	left := time.Duration(float64(time.Since(p.start)) * (1 - now.Share) / now.Share).Round(time.Second)
	if p.container == nil {
		if time.Since(p.said) >= sayEvery {
			p.said = time.Now()
			fmt.Fprintf(p.out, "%d of %d runs, about %v left\n", now.Done, now.Total, left)
		}
		return
	}
	p.left.Store(int64(left))
	if p.bar == nil {
		p.bar = p.container.AddBar(int64(now.Total),
			mpb.PrependDecorators(decor.CountersNoUnit("runs %d/%d")),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return fmt.Sprintf("about %v left", time.Duration(p.left.Load())) })),
		)
	}
	p.bar.SetCurrent(int64(now.Done))
}

// stop ends the display, wherever the study ended.
func (p *studyProgress) stop() {
	if p.container == nil {
		return
	}
	if p.bar != nil {
		p.bar.Abort(false)
	}
	p.container.Wait()
}
