// Package progress makes events of what a command does, for programs that run it: its progress, notes and faults.
//
// [Events] is what `tskgraph train --progress json` writes to standard error, a line of JSON per event, and what the page of
// `tskgraph workbench` receives. [Training] makes the steps of a training.
package progress

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Times between two events of progress: at least every if they are of one stage, and at most beat.
const (
	every = 100 * time.Millisecond
	beat  = time.Second
)

// Stages of a training.
const (
	Reading  = "reading"
	Race     = "race"
	Training = "training"
)

// Step is an event of progress.
type Step struct {
	Event   string   `json:"event"`
	Stage   string   `json:"stage"`            // Reading, Race, Training, or one of the search of a page
	Done    int      `json:"done"`             // trainings of the race, iterations, or parts of the search
	Total   int      `json:"total"`            // 0: unknown
	Loss    *float64 `json:"loss,omitempty"`   // of the last batch
	Metric  string   `json:"metric,omitempty"` // RMSE, or the metric of the loss
	Value   *float64 `json:"value,omitempty"`  // of the metric, smoothed over about 20 batches
	Seconds float64  `json:"seconds"`          // since the command began

	// Watched is the metric on the data sets that are watched, by name; nil in a step that does not measure them.
	Watched map[string]float64 `json:"watched,omitempty"`

	Left *float64 `json:"left,omitempty"` // estimated seconds to go; nil: unknown

	workers int  // trainings of the race at a time
	more    bool // other stages follow, of unknown length
}

// Events receives steps and notes, and writes them as events. Text that is written to it becomes notes, a note per line. The last step is
// repeated at least every second, so that a command whose reader has gone does not run on: a write that fails cancels it. Its methods are
// safe for concurrent use, and events are written one at a time.
type Events struct {
	start  time.Time
	cancel context.CancelFunc
	stop   chan struct{}

	mu       sync.Mutex // guards what follows
	write    func(event any) error
	last     Step
	estimate estimate
	at       time.Time // of the last event of progress
	said     bool      // the last step was written
	ended    bool
}

// New returns events that write receives, the first of the stage Reading. The function cancel ends the command.
func New(write func(event any) error, cancel context.CancelFunc) *Events {
	e := &Events{start: time.Now(), cancel: cancel, stop: make(chan struct{}), write: write}
	e.Step(Step{Stage: Reading})
	go e.beat()
	return e
}

// Lines returns a function that writes events to w, a line of JSON each.
func Lines(w io.Writer) func(event any) error {
	return func(event any) error {
		text, err := json.Marshal(event)
		if err == nil {
			_, err = w.Write(append(escape.JSON(text), '\n'))
		}
		return err
	}
}

// beat repeats the last step while nothing else is written.
func (e *Events) beat() {
	for tick := time.NewTicker(beat / 2); ; {
		select {
		case <-e.stop:
			tick.Stop()
			return
		case <-tick.C:
		}
		e.mu.Lock()
		if !e.ended && time.Since(e.at) >= beat/2 {
			e.say()
		}
		e.mu.Unlock()
	}
}

// Step records a step, and writes it if it begins or ends a stage, has watched figures, or the last one is old enough.
func (e *Events) Step(s Step) {
	e.mu.Lock()
	defer e.mu.Unlock()
	begins := s.Stage != e.last.Stage
	if begins {
		e.flush()
		e.estimate = begin(s)
	}
	if e.last, e.said = s, e.ended; e.ended {
		return
	}
	if begins || s.Done == s.Total || s.Watched != nil || time.Since(e.at) >= every {
		e.say()
	}
}

// say writes the last step.
func (e *Events) say() {
	e.at, e.said = time.Now(), true
	e.last.Event, e.last.Seconds = "progress", float64(e.at.Sub(e.start).Milliseconds())/1000
	e.last.Left = e.estimate.left(e.last, e.at)
	e.emit(e.last)
	e.last.Watched = nil // a step that is repeated has not measured them again
}

// flush writes the last step if it is not written.
func (e *Events) flush() {
	if !e.said && e.last.Stage != "" {
		e.say()
	}
}

// emit writes an event.
func (e *Events) emit(event any) {
	if e.write(event) != nil {
		e.cancel()
	}
}

// Emit writes an event of another kind, a value that encodes to JSON, after the last step.
func (e *Events) Emit(event any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ended {
		e.flush()
		e.emit(event)
	}
}

// Write makes a note of each line.
func (e *Events) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		e.Emit(Note(line))
	}
	return len(text), nil
}

// End writes the last step, then by write the faults that err consists of, if any. Later steps and events are ignored.
func (e *Events) End(write func(event any) error, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	close(e.stop)
	e.ended, e.write = true, write
	for _, fault := range recipe.Parts(err) {
		e.emit(Fault(fault))
	}
}

// Message is an event that is a note or a fault.
type Message struct {
	Event string `json:"event"`           // note or error
	Kind  string `json:"kind,omitempty"`  // of an error, see message.ExitCode
	Key   string `json:"key,omitempty"`   // of the configuration
	Where string `json:"where,omitempty"` // file:line:column, the environment variable, or --set
	Text  string `json:"message"`
}

// Note returns the event of a line that was written as a note.
func Note(line string) Message {
	return Message{Event: "note", Text: escape.Text(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "note: "))}
}

// Fault describes an error; a fault of the configuration has its key apart.
func Fault(err error) Message {
	_, kind := message.ExitCode(err)
	m := Message{Event: "error", Kind: kind, Text: err.Error()}
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
