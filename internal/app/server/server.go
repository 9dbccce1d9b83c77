// Package server serves the page of the workbench, and what it calls, to one browser on this machine.
//
// It listens on 127.0.0.1 and answers requests below http://127.0.0.1:PORT/TOKEN/ alone, where TOKEN is a random word of
// 128 bits:
//
//	GET  FILE          a file of the page; the page itself is the empty name
//	POST call/METHOD   calls a method with the JSON of the body; the answer has a line of JSON per event, at last {"result": ...}
//	                   or {"error": ...}
//	POST stop          ends the call whose X-Tskgraph header was {"id": ...}: its answer ends with the result so far
//	PUT  tables/NAME   saves a table; the answer is {"result": the name it got}
//
// Requests of other sites are refused, whatever they know: see guard.
package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Bench is what the page calls. Its methods are called concurrently.
type Bench interface {
	// Call runs a method. Its result and its events encode as JSON; emit is called by one goroutine at a time. The end of
	// the context stops a training, which returns what it has learned so far.
	Call(ctx context.Context, method string, args json.RawMessage, emit func(event any)) (any, error)
	// Upload saves a table, and returns the name that methods know it by.
	Upload(name string, content io.Reader) (string, error)
}

// Server is a workbench that listens.
type Server struct {
	listener net.Listener
	guard    guard
	page     page
	caller   caller
}

// Options are what a server serves.
type Options struct {
	Page   map[string][]byte // the files of the page by name; index.html is the page
	Bench  Bench             // what it calls
	Called func(Called)      // is called, if not nil, after each call, by several goroutines
}

// Called is a call that has returned.
type Called struct {
	Method string // upload for that of a table
	Took   time.Duration
	Result any
	Err    error
}

// New listens on a free port of 127.0.0.1.
func New(o Options) (*Server, error) {
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // never fails
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the workbench needs a port of 127.0.0.1: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &Server{
		listener: listener,
		guard:    guard{token: hex.EncodeToString(secret), hosts: []string{"127.0.0.1:" + port, "localhost:" + port}},
		page:     page{files: o.Page},
		caller:   caller{bench: o.Bench, called: o.Called, limits: defaultLimits},
	}, nil
}

// URL returns the address of the page, which is secret: whoever has it may use the workbench.
func (s *Server) URL() string { return "http://" + s.guard.hosts[0] + "/" + s.guard.token + "/" }

// Serve answers requests until the context ends. Then it stops all calls, waits until they have returned and their answers are sent, and
// returns nil.
func (s *Server) Serve(ctx context.Context) error {
	limits := s.caller.limits
	h := &http.Server{
		Handler:           s.guard.before(s.route()),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: limits.header,
		ReadTimeout:       limits.header + limits.body,
		WriteTimeout:      limits.answer,
		IdleTimeout:       limits.idle,
		MaxHeaderBytes:    maxHeader,
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		err := s.listener.Close()
		s.caller.calls.close()
		sent, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendWithin)
		defer cancel()
		_ = h.Shutdown(sent) // until the last bytes of the answers are sent; the listener is closed
		if again := h.Close(); !errors.Is(again, net.ErrClosed) {
			err = errors.Join(err, again)
		}
		stopped <- err
	})
	defer s.page.open.remove()
	err := h.Serve(s.listener)
	if stop() { // it ended by itself
		return errors.Join(err, h.Close())
	}
	return <-stopped
}

// route leads requests that the guard passes on.
func (s *Server) route() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { s.page.file(w, r, indexFile) })
	mux.HandleFunc("GET /{name}", func(w http.ResponseWriter, r *http.Request) { s.page.file(w, r, r.PathValue("name")) })
	mux.HandleFunc("POST /call/{method}", s.caller.call)
	mux.HandleFunc("POST /stop", s.caller.stop)
	mux.HandleFunc("PUT /tables/{name}", s.caller.upload)
	return mux
}

// limits bound what a client may keep open, and for how long.
type limits struct {
	header time.Duration // to send the header of a request
	body   time.Duration // to send the body of a call, or the next bytes of a table
	answer time.Duration // to receive a file of the page, or the last line of an answer
	idle   time.Duration // between two requests
	args   int64         // bytes of the body of a call
}

var defaultLimits = limits{header: 5 * time.Second, body: 20 * time.Second, answer: 30 * time.Second, idle: 2 * time.Minute, args: 16 << 20}

// sendWithin is how long the end of the server waits for clients that read their last answers.
const sendWithin = 2 * time.Second

// maxHeader is the largest number of bytes of a request's header.
const maxHeader = 16 << 10

// openWithin is how long the command that opens a browser is waited for: one that runs longer is the browser.
const openWithin = 3 * time.Second

// Open opens the page in the browser of this desktop. Other users can see the command lines of programs, so the browser is not
// given the address but a file in an existing directory, which only its owner can read and which leads there; it is removed when the page
// is loaded, or by the end of Serve.
func (s *Server) Open(ctx context.Context, dir string) error {
	path, err := s.page.open.write(dir, s.URL())
	if err != nil {
		return err
	}
	words, err := opener(runtime.GOOS, os.Getenv, exec.LookPath)
	if err == nil {
		err = run(ctx, append(words, path))
	}
	if err != nil {
		s.page.open.remove()
	}
	return err
}

// opener returns the words of the command that opens a file in the browser of a system.
func opener(system string, env func(string) string, find func(string) (string, error)) ([]string, error) {
	switch system {
	case "darwin":
		return []string{"open"}, nil
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}, nil
	}
	if env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "" && env("BROWSER") == "" {
		return nil, errors.New("there is no display")
	}
	for _, name := range []string{"xdg-open", "wslview"} {
		if _, err := find(name); err == nil {
			return []string{name}, nil
		}
	}
	return nil, errors.New("xdg-open is not installed")
}

// run starts a command, and waits for it to fail for the time openWithin.
func run(ctx context.Context, words []string) error {
	cmd := exec.Command(words[0], words[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w", words[0], err)
		}
	case <-time.After(openWithin):
	case <-ctx.Done():
	}
	return nil
}

// redirection is the file that leads the browser to the page.
type redirection struct {
	mu   sync.Mutex
	path string // empty: there is none
}

// write writes the file to a directory.
func (r *redirection) write(dir, url string) (path string, err error) {
	f, err := os.CreateTemp(dir, "open-workbench-*.html") // of mode 0600
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path, err = filepath.Abs(f.Name()); err != nil {
		r.path = f.Name()
	}
	to := html.EscapeString(url)
	_, err = io.WriteString(f, `<!DOCTYPE html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>tskgraph workbench</title>
<meta http-equiv="refresh" content="0; url=`+to+`">
<p><a href="`+to+`">Open the workbench</a></p>
`)
	return r.path, errors.Join(err, f.Close())
}

// remove removes the file, if there is one.
func (r *redirection) remove() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path != "" {
		_ = os.Remove(r.path) // the user may have removed it, and its token ends with this process
		r.path = ""
	}
}
