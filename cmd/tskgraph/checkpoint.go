package main

import (
	"bytes"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph"
)

// checkpointEvery is the time between two checkpoints; 0: the library's. Tests shorten
// it.
var checkpointEvery time.Duration

// checkpointer writes checkpoints to a run's directory, while training goes on. One that
// was not written when the next one comes is left out.
type checkpointer struct {
	dir     *runDir
	metrics *metricsWriter
	warn    func(error) // told of the first checkpoint that could not be written

	mu   sync.Mutex
	next *tskgraph.Checkpoint
	wake chan struct{}
	done chan struct{}
}

func newCheckpointer(dir *runDir, metrics *metricsWriter, warn func(error)) *checkpointer {
	c := &checkpointer{dir: dir, metrics: metrics, warn: warn, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go c.run()
	return c
}

// take is told of a checkpoint, and returns at once.
func (c *checkpointer) take(next *tskgraph.Checkpoint) {
	c.mu.Lock()
	c.next = next
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default: // it is awake
	}
}

func (c *checkpointer) run() {
	defer close(c.done)
	failed := false
	for range c.wake {
		c.mu.Lock()
		next := c.next
		c.next = nil
		c.mu.Unlock()
		if next == nil {
			continue
		}
		if err := c.write(next); err != nil && !failed {
			failed = true
			c.warn(err)
		}
	}
}

// write writes the metrics first: there are at least as many as the checkpoint says.
func (c *checkpointer) write(next *tskgraph.Checkpoint) error {
	if err := c.metrics.sync(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := next.Encode(&b); err != nil {
		return err
	}
	return c.dir.Write(checkpointFile, b.Bytes(), 0o666)
}

// close waits until the last checkpoint is written. None may come any more.
func (c *checkpointer) close() {
	close(c.wake)
	<-c.done
}
