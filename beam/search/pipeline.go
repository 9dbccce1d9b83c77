package search

import (
	"context"
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func([]byte), error](&beginFn{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func([]byte), error](&decideFn{})
	register.DoFn3x1[context.Context, []byte, func([]byte), error](&measureFn{})
	register.Emitter1[[]byte]()
	register.Iter1[[]byte]()
}

// pipelineOf returns the pipeline of a job: some rounds. Its elements are results, and tasks without a result, as JSON. A round in
// which the search needs nothing emits nothing, so that those after it have nothing to do.
func pipelineOf(o *cluster.Options, j job, rounds int) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	known := beam.ParDo(s.Scope("begin"), &beginFn{Job: j}, beam.Impulse(s))
	for range rounds {
		s := s.Scope("round")
		together := beam.GroupByKey(s, beam.AddFixedKey(s, known))
		known = cluster.Spread(o, s, beam.ParDo(s, &decideFn{Job: j}, together), func(s beam.Scope, tasks beam.PCollection) beam.PCollection {
			return beam.ParDo(s, &measureFn{Job: j}, tasks)
		})
	}
	return p
}

// beginFn emits what was known before the pipeline, and an empty element, so that there is one.
type beginFn struct{ Job job }

// ProcessElement handles the impulse.
func (f *beginFn) ProcessElement(ctx context.Context, _ []byte, emit func([]byte)) error {
	var known []json.RawMessage
	if err := state.ReadJSON(ctx, f.Job.knownFile(), &known); err != nil {
		return cluster.Fail(err)
	}
	emit([]byte("{}"))
	for _, k := range known {
		emit(k)
	}
	return nil
}

// decideFn emits the tasks that the search needs next and what is known; nothing if it needs none.
type decideFn struct{ Job job }

// ProcessElement handles all results so far.
func (f *decideFn) ProcessElement(ctx context.Context, _ int, results func(*[]byte) bool, emit func([]byte)) error {
	l, err := f.Job.load(ctx)
	if err != nil {
		return cluster.Fail(err)
	}
	var known []tune.Measured
	for text := []byte(nil); results(&text); {
		var m tune.Measured
		if err := json.Unmarshal(text, &m); err != nil {
			return cluster.Fail(err)
		}
		if m.Complete() {
			known = append(known, m)
		}
	}
	tasks, err := tune.Next(ctx, l.data, l.config.Recipe, l.options, known)
	if err != nil || len(tasks) == 0 {
		return cluster.Fail(err)
	}
	for _, t := range tasks {
		known = append(known, tune.Measured{Task: t})
	}
	for _, m := range known {
		text, err := json.Marshal(m)
		if err != nil {
			return cluster.Fail(err)
		}
		emit(text)
	}
	return nil
}

// measureFn makes the fits of tasks.
type measureFn struct{ Job job }

// ProcessElement handles a task, or passes a result on.
func (f *measureFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var m tune.Measured
	if err := json.Unmarshal(element, &m); err != nil {
		return cluster.Fail(err)
	}
	if m.Complete() {
		emit(element)
		return nil
	}
	release, err := cluster.Slot(ctx)
	if err != nil {
		return cluster.Fail(err)
	}
	defer release()
	m, made, err := f.Job.measure(ctx, m.Task)
	if err != nil {
		return cluster.Fail(err)
	}
	cluster.Counter("fits").Inc(ctx, 1)
	if made {
		cluster.Counter("fits made").Inc(ctx, 1)
	}
	if m.Fit != nil && m.Fit.Failed != "" {
		cluster.Counter("fits failed").Inc(ctx, 1)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return cluster.Fail(err)
	}
	emit(text)
	return nil
}
