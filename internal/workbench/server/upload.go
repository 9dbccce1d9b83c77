package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// upload saves a table, of any size, as long as its bytes keep coming.
func (c *caller) upload(w http.ResponseWriter, r *http.Request) {
	connection := http.NewResponseController(w)
	ctx, cancel := context.WithCancel(r.Context())
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
}

func (a *arriving) Read(into []byte) (int, error) {
	if err := a.connection.SetReadDeadline(time.Now().Add(a.wait)); err != nil {
		return 0, err
	}
	if err := a.ctx.Err(); err != nil { // the deadline is that of stop again
		return 0, errors.Join(err, a.connection.SetReadDeadline(time.Now()))
	}
	n, err := a.body.Read(into)
	if stopped := a.ctx.Err(); err != nil && !errors.Is(err, io.EOF) && stopped != nil {
		err = stopped
	}
	return n, err
}
