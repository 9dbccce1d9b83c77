package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/internal/exitcode"
	"github.com/tskgraph/tskgraph/recipe"
)

// Times between two events of progress: at least eventsEvery if they are of one stage, and at most beatEvery.
const (
	eventsEvery = 100 * time.Millisecond
	beatEvery   = time.Second
)

// Kinds of events.
const (
	eventProgress = "progress"
	eventNote     = "note"
	eventError    = "error"
)

// step is an event of progress.
type step struct {
	Event   string   `json:"event"`
	Stage   string   `json:"stage"`            // reading, race or training
	Done    int      `json:"done"`             // trainings of the race, or iterations
	Total   int      `json:"total"`            // 0: unknown
	Loss    *float64 `json:"loss,omitempty"`   // of the last batch
	Metric  string   `json:"metric,omitempty"` // RMSE, or the metric of the loss
	Value   *float64 `json:"value,omitempty"`  // of the metric, smoothed over about 20 batches
	Seconds float64  `json:"seconds"`          // since the command began
}

// message is an event of another kind.
type message struct {
	Event string `json:"event"`
	Kind  string `json:"kind,omitempty"`  // of an error: usage, config, data, model, failed or interrupted
	Key   string `json:"key,omitempty"`   // of the configuration
	Where string `json:"where,omitempty"` // file:line:column, the environment variable, or --set
	Text  string `json:"message"`
}

// events is standard error under --progress json: a line of JSON per event. What is written to it becomes notes. The last step is
// repeated every beatEvery, so that a command whose reader has gone does not run on: a write that fails cancels it.
type events struct {
	start  time.Time
	cancel context.CancelFunc
	stop   chan struct{}

	mu    sync.Mutex // guards what follows
	out   io.Writer
	last  step
	at    time.Time // of the last event of progress
	said  bool      // the last step was written
	ended bool
}

// newEvents begins with the stage reading. The function cancel ends the command.
func newEvents(out io.Writer, cancel context.CancelFunc) *events {
	e := &events{start: time.Now(), cancel: cancel, stop: make(chan struct{}), out: out}
	e.step(step{Stage: "reading"})
	go e.beat()
	return e
}

// beat repeats the last step while nothing else is written.
func (e *events) beat() {
	for tick := time.NewTicker(beatEvery / 2); ; {
		select {
		case <-e.stop:
			tick.Stop()
			return
		case <-tick.C:
		}
		e.mu.Lock()
		if !e.ended && time.Since(e.at) >= beatEvery/2 {
			e.say()
		}
		e.mu.Unlock()
	}
}

// step records a step, and writes it if it begins or ends a stage or the last one is old enough.
func (e *events) step(s step) {
	e.mu.Lock()
	defer e.mu.Unlock()
	begins := s.Stage != e.last.Stage
	if begins {
		e.flush()
	}
	e.last, e.said = s, false
	if begins || s.Done == s.Total || time.Since(e.at) >= eventsEvery {
		e.say()
	}
}

// say writes the last step.
func (e *events) say() {
	e.at, e.said = time.Now(), true
	e.last.Event, e.last.Seconds = eventProgress, time.Since(e.start).Round(time.Millisecond).Seconds()
	e.line(e.last)
}

// flush writes the last step if it is not written.
func (e *events) flush() {
	if !e.said && e.last.Stage != "" {
		e.say()
	}
}

// line writes an event.
func (e *events) line(event any) {
	text, err := json.Marshal(event)
	if err == nil {
		_, err = e.out.Write(append(escape.JSON(text), '\n'))
	}
	if err != nil {
		e.cancel()
	}
}

// Write makes a note of each line.
func (e *events) Write(text []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	for line := range strings.Lines(string(text)) {
		e.line(message{Event: eventNote, Text: escape.Text(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "note: "))})
	}
	return len(text), nil
}

// end writes the faults that err consists of, if any, to out, and stops the beat.
func (e *events) end(out io.Writer, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	close(e.stop)
	e.ended, e.out = true, out
	for _, fault := range recipe.Parts(err) {
		e.line(faultEvent(fault))
	}
}

// faultEvent describes an error; a fault of the configuration has its key apart.
func faultEvent(err error) message {
	_, kind := exitcode.Of(err)
	m := message{Event: eventError, Kind: kind, Text: err.Error()}
	switch fault := err.(type) {
	case *config.Error:
		m.Key, m.Where, m.Text = fault.Key, fault.Where, fault.Message
	case *tskgraph.RecipeError:
		m.Key, m.Text = fault.Key, fault.Message
	case *data.KeyError:
		m.Key, m.Text = fault.Key, fault.Message
	}
	lines := strings.Split(m.Text, "\n")
	for i, line := range lines {
		lines[i] = escape.Text(line)
	}
	m.Text = strings.Join(lines, "\n")
	return m
}

// eventCount shows the count of a stage as events.
type eventCount struct {
	events    *events
	stage     string
	done, all int
	figures   func(*step) // adds figures; nil: none
}

func (c *eventCount) set(done, all int) {
	c.done, c.all = done, all
	s := step{Stage: c.stage, Done: done, Total: all}
	if c.figures != nil {
		c.figures(&s)
	}
	c.events.step(s)
}
