package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/progress"
)

// answer is the answer to a call: a line of JSON per event, at last the result or the error. Lines wait for a client
// that reads slowly, and the call does not; of the events of progress only the newest waits.
type answer struct {
	w          http.ResponseWriter
	connection *http.ResponseController
	last       time.Duration // to receive the last line
	gone       func()        // is called when the client has gone
	sent       chan struct{}

	mu    sync.Mutex
	more  *sync.Cond
	lines []line
	ended bool
}

// line is a line that waits.
type line struct {
	text     []byte
	progress bool
}

func newAnswer(w http.ResponseWriter, last time.Duration, gone func()) *answer {
	w.Header().Set("Content-Type", "application/x-ndjson")
	a := &answer{w: w, connection: http.NewResponseController(w), last: last, gone: gone, sent: make(chan struct{})}
	a.more = sync.NewCond(&a.mu)
	go a.send()
	return a
}

// emit adds an event.
func (a *answer) emit(event any) {
	text, err := json.Marshal(event)
	if err != nil {
		text, _ = json.Marshal(map[string]any{"event": "note", "message": err.Error()}) // both are strings
	}
	a.add(line{text: text, progress: bytes.Contains(text, []byte(`"event":"progress"`))})
}

// end adds the result, or the error, and waits until everything is sent or the client has gone.
func (a *answer) end(result any, err error) {
	var text []byte
	if err == nil {
		text, err = json.Marshal(map[string]any{"result": result})
	}
	if err != nil {
		text, _ = json.Marshal(map[string]progress.Message{"error": progress.Fault(err)}) // of strings
	}
	a.add(line{text: text})
	_ = a.connection.SetWriteDeadline(time.Now().Add(a.last))
	a.mu.Lock()
	a.ended = true
	a.more.Signal()
	a.mu.Unlock()
	<-a.sent
}

// add appends a line; an event of progress replaces one that still waits.
func (a *answer) add(l line) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if last := len(a.lines) - 1; l.progress && last >= 0 && a.lines[last].progress {
		a.lines[last] = l
	} else {
		a.lines = append(a.lines, l)
	}
	a.more.Signal()
}

// send writes the lines as they come.
func (a *answer) send() {
	defer close(a.sent)
	for {
		a.mu.Lock()
		for len(a.lines) == 0 && !a.ended {
			a.more.Wait()
		}
		lines, ended := a.lines, a.ended
		a.lines = nil
		a.mu.Unlock()
		for _, l := range lines {
			if _, err := a.w.Write(append(l.text, '\n')); err != nil {
				a.gone()
				return
			}
		}
		if err := a.connection.Flush(); err != nil {
			a.gone()
			return
		}
		if ended {
			return
		}
	}
}
