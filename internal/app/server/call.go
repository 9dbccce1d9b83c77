package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"sync"
	"time"
)

// callHeader names the call that a request makes, with an id that the page chooses. No other site can send it.
const callHeader = "X-Tskgraph"

// caller answers the requests that call the bench.
type caller struct {
	bench  Bench
	called func(Called) // nil: nobody asks
	calls  calls
	limits limits
}

// call runs a method and answers with its events and its result.
func (c *caller) call(w http.ResponseWriter, r *http.Request) {
	args, ok := c.args(w, r)
	if !ok {
		return
	}
	ctx, stop := context.WithCancel(r.Context()) // which ends with the connection
	defer stop()
	a := newAnswer(w, c.limits.answer, stop)
	free, err := c.calls.begin(r.Header.Get(callHeader), r.PathValue("method"), stop)
	if err != nil {
		a.end(nil, err)
		return
	}
	defer c.calls.done.Done()
	defer free()
	method, began := r.PathValue("method"), time.Now()
	result, err := c.bench.Call(ctx, method, args, a.emit)
	free() // before the answer: its reader may train again at once
	a.end(result, err)
	c.tell(Called{method, time.Since(began), result, err})
}

// tell says that a call has returned.
func (c *caller) tell(call Called) {
	if c.called != nil {
		c.called(call)
	}
}

// stop ends a call; the answer says whether it was running.
func (c *caller) stop(w http.ResponseWriter, r *http.Request) {
	args, ok := c.args(w, r)
	if !ok {
		return
	}
	a := newAnswer(w, c.limits.answer, func() {})
	var call struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(args, &call); err != nil {
		a.end(nil, err)
		return
	}
	a.end(c.calls.stop(call.ID), nil)
}

// args reads the body of a call. If it is no JSON, not sent in time or too large, args answers and returns false.
func (c *caller) args(w http.ResponseWriter, r *http.Request) (json.RawMessage, bool) {
	if !isJSON(r) {
		refuse(w, http.StatusUnsupportedMediaType, "the body of a call is application/json")
		return nil, false
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, c.limits.args))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, "the body of the call is too large")
	case err != nil:
		refuse(w, http.StatusRequestTimeout, "the body of the call is incomplete")
	case !json.Valid(text):
		refuse(w, http.StatusBadRequest, "the body of the call is not JSON")
	default:
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // a training may last for hours: only the end of the connection ends it
		return text, true
	}
	return nil, false
}

// isJSON reports whether the body of a request says that it is JSON, as no form can.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

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

// begin adds a call. Its caller calls free when another may begin, and Done of the group once it has answered.
func (c *calls) begin(id, method string, stop context.CancelFunc) (free func(), err error) {
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
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.stops, id)
		if method == trainMethod {
			c.training = false
		}
	}), nil
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

// upload saves a table, of any size, as long as its bytes keep coming.
func (c *caller) upload(w http.ResponseWriter, r *http.Request) {
	connection := http.NewResponseController(w)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // which a failed read ends, too
	stop := func() {
		cancel()
		_ = connection.SetReadDeadline(time.Now())
	}
	defer cancel()
	a := newAnswer(w, c.limits.answer, stop)
	free, err := c.calls.begin(r.Header.Get(callHeader), "", stop)
	if err != nil {
		a.end(nil, err)
		return
	}
	defer c.calls.done.Done()
	defer free()
	began, body := time.Now(), &arriving{ctx: ctx, body: r.Body, connection: connection, wait: c.limits.body}
	name, err := c.bench.Upload(r.PathValue("name"), body)
	if err != nil {
		_, _ = io.Copy(io.Discard, body) // a browser reads no answer before it has sent everything
	}
	free()
	a.end(name, err)
	c.tell(Called{"upload", time.Since(began), name, err})
}

// arriving is a body whose bytes must keep coming.
type arriving struct {
	ctx        context.Context
	body       io.Reader
	connection *http.ResponseController
	wait       time.Duration // for the next bytes
	end        error         // of the body, which is not read after it
}

func (a *arriving) Read(into []byte) (n int, err error) {
	if a.end == nil {
		n, a.end = a.read(into)
	}
	return n, a.end
}

func (a *arriving) read(into []byte) (int, error) {
	if err := a.connection.SetReadDeadline(time.Now().Add(a.wait)); err != nil {
		return 0, err
	}
	if err := a.ctx.Err(); err != nil { // the deadline is that of stop again
		return 0, errors.Join(err, a.connection.SetReadDeadline(time.Now()))
	}
	n, err := a.body.Read(into)
	switch stopped := a.ctx.Err(); {
	case err == nil || errors.Is(err, io.EOF):
	case stopped != nil:
		err = stopped
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("the upload stalled: no bytes for %v", a.wait)
	}
	return n, err
}
