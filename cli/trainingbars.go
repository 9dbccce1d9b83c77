package cli

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

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
