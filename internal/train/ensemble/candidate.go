package ensemble

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// candidate is a setting in a race.
type candidate struct {
	RaceScore
	number int              // in the order of the recipe
	recipe recipe.Recipe    // with the setting
	jobs   []checkpoint.Job // its trainings, by split
	losses [][]float64      // on the held-out samples, by split so far
	alone  [][]float64      // those of the strongest rule read alone
	err    error            // its training diverged
}

// candidatesOf returns the candidates of a race on a training part, and the criterion that compares them.
func candidatesOf(r recipe.Recipe, train *data.Dataset) (all []*candidate, by model.Criterion, err error) {
	if by, err = model.CriterionOf(r.Train.Loss, train.Schema); err != nil {
		return nil, by, err
	}
	for k, s := range r.Entrants(train.Len(), train.Schema.Classes != nil) {
		with, err := r.With(s)
		if err == nil {
			with, err = with.Resolve()
		}
		if err != nil {
			return nil, by, err
		}
		all = append(all, &candidate{RaceScore: RaceScore{Setting: s, Metric: by.Name}, number: k, recipe: with})
	}
	return all, by, nil
}

// measure computes the figure of the criterion and the fidelity from the losses on the splits
// so far, which were computed in the given unit. The fidelity is infinite if no held-out sample
// is covered by a rule.
func (c *candidate) measure(by model.Criterion, unit float64) {
	losses, alone := slices.Concat(c.losses...), slices.Concat(c.alone...)
	c.Loss = by.Figure(stat.Mean(losses, nil), unit)
	c.Splits = len(c.losses)
	whole, one, covered := 0.0, 0.0, false
	for n, s := range alone {
		if !math.IsNaN(s) {
			whole, one, covered = whole+losses[n], one+s, true
		}
	}
	c.Fidelity = math.Inf(1)
	switch {
	case covered && whole > 0:
		c.Fidelity = by.Figure(one/whole, 1)
	case covered && one == 0:
		c.Fidelity = 1 // neither errs
	}
}

// beyond returns the fidelity if it exceeds a limit, otherwise zero. A limit of zero is none.
func (c *candidate) beyond(limit float64) float64 {
	if limit == 0 || c.Fidelity <= limit {
		return 0
	}
	return c.Fidelity
}

// curves orders candidates by the number of curves in their consequents: none, those shared
// by all rules, those of every rule.
func (c *candidate) curves() int {
	return slices.Index([]string{recipe.NoCurves, recipe.SharedCurves, recipe.OwnCurves}, c.recipe.Model.Curves)
}

// single returns 1 for a single rule, else 0.
func (c *candidate) single() int {
	if c.recipe.Model.Rules == 1 {
		return 1
	}
	return 0
}

// over returns the mean over the splits of the difference between the mean losses of a candidate and of the first one,
// and the standard deviation of a split's difference. A race has few splits, initially one, which may agree by chance, so the standard
// deviation is at least that expected from the samples within the splits.
func (c *candidate) over(first *candidate) (over, sd float64) {
	var means []float64
	within := 0.0
	for i, losses := range c.losses {
		worse := make([]float64, len(losses))
		for n, s := range losses {
			worse[n] = s - first.losses[i][n]
		}
		mean, variance := stat.MeanVariance(worse, nil)
		means = append(means, mean)
		within += variance / float64(len(worse)) / float64(len(c.losses))
	}
	over, between := stat.MeanVariance(means, nil)
	if len(means) < 2 {
		between = 0
	}
	return over, math.Sqrt(max(between, within))
}

// maxSEBehind is the number of standard errors by which the mean loss of a candidate may exceed the best one's for it to stay in the race.
const maxSEBehind = 2.0

