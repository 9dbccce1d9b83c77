package runs

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// recorder writes the metrics and checkpoints of a training to the directory of its run. Checkpoints are written
// concurrently with training; one that is still waiting when the next one arrives is skipped.
type recorder struct {
	dir     *safefile.Dir
	metrics *metricsLog
	note    func(string) // receives the first error about a checkpoint

	mu   sync.Mutex // guards next
	next *tskgraph.Checkpoint
	wake chan struct{}
	done chan struct{}
}

func newRecorder(dir *safefile.Dir, note func(string)) (*recorder, error) {
	metrics, err := openMetrics(dir)
	if err != nil {
		return nil, err
	}
	r := &recorder{dir: dir, metrics: metrics, note: note, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go r.writeCheckpoints()
	return r, nil
}

// checkpoint receives a checkpoint, and returns at once.
func (r *recorder) checkpoint(next *tskgraph.Checkpoint) {
	r.mu.Lock()
	r.next = next
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // a signal is pending
	}
}

func (r *recorder) writeCheckpoints() {
	defer close(r.done)
	failed := false
	for range r.wake {
		r.mu.Lock()
		next := r.next
		r.next = nil
		r.mu.Unlock()
		if next == nil {
			continue
		}
		if err := r.write(next); err != nil && !failed {
			failed = true
			r.note(fmt.Sprintf("a checkpoint was not written, training continues: %v", err))
		}
	}
}

// write writes the metrics first: the file holds at least as many lines as the checkpoint has iterations.
func (r *recorder) write(next *tskgraph.Checkpoint) error {
	if err := r.metrics.sync(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := next.Encode(&b); err != nil {
		return err
	}
	return r.dir.Write(CheckpointFile, b.Bytes(), 0o666)
}

// close waits until the last checkpoint is written. Training must have ended. The error is about the metrics.
func (r *recorder) close() error {
	close(r.wake)
	<-r.done
	return r.metrics.close()
}
