package workbench

import (
	"context"
	"os"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/app/view"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/optim"
)

// trainer is a training under way.
type trainer struct {
	call
	events *progress.Events
	task   runs.Task
}

// run trains, the race in other processes if there are any.
func (t *trainer) run(ctx context.Context) (*report.Summary, error) {
	t.task.Attach, t.task.Ended = t.attach, func() {}
	if t.options.Remote != nil && len(t.task.Config.Recipe.Train.Race) > 0 {
		remote, done, err := t.options.Remote(ctx, t.task.Config)
		if err != nil {
			return nil, err
		}
		defer done()
		t.task.Attach = func(job *runs.Job, made int) {
			job.Training.Remote = remote
			t.attach(job, made)
		}
	}
	return t.task.Run(ctx)
}

// private lets the user alone read the directory of a run, before anything is in it. File systems without permissions are left as they are.
func private(dir *runs.Run) { _ = os.Chmod(dir.Path(), 0o700) }

// attach makes a job report to the page.
func (t *trainer) attach(job *runs.Job, made int) {
	private(t.task.Dir)
	r := t.task.Config.Recipe
	progress.NewTrainer(r, r.Train.Iterations*max(1, r.Train.Members), made, t.events.Step).Attach(&job.Training)
	if pause := t.options.Pause; pause != nil {
		iterated := job.Training.OnIteration
		job.Training.OnIteration = func(m optim.Metrics) error {
			pause()
			return iterated(m)
		}
	}
	rows := view.Spread{Most: leaderRows}.Of(job.Parts.Train)
	job.Training.OnLeader = func(l tskgraph.RaceLeader) { t.events.Emit(provisional(l, rows)) }
}
