package study

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/tskgraph/tskgraph/beam/dataset"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/study"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// Save writes a file completely or not at all.
func (k keeper) Save(name string, content []byte) error {
	return files.Write(k.ctx, k.Path(name), func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// loaded is a job in a process that works for it.
type loaded struct {
	job    job
	worker *study.Worker

	mu     sync.Mutex
	tables map[string]*data.Dataset // read so far
}

// The job that this process works for, if any: a process has one at a time.
var (
	mu      sync.Mutex
	current *loaded
)

// load reads the plan of a job, once for all bundles that this process gets.
func (j job) load(ctx context.Context) (*loaded, error) {
	mu.Lock()
	defer mu.Unlock()
	if current != nil && current.job == j {
		return current, nil
	}
	var s spec
	if err := state.ReadJSON(ctx, j.specFile(), &s); err != nil {
		return nil, err
	}
	own, err := study.Program()
	if err != nil {
		return nil, err
	}
	if changes := s.Program.Differences(own); len(changes) > 0 {
		return nil, fmt.Errorf("this worker cannot compute the results of the study: %s: use workers of the same program and kind of "+
			"processor as the command's", checkpoint.Join(changes))
	}
	p, err := s.plan()
	if err != nil {
		return nil, err
	}
	l := &loaded{job: j, tables: map[string]*data.Dataset{}}
	l.worker = study.NewWorker(p, func(name string) (*data.Dataset, error) { return l.table(ctx, name) })
	current = l
	return l, nil
}

// table returns the data set of a set, which is read once.
func (l *loaded) table(ctx context.Context, name string) (*data.Dataset, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.tables[name]; d != nil {
		return d, nil
	}
	d, err := dataset.Read(context.WithoutCancel(ctx), l.job.tableFile(name))
	if err == nil {
		l.tables[name] = d
	}
	return d, err
}
