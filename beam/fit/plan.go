package fit

import (
	"cmp"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/data"
)

func init() {
	register.Function1x2(keyed)
	register.DoFn4x1[int, func(*shard.Shard) bool, func(element), func(element), error](&planFn{})
	register.Iter1[shard.Shard]()
}

// keyed gives all shards one key.
func keyed(s shard.Shard) (int, shard.Shard) { return 0, s }

// planFn decides how a table is read.
type planFn struct{ Train string }

// ProcessElement emits the task of each shard or, to the second output, the files of a small table.
func (f *planFn) ProcessElement(_ int, shards func(*shard.Shard) bool, emit, small func(element)) error {
	return cluster.Fail(f.plan(shards, emit, small))
}

func (f *planFn) plan(shards func(*shard.Shard) bool, emit, small func(element)) error {
	var tasks []task
	for s := (shard.Shard{}); shards(&s); s = (shard.Shard{}) {
		tasks = append(tasks, task{Shard: s})
	}
	slices.SortFunc(tasks, func(a, b task) int {
		return cmp.Or(cmp.Compare(a.Shard.Order, b.Shard.Order), cmp.Compare(a.Shard.Index, b.Shard.Index))
	})
	rows := 0
	for _, t := range tasks {
		rows += int(t.Shard.Rows)
	}
	if rows <= data.SampleRows && f.Train != TrainCommittee {
		out, err := encode(filesOf(tasks))
		if err == nil {
			small(element{Work: out})
		}
		return err
	}
	for i, t := range tasks {
		t.Index, t.Of, t.Rows = i, len(tasks), rows
		out, err := encode(t)
		if err != nil {
			return err
		}
		emit(element{i, out})
	}
	return nil
}
