package fit

import (
	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/data"
)

// gathered is a table whose shards were ingested.
type gathered struct {
	*data.Merged
	numbers sketches
	files   []shard.Shard // each as one shard
}

// merge merges what the shards contributed, in the order of the table.
func (j *Job) merge(values func(*[]byte) bool) (*gathered, error) {
	tasks, all, err := gather(values, func(from []byte) (task, ingested, error) {
		var one ingested
		err := decode(from, &one)
		return one.Task, one, err
	})
	if err != nil {
		return nil, err
	}
	t := &gathered{files: filesOf(tasks)}
	var partials []*data.Partial
	for _, one := range all {
		if err := t.numbers.merge(one.Sketches); err != nil {
			return nil, err
		}
		partials = append(partials, one.Partial)
	}
	t.Merged, err = j.Table.Merge(partials)
	return t, err
}

// filesOf returns the files of tasks, each as one shard.
func filesOf(tasks []task) (all []shard.Shard) {
	for _, t := range tasks {
		s := t.Shard
		if s.Index == 0 {
			all = append(all, shard.Shard{File: s.File, Order: s.Order, Size: s.Size, Of: 1, End: s.Size, FirstRow: s.FirstRow})
		}
		all[len(all)-1].Rows += s.Rows
	}
	return all
}
