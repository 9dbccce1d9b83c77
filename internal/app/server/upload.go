package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

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
	end, err := c.calls.begin(r.Header.Get(callHeader), "", stop)
	if err != nil {
		a.end(nil, err)
		return
	}
	defer end()
	began, body := time.Now(), &arriving{ctx: ctx, body: r.Body, connection: connection, wait: c.limits.body}
	name, err := c.bench.Upload(r.PathValue("name"), body)
	if err != nil {
		_, _ = io.Copy(io.Discard, body) // a browser reads no answer before it has sent everything
	}
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
