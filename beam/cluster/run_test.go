package cluster_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

func init() {
	register.DoFn2x1[context.Context, int, error](&count{})
}

// count counts its elements, and fails at one of them.
type count struct {
	FailAt int
	How    string
}

func (c *count) ProcessElement(ctx context.Context, element int) error {
	cluster.Counter("elements").Inc(ctx, 1)
	switch {
	case element != c.FailAt:
	case c.How == "panic":
		var none []int
		_ = none[element]
	case c.How == "plain":
		return fmt.Errorf("reading: %w", io.ErrUnexpectedEOF)
	default:
		return cluster.Fail(&data.Error{File: "a.csv", Line: 7, Message: "x: not a number"})
	}
	return nil
}

func run(t *testing.T, o *cluster.Options, failAt int, how string) (cluster.Counters, error) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &count{failAt, how}, beam.CreateList(s, []int{1, 2, 3}))
	return o.Run(t.Context(), p, cluster.Plan{Job: "count"}, io.Discard)
}

// TestRun checks that the counters of a job come back.
func TestRun(t *testing.T) {
	counters, err := run(t, &cluster.Options{Runner: "prism"}, 0, "")
	if err != nil || len(counters) != 1 || counters["elements"] != 3 {
		t.Errorf("%v, %v", counters, err)
	}
}

// TestFail checks that the error of a DoFn keeps its text and its exit code, from another process, too, and that others
// lose their stacks.
func TestFail(t *testing.T) {
	for how, want := range map[string]string{
		"":      "a.csv:7: x: not a number",
		"plain": "the job failed: reading: unexpected EOF (--verbose shows more)",
		"panic": "the job failed: panic: runtime error: index out of range [2] with length 0 (--verbose shows more)",
	} {
		for processes := range 2 {
			_, err := run(t, &cluster.Options{Runner: "prism", Processes: processes}, 2, how)
			code := message.ExitFailed
			if how == "" {
				code = message.ExitData
			}
			if err == nil || err.Error() != want || cluster.ExitCode(err) != code {
				t.Errorf("%q, %d processes: %v: exit code %d", how, processes, err, cluster.ExitCode(err))
			}
		}
	}
}
