package runs

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/optim"
)

// metricsLog writes a line of JSON per iteration. Its methods are safe for concurrent use.
type metricsLog struct {
	mu   sync.Mutex // guards buf
	file *os.File
	buf  *bufio.Writer
	enc  *json.Encoder
}

func openMetrics(d *safefile.Dir) (*metricsLog, error) {
	f, err := d.Append(MetricsFile, 0o666)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriter(f)
	return &metricsLog{file: f, buf: buf, enc: json.NewEncoder(buf)}, nil
}

func (l *metricsLog) write(m optim.Metrics) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.enc.Encode(m)
}

// sync writes all lines so far to disk.
func (l *metricsLog) sync() error {
	l.mu.Lock()
	err := l.buf.Flush()
	l.mu.Unlock()
	return errors.Join(err, safefile.Fsync(l.file))
}

func (l *metricsLog) close() error { return errors.Join(l.sync(), l.file.Close()) }

// lineKey is the member and iteration of a line.
type lineKey struct {
	Member    int `json:"member"` // from 1; 0: a single model
	Iteration int `json:"iteration"`
}

// cutMetrics removes the lines after a checkpoint, whose iterations run again.
func cutMetrics(d *safefile.Dir, c *tskgraph.Checkpoint) error {
	path := d.Path(MetricsFile)
	text, err := safefile.ReadInside(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	made := c.Iterations()
	have := make([]int, len(made))
	var kept bytes.Buffer
	for line := range bytes.Lines(text) {
		var key lineKey
		if json.Unmarshal(line, &key) != nil || line[len(line)-1] != '\n' {
			continue // the process ended while it was written
		}
		k := max(key.Member-1, 0)
		if k < len(made) && key.Iteration == have[k]+1 && key.Iteration <= made[k] {
			have[k]++
			kept.Write(line)
		}
	}
	for k := range made {
		if have[k] < made[k] {
			return fmt.Errorf("%s: iteration %d is missing, but the checkpoint is of iteration %d: the file was changed: restore it, or start "+
				"a new run", path, have[k]+1, made[k])
		}
	}
	return d.Write(MetricsFile, kept.Bytes(), 0o666)
}

// sortMetrics groups the lines by member of a committee: members train concurrently, so their lines alternate.
func sortMetrics(d *safefile.Dir) error {
	path := d.Path(MetricsFile)
	text, err := safefile.ReadInside(path)
	if err != nil {
		return err
	}
	type entry struct {
		lineKey
		line []byte
	}
	var entries []entry
	for line := range bytes.Lines(text) {
		e := entry{line: line}
		if err := json.Unmarshal(line, &e.lineKey); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.Member, b.Member) })
	var sorted bytes.Buffer
	for _, e := range entries {
		sorted.Write(e.line)
	}
	return d.Write(MetricsFile, sorted.Bytes(), 0o666)
}

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
