package fit

import (
	"bytes"
	"context"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// member is a trained member of a committee as it travels from its worker.
type member struct {
	Number    int // from 0
	Model     []byte
	Training  optim.Result
	OddGrades string
	Start     string // see fit.Result.StartNotes
	Idle      int
	Prune     []tskgraph.PruneRound
	Metrics   []optim.Metrics
}

// trainMember trains the member of an element on its rows.
func trainMember(ctx context.Context, w *work, e element) (*member, error) {
	var partials [][]byte
	if err := decode(e.Work, &partials); err != nil {
		return nil, err
	}
	k := e.Index
	t, err := w.merge(func(one *[]byte) bool {
		if len(partials) == 0 {
			return false
		}
		*one, partials = partials[0], partials[1:]
		return true
	})
	if err != nil {
		return nil, err
	}
	parts, err := t.Parts(ctx, data.Source{})
	if err != nil {
		return nil, err
	}
	one := &member{Number: k}
	run := tskgraph.Run{Recipe: ensemble.Member(w.config.Recipe, k), OnIteration: func(m optim.Metrics) error {
		m.Member = k + 1
		one.Metrics = append(one.Metrics, m)
		cluster.Counter("iterations").Inc(ctx, 1)
		return nil
	}}
	result, err := run.Train(ctx, parts.Train, parts.Validation)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := result.Model.Encode(&b); err != nil {
		return nil, err
	}
	one.Model, one.Training, one.OddGrades = b.Bytes(), result.Training, result.OddGrades
	one.Start, one.Idle, one.Prune = result.StartNotes, result.Idle, result.Prune
	return one, nil
}

// joined returns the committee of members, and passes their metrics on.
func joined(members []*member, run tskgraph.Run, train, validation *data.Dataset) (*tskgraph.Result, error) {
	var results []*tskgraph.Result
	for _, one := range members {
		m, err := model.Decode(bytes.NewReader(one.Model))
		if err != nil {
			return nil, err
		}
		r := &tskgraph.Result{}
		r.Model, r.Training, r.OddGrades = m, one.Training, one.OddGrades
		r.StartNotes, r.Idle, r.Prune = one.Start, one.Idle, one.Prune
		results = append(results, r)
		for _, metrics := range one.Metrics {
			if err := run.OnIteration(metrics); err != nil {
				return nil, err
			}
		}
	}
	return run.Join(train, validation, results)
}
