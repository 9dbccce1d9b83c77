package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// errBusy is the error of a second training.
var errBusy = errors.New("another training is running in this workbench: stop it, or wait for it to end")

// trainMethod is the method that runs once at a time: it uses all processors.
const trainMethod = "train"

// calls are those that run.
type calls struct {
	mu       sync.Mutex
	done     sync.WaitGroup
	closed   bool
	training bool
	stops    map[string]context.CancelFunc // by their ids
}

// begin adds a call; its caller calls end.
func (c *calls) begin(id, method string, stop context.CancelFunc) (end func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, exists := c.stops[id]; {
	case c.closed:
		return nil, context.Canceled
	case exists:
		return nil, fmt.Errorf("a call with the id %.40q is running", id)
	case method == trainMethod && c.training:
		return nil, errBusy
	}
	if c.stops == nil {
		c.stops = map[string]context.CancelFunc{}
	}
	c.stops[id] = stop
	c.training = c.training || method == trainMethod
	c.done.Add(1)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.stops, id)
		if method == trainMethod {
			c.training = false
		}
		c.done.Done()
	}, nil
}

// stop stops a call, and reports whether it was running.
func (c *calls) stop(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	stop, running := c.stops[id]
	if running {
		stop()
	}
	return running
}

// close refuses further calls, stops those that run, and waits until they have ended.
func (c *calls) close() {
	c.mu.Lock()
	c.closed = true
	for _, stop := range c.stops {
		stop()
	}
	c.mu.Unlock()
	c.done.Wait()
}
