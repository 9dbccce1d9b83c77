package cluster_test

import (
	"context"
	"io"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/data"
)

func init() {
	register.DoFn2x1[context.Context, int, error](&count{})
}

// count counts its elements, and fails at one of them.
type count struct{ FailAt int }

func (c *count) ProcessElement(ctx context.Context, element int) error {
	cluster.Counter("elements").Inc(ctx, 1)
	if element == c.FailAt {
		return cluster.Fail(&data.Error{File: "a.csv", Line: 7, Message: "x: not a number"})
	}
	return nil
}

func run(t *testing.T, failAt int) (cluster.Counters, error) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &count{failAt}, beam.CreateList(s, []int{1, 2, 3}))
	return (&cluster.Options{Runner: "prism"}).Run(t.Context(), p, cluster.Plan{Job: "count"}, io.Discard)
}

// TestRun checks that the counters of a job come back.
func TestRun(t *testing.T) {
	counters, err := run(t, 0)
	if err != nil || len(counters) != 1 || counters["elements"] != 3 {
		t.Errorf("%v, %v", counters, err)
	}
}

// TestFail checks that the error of a DoFn keeps its text and its exit code.
func TestFail(t *testing.T) {
	_, err := run(t, 2)
	if err == nil || err.Error() != "a.csv:7: x: not a number" || cluster.ExitCode(err) != cluster.ExitData {
		t.Errorf("%v: exit code %d", err, cluster.ExitCode(err))
	}
}
