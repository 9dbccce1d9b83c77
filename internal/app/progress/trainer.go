package progress

import (
	"math"
	"runtime"
	"time"

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
	run.OnRace, run.OnIteration, run.OnPage = t.raced, t.iterated, t.searched
}

func (t *Trainer) searched(stage string, done, all int) {
	t.show(Step{Stage: stage, Done: done, Total: all, more: true})
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

// estimate estimates the time to go from the time that a stage has taken so far.
type estimate struct {
	began time.Time
	done  int // when the stage began: more than zero if a run was resumed
}

// begin returns the estimate of a stage that begins with a step.
func begin(s Step) estimate { return estimate{time.Now(), s.Done} }

// afterRace is the time of the training that follows a race, in trainings of the race: it has all rows of the training part, of
// which a training of the race has nine tenths or less, and then the errors are measured.
const afterRace = 1.25

// left returns the seconds to go after a step, in tenths; nil until something is done, and if the length of the stage or of those that
// follow is unknown. Trainings of a race run side by side, the one that follows it alone.
func (e estimate) left(s Step, now time.Time) *float64 {
	done := s.Done - e.done
	if done <= 0 || s.Total == 0 || s.more {
		return nil
	}
	each := now.Sub(e.began).Seconds() / float64(done)
	left := each * float64(max(0, s.Total-s.Done))
	if s.Stage == Race {
		left += each * float64(max(1, min(s.workers, s.Total))) * afterRace
	}
	left = math.Round(10*left) / 10
	return &left
}