// best returns the candidates that have not failed and are not clearly behind, the best one
// first: those whose fidelity is at most limit by their errors, then the others by their
// fidelity. A limit of zero is none. heldToTrain is the ratio of held-out to training
// samples of a split.
func best(candidates []*candidate, limit, heldToTrain float64) []*candidate {
	trained := slices.DeleteFunc(slices.Clone(candidates), func(c *candidate) bool { return c.err != nil })
	slices.SortStableFunc(trained, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.beyond(limit), b.beyond(limit)), cmp.Compare(a.Loss, b.Loss))
	})
	return slices.DeleteFunc(trained, func(c *candidate) bool {
		over, sd := c.over(trained[0])
		return over > maxSEBehind*metric.PairedStdErr(sd, len(c.losses), heldToTrain)
	})
}

// equalShare is the share of the best one's figure within which candidates count as equally
// good. A standard error, which is larger, would cost accuracy; see docs/accuracy.md.
const equalShare = 0.01

// preferSimple moves the simplest of the candidates that are as good as the first one, and
// keep to the limit of fidelity as it does, to the front: that of a single rule, where several would
// fire alike, then that with the fewest curves, then the least fidelity. The candidates are those of best.
func preferSimple(candidates []*candidate, limit float64) {
	first, at := candidates[0], 0
	if first.beyond(limit) > 0 {
		return
	}
	for i, c := range candidates {
		equal := c.Loss <= first.Loss*(1+equalShare) && c.beyond(limit) == 0
		if s := candidates[at]; equal && cmp.Or(-cmp.Compare(c.single(), s.single()), cmp.Compare(c.curves(), s.curves()),
			cmp.Compare(c.Fidelity, s.Fidelity)) < 0 {
			at = i
		}
	}
	simplest := candidates[at]
	copy(candidates[1:at+1], candidates[:at])
	candidates[0] = simplest
}

// RaceScore is the result of a setting in a race.
type RaceScore struct {
	Setting  recipe.Setting
	Metric   string  // name of the criterion, see model.Criterion
	Loss     float64 // figure of the criterion over all held-out parts
	Fidelity float64 // that of the strongest rule read alone, over Loss
	Splits   int     // on which it was trained: fewer than train.race_splits if it left the race
	Chosen   bool    // used for the model, or for members of the committee
	Failed   string  // error of a training that diverged, if any
}

// scoreFields are the fields of a score in JSON besides those of its setting.
type scoreFields struct {
	Metric   string   `json:"metric"`
	Loss     *float64 `json:"loss"`               // nil: not finite
	Fidelity *float64 `json:"fidelity,omitempty"` // nil: not finite
	Splits   int      `json:"splits"`
	Chosen   bool     `json:"chosen,omitempty"`
	Failed   string   `json:"failed,omitempty"`
}

// MarshalJSON writes one object: the setting's keys, then metric, loss, fidelity, splits, chosen and failed.
func (s RaceScore) MarshalJSON() ([]byte, error) {
	setting, err := json.Marshal(s.Setting)
	if err != nil {
		return nil, err
	}
	fields, err := json.Marshal(scoreFields{s.Metric, numeric.OrNil(s.Loss), numeric.OrNil(s.Fidelity), s.Splits, s.Chosen, s.Failed})
	if err != nil || len(setting) == len("{}") {
		return fields, err
	}
	setting[len(setting)-1] = ','
	return append(setting, fields[1:]...), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *RaceScore) UnmarshalJSON(text []byte) error {
	var fields scoreFields
	setting := recipe.Setting{}
	if err := errors.Join(json.Unmarshal(text, &fields), json.Unmarshal(text, &setting)); err != nil {
		return err
	}
	for _, name := range []string{"metric", "loss", "fidelity", "splits", "chosen", "failed"} {
		delete(setting, name)
	}
	*s = RaceScore{setting, fields.Metric, numeric.OrNaN(fields.Loss), numeric.OrNaN(fields.Fidelity), fields.Splits, fields.Chosen,
		fields.Failed}
	return nil
}

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
	if l.best != nil && l.split == i && cmp.Or(cmp.Compare(c.beyond(l.fidelity), l.best.beyond(l.fidelity)),
		cmp.Compare(c.Loss, l.best.Loss)) >= 0 {
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
	r := &Result{Leader: l, Result: fit.Result{Model: l.Model, Training: optim.Result{Iterations: made, Best: made,
		Stopped: optim.StoppedInterrupted}}}
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
