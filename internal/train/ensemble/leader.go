package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Leader is the best setting of a race so far, by the limit of fidelity and the loss, among those
// that have finished the latest split. Its model was trained on the training samples of that split.
type Leader struct {
	Setting  recipe.Setting
	Number   int // from 1, in the order of the recipe
	Settings int // in the race
	Metric   string
	Loss     float64 // figure of the criterion over the held-out parts so far
	Fidelity float64
	Model    *model.Model
}

// leaders finds the leader of each split and reports it.
type leaders struct {
	report   func(Leader) // nil: nobody
	fidelity float64      // the limit; 0: none
	settings int

	mu     sync.Mutex
	split  int
	best   *candidate // nil: none of the split yet
	latest *Leader    // nil: none with a model
}

// add reports a candidate that finished split i if it leads. Its model may be nil.
func (l *leaders) add(ctx context.Context, c *candidate, i int, part *splitPart, m *model.Model) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.best != nil && l.split == i && cmp.Or(cmp.Compare(c.beyond(l.fidelity), l.best.beyond(l.fidelity)), cmp.Compare(c.Loss, l.best.Loss)) >= 0 {
		return nil
	}
	l.best, l.split = c, i
	if m == nil {
		return nil
	}
	if m, err = part.on.Summarised(ctx, m); err != nil {
		return err
	}
	l.latest = &Leader{c.Setting, c.number + 1, l.settings, c.Metric, c.Loss, c.Fidelity, m}
	if l.report != nil {
		l.report(*l.latest)
	}
	return nil
}

// result returns the leader's model as the result of a training that was interrupted, measured on [fit.Some] of its parts.
func (l *Leader) result(train, validation *data.Dataset) (*Result, error) {
	train = fit.Some(train, l.Model)
	if validation != nil {
		validation = fit.Some(validation, l.Model)
	}
	made := l.Model.Training.Iterations
	r := &Result{Leader: l, Result: fit.Result{Model: l.Model, Training: optim.Result{Iterations: made, Best: made, Stopped: optim.StoppedInterrupted}}}
	return r, fit.Finish(context.Background(), l.Model, recipe.Recipe{}, train, validation)
}

// Kept says which model a run kept that ended early or whose error of training rose; empty for that after the last iteration, and
// for a committee, whose members say it.
func (r *Result) Kept() string {
	if l := r.Leader; l != nil {
		return fmt.Sprintf("the model is that of setting %d of %d, which led the race: %v; it was trained on %d rows for %d iterations",
			l.Number, l.Settings, l.Setting, l.Model.Training.Samples, l.Model.Training.Iterations)
	}
	if len(r.Members) > 0 {
		return ""
	}
	return r.Training.Kept()
}

// figure returns what models of a run are compared by: the figure of the criterion on the validation part, or else on the training part.
func figure(m *model.Model) float64 {
	name := "loss_"
	if m.Criterion().Root() {
		name = "rmse_"
	}
	if v, ok := m.Training.Metrics[name+"validation"]; ok {
		return v
	}
	return m.Training.Metrics[name+"train"]
}
