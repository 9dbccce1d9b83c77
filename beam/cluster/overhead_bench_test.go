package cluster_test

import (
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
)

func init() {
	register.Function1x1(same)
	register.Function1x1(first)
	register.Function2x1(onward)
	register.Iter1[int]()
}

func same(element int) int                         { return element }
func first([]byte) int                             { return 1 }
func onward(key int, elements func(*int) bool) int { return key }

// BenchmarkOverhead measures what Prism takes for nothing: for a job, for an element that is spread among workers, and for a
// step that waits for all of the step before. docs/cluster.md has these figures.
func BenchmarkOverhead(b *testing.B) {
	const many, rounds = 500, 20
	for b.Loop() {
		job := overhead(b, 1, 0)
		elements := overhead(b, 1+many, 0)
		barriers := overhead(b, 1, rounds)
		b.ReportMetric(job.wall.Seconds()*1e3, "ms/job")
		b.ReportMetric((elements.processor-job.processor).Seconds()/many*1e3, "cpu-ms/element")
		b.ReportMetric((barriers.wall-job.wall).Seconds()/rounds*1e3, "ms/barrier")
	}
}

// cost is what a job takes.
type cost struct{ wall, processor time.Duration }

// overhead runs a job that passes on some elements, and then some rounds of a value for which all others wait.
func overhead(b *testing.B, elements, rounds int) cost {
	b.Helper()
	o := &cluster.Options{Runner: "prism"}
	p, s := beam.NewPipelineWithRoot()
	list := make([]int, elements)
	for i := range list {
		list[i] = i
	}
	cluster.Spread(o, s, beam.CreateList(s, list), func(s beam.Scope, in beam.PCollection) beam.PCollection { return beam.ParDo(s, same, in) })
	at := beam.ParDo(s, first, beam.Impulse(s))
	for range rounds {
		at = beam.ParDo(s, onward, beam.GroupByKey(s, beam.AddFixedKey(s, at)))
	}
	began, used := time.Now(), processor(b)
	if _, err := o.Run(b.Context(), p, cluster.Plan{}, io.Discard); err != nil {
		b.Fatal(err)
	}
	return cost{time.Since(began), processor(b) - used}
}

// processor returns the processor time of this process.
func processor(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
