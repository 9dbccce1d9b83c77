package cluster

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow" // registers itself

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Plan says what a job does, for --dry-run.
type Plan struct {
	Job   string      // "score"
	Lines [][2]string // labels and values: "input", "12 files, 3.4 GB"
}

// Write writes the plan, a line for each label.
func (p Plan) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "job\t%s\n", p.Job)
	for _, line := range p.Lines {
		fmt.Fprintf(t, "%s\t%s\n", escape.Text(line[0]), escape.Text(line[1]))
	}
	return t.Flush()
}

// namespace is that of our counters.
const namespace = "tskgraph"

// Counter returns a counter that Run reads back. Names are of all commands: "rows", "bytes", "bad cells".
func Counter(name string) beam.Counter { return beam.NewCounter(namespace, name) }

// Counters are the values of the counters of a job, by their names: sums over all steps and workers. Bundles that were
// retried count once on runners that report committed values.
type Counters map[string]int64

// Run runs a pipeline until it ends, and returns its counters. With DryRun it writes the plan to w and runs nothing. The
// end of the context cancels the job. An error that a DoFn returned through [Fail] keeps its text and its exit code. If the
// flags of the runner say not to run or not to wait, it returns an error whose exit code is 0.
func (o *Options) Run(ctx context.Context, p *beam.Pipeline, plan Plan, w io.Writer) (Counters, error) {
	if o.DryRun {
		return nil, plan.Write(w)
	}
	if !beam.Initialized() {
		beam.Init()
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	o.log()
	if err := stage(o); err != nil {
		return nil, err
	}
	results, err := execute(ctx, o, p)
	if err != nil {
		return nil, err
	}
	counters := Counters{}
	for _, c := range results.Query(func(r beam.MetricResult) bool { return r.Namespace() == namespace }).Counters() {
		counters[c.Name()] += c.Result()
	}
	return counters, nil
}

// execute runs a pipeline, and returns its counters.
func execute(ctx context.Context, o *Options, p *beam.Pipeline) (*metrics.Results, error) {
	if o.Runner != dataflowRunner {
		return submit(ctx, o, p)
	}
	result, err := beam.Run(ctx, o.Runner, p)
	switch {
	case err != nil:
		return nil, clear(ctx, err)
	case *jobopts.Async:
		return nil, notice("the job runs on: with --async, this command writes neither a summary nor what it makes of the results")
	case result == nil: // after --template_location
		return nil, notice("nothing was run")
	}
	results := result.Metrics()
	return &results, nil
}
