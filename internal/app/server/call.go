package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
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
	end, err := c.calls.begin(r.Header.Get(callHeader), r.PathValue("method"), stop)
	if err != nil {
		a.end(nil, err)
		return
	}
	defer end()
	method, began := r.PathValue("method"), time.Now()
	result, err := c.bench.Call(ctx, method, args, a.emit)
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
