//go:build !nofigures

package cli

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/internal/study"
)

// studyProgress shows the progress of a study and the time left.
type studyProgress struct {
	display
	out   io.Writer
	start time.Time
	left  atomic.Int64 // time.Duration
}

func newStudyProgress(w io.Writer) *studyProgress {
	return &studyProgress{out: w, start: time.Now()}
}

// show is called for each finished run, one at a time. It estimates the time left from the work left, since runs differ
// much in length.
func (p *studyProgress) show(now study.Progress) {
	if !p.shown() {
		p.display = newDisplayOf(p.out, "runs %d/%d", now.Total, func(decor.Statistics) string {
			return fmt.Sprintf("about %v left", time.Duration(p.left.Load()))
		})
	}
	p.left.Store(int64(time.Duration(float64(time.Since(p.start)) * (1 - now.Share) / now.Share).Round(time.Second)))
	p.set(now.Done, now.Total)
}
