package study

import (
	"context"
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/internal/study"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func([]byte), error](&groupsFn{})
	register.DoFn3x1[context.Context, []byte, func([]byte), error](&runFn{})
	register.Emitter1[[]byte]()
}

// pipelineOf returns the pipeline of a job. Its elements are groups, as JSON.
func pipelineOf(o *cluster.Options, j job) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	groups := beam.ParDo(s, &groupsFn{Job: j}, beam.Impulse(s))
	cluster.Spread(o, s, groups, func(s beam.Scope, groups beam.PCollection) beam.PCollection {
		return beam.ParDo(s, &runFn{Job: j}, groups)
	})
	return p
}

// groupsFn emits the groups of a job.
type groupsFn struct{ Job job }

// ProcessElement handles the impulse.
func (f *groupsFn) ProcessElement(ctx context.Context, _ []byte, emit func([]byte)) error {
	groups, err := f.Job.readGroups(ctx)
	for _, g := range groups {
		emit(g)
	}
	return cluster.Fail(err)
}

// runFn computes groups.
type runFn struct{ Job job }

// ProcessElement handles a group.
func (f *runFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var g study.Group
	if err := json.Unmarshal(element, &g); err != nil {
		return cluster.Fail(err)
	}
	l, err := f.Job.load(ctx)
	if err != nil {
		return cluster.Fail(err)
	}
	release, err := cluster.Slot(ctx)
	if err != nil {
		return cluster.Fail(err)
	}
	defer release()
	if err := l.worker.Run(ctx, g, keeper{ctx, f.Job.Results}); err != nil {
		return cluster.Fail(err)
	}
	cluster.Counter("groups").Inc(ctx, 1)
	emit([]byte(g.String()))
	return nil
}
