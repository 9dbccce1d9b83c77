package progress

import (
	"math"
	"runtime"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/optim"
)

// Trainer makes the steps of a training: those of its race, then its iterations.
type Trainer struct {
	recipe    tskgraph.Recipe
	all, done int
	show      func(Step)
	workers   int     // trainings of the race at a time
	begun     bool    // iterations have begun
	value     float64 // of the metric, smoothed
}

// NewTrainer returns the steps of a training with all iterations, of all members together, of which some were made before it was
// resumed. The function show receives them, one at a time.
func NewTrainer(r tskgraph.Recipe, all, made int, show func(Step)) *Trainer {
	return &Trainer{recipe: r, all: all, done: made, show: show}
}

// Attach makes a run, whose Remote is set, report to t.
func (t *Trainer) Attach(run *tskgraph.Run) {
	t.workers = runtime.GOMAXPROCS(0)
	if run.Remote != nil {
		t.workers = run.Remote.Workers
	}
	run.OnRace, run.OnIteration = t.raced, t.iterated
}

func (t *Trainer) raced(done, all int) {
	t.show(Step{Stage: Race, Done: done, Total: all, workers: t.workers})
}

func (t *Trainer) iterated(m optim.Metrics) error {
	if !t.begun {
		t.begun, t.value = true, m.Batch
		t.all = max(t.all, m.Of)
		if t.recipe.Train.Members <= 1 && t.recipe.Prune.Rounds == 0 {
			t.all = m.Of // of the setting that won the race
		}
		t.show(Step{Stage: Training, Done: t.done, Total: t.all})
	}
	t.value = math.Sqrt(0.95*t.value*t.value + 0.05*m.Batch*m.Batch)
	t.done++
	t.show(Step{
		Stage: Training, Done: t.done, Total: t.all,
		Loss: numeric.OrNil(m.Loss), Metric: m.Metric, Value: numeric.OrNil(t.value), Watched: m.Watched,
	})
	return nil
}
