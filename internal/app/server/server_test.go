package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// bench is a stand-in: its method train lasts until it is stopped, long has events for half a second, echo returns its
// arguments, flood has many events.
type bench struct {
	mu     sync.Mutex
	tables map[string]string
	called []string      // methods
	begun  chan struct{} // a training has begun
}

func newBench() *bench { return &bench{tables: map[string]string{}, begun: make(chan struct{}, 8)} }

func (b *bench) Call(ctx context.Context, method string, args json.RawMessage, emit func(any)) (any, error) {
	b.mu.Lock()
	b.called = append(b.called, method)
	b.mu.Unlock()
	switch method {
	case "train":
		emit(map[string]any{"event": "progress", "done": 1})
		b.begun <- struct{}{}
		<-ctx.Done()
		return map[string]any{"stopped": true}, nil
	case "long":
		for range 3 {
			emit(map[string]any{"event": "note"})
			select {
			case <-ctx.Done():
			case <-time.After(150 * time.Millisecond):
			}
		}
		return nil, ctx.Err()
	case "echo":
		return args, nil
	case "flood":
		for i := range 100_000 {
			emit(map[string]any{"event": "progress", "done": i})
		}
		emit(map[string]any{"event": "note", "message": "<done>"})
		return 100_000, nil
	}
	return nil, errors.New("no such method")
}

func (b *bench) Upload(name string, content io.Reader) (string, error) {
	if name == "full.csv" {
		return "", errors.New("no space left on device")
	}
	text, err := io.ReadAll(content)
	if err != nil {
		return "", err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tables[name] = string(text)
	return name, nil
}

// methods returns the methods that were called.
func (b *bench) methods() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.called)
}

// saved returns the names of the tables that were saved.
func (b *bench) saved() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name := range b.tables {
		names = append(names, name)
	}
	return names
}

var files = map[string][]byte{
	"index.html": []byte("<!DOCTYPE html><title>page</title>"), "frame.html": []byte("<!DOCTYPE html><title>frame</title>"),
	"app.js": []byte("'use strict';"), "secret.key": []byte("not of the page"),
}

// started is a server that runs until the test ends, or until end is called.
func started(t *testing.T, b Bench, change func(*Server)) (s *Server, end func()) {
	t.Helper()
	s, err := New(Options{Page: files, Bench: b})
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	end = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-served:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(30 * time.Second):
			t.Error("it does not end")
		}
	})
	t.Cleanup(end)
	return s, end
}

// request is one of the page's, which a test changes.
func request(t *testing.T, s *Server, method, path, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method != http.MethodGet && method != http.MethodHead {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", strings.TrimSuffix(s.URL(), "/"+s.guard.token+"/"))
		r.Header.Set(callHeader, "id-"+path)
	}
	return r
}

// client follows no redirection.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// answered sends a request, and returns the answer and its text.
func answered(t *testing.T, r *http.Request) (*http.Response, string) {
	t.Helper()
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// TestPage checks the files of the page and the headers of the answers.
func TestPage(t *testing.T) {
	s, _ := started(t, newBench(), nil)
	for _, c := range []struct {
		path, kind, text string
		status           int
	}{
		{"", "text/html; charset=utf-8", "<title>page", 200},
		{"index.html", "text/html; charset=utf-8", "<title>page", 200},
		{"frame.html", "text/html; charset=utf-8", "<title>frame", 200},
		{"app.js", "text/javascript; charset=utf-8", "'use strict'", 200},
		{"none.js", "", "not found", 404},
		{"secret.key", "", "not found", 404},
		{"below/app.js", "", "not found", 404},
		{"below%2Fapp.js", "", "not found", 404},
		{"..%2Fapp.js", "", "", 307},
		{"tables/t.csv", "", "Not Allowed", 405},
		{"call/echo", "", "Not Allowed", 405},
	} {
		answer, text := answered(t, request(t, s, "GET", c.path, ""))
		if answer.StatusCode != c.status || c.kind != "" && answer.Header.Get("Content-Type") != c.kind || !strings.Contains(text, c.text) {
			t.Errorf("%s: %s, %q: %s", c.path, answer.Status, answer.Header.Get("Content-Type"), text)
		}
		policy := pagePolicy
		if c.path == "frame.html" {
			policy = framePolicy
		}
		for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"} {
			if got := answer.Header.Get(name); got != want {
				t.Errorf("%s: %s: %q, want %q", c.path, name, got, want)
			}
		}
	}
}

// running returns the number of calls that run.
func (s *Server) running() int {
	s.caller.calls.mu.Lock()
	defer s.caller.calls.mu.Unlock()
	return len(s.caller.calls.stops)
}

// lines decodes an answer of lines.
func lines(t *testing.T, text string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, m)
	}
	return all
}

// TestCalls checks the lines of an answer: events, a result or an error.
func TestCalls(t *testing.T) {
	s, _ := started(t, newBench(), nil)
	if _, text := answered(t, request(t, s, "POST", "call/echo", `{"a": 1}`)); text != `{"result":{"a":1}}`+"\n" {
		t.Errorf("echo: %s", text)
	}
	if _, text := answered(t, request(t, s, "POST", "call/nonsense",
		`{}`)); text != `{"error":{"event":"error","kind":"failed","message":"no such method"}}`+"\n" {
		t.Errorf("nonsense: %s", text)
	}
	all := lines(t, func() string { _, text := answered(t, request(t, s, "POST", "call/flood", `{}`)); return text }())
	n := len(all)
	if n < 3 || n > 100_000 || all[n-1]["result"] != 1e5 || all[n-2]["message"] != "<done>" || all[n-3]["done"] != 99_999.0 {
		t.Errorf("%d lines, at last %v", n, all[max(0, n-3):])
	}
}

// begin begins a training, and returns the rest of its answer.
func begin(t *testing.T, s *Server, ctx context.Context) *bufio.Scanner {
	t.Helper()
	answer, err := client.Do(request(t, s, "POST", "call/train", `{}`).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	scanner := bufio.NewScanner(answer.Body) // of a training that is refused it has an error
	if !scanner.Scan() || scanner.Text() != `{"done":1,"event":"progress"}` {
		t.Fatalf("the first event is %s", scanner.Text())
	}
	return scanner
}

// stopped holds that a training ends with a result.
func stopped(t *testing.T, scanner *bufio.Scanner) {
	t.Helper()
	if !scanner.Scan() || scanner.Text() != `{"result":{"stopped":true}}` {
		t.Errorf("it ends with %s, %v", scanner.Text(), scanner.Err())
	}
}

// TestTraining checks that a training can be stopped while other calls run, that a second one is refused, and that the end of the
// connection or of the server ends it.
func TestTraining(t *testing.T) {
	b := newBench()
	s, end := started(t, b, nil)
	training := begin(t, s, t.Context())
	if _, text := answered(t, request(t, s, "POST", "call/echo", `1`)); text != "{\"result\":1}\n" {
		t.Errorf("beside a training: %s", text)
	}
	second := request(t, s, "POST", "call/train", `{}`)
	second.Header.Set(callHeader, "second")
	if _, text := answered(t, second); !strings.Contains(text, errBusy.Error()) {
		t.Errorf("a second training: %s", text)
	}
	if _, text := answered(t, request(t, s, "POST", "call/train", `{}`)); !strings.Contains(text,
		`a call with the id \"id-call/train\" is running`) {
		t.Errorf("the same id: %s", text)
	}
	for id, want := range map[string]string{"nobody": "false", "id-call/train": "true"} {
		if _, text := answered(t, request(t, s, "POST", "stop", `{"id": "`+id+`"}`)); text != `{"result":`+want+"}\n" {
			t.Errorf("stop %s: %s", id, text)
		}
	}
	stopped(t, training)
	ctx, leave := context.WithCancel(t.Context())
	begin(t, s, ctx)
	leave()
	for late := time.Now().Add(10 * time.Second); s.running() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("it trains for nobody")
		}
	}
	last := begin(t, s, t.Context())
	<-b.begun
	end()
	stopped(t, last)
	if _, err := net.DialTimeout("tcp4", s.listener.Addr().String(), time.Second); err == nil {
		t.Error("it still listens")
	}
}

// TestTrainAgain: who has read the result of a training may begin another at once, while the server still tells of the first.
func TestTrainAgain(t *testing.T) {
	told := make(chan struct{})
	b := newBench()
	s, _ := started(t, b, func(s *Server) { s.caller.called = func(Called) { <-told } })
	first := begin(t, s, t.Context())
	s.caller.calls.stop("id-call/train")
	stopped(t, first)
	begin(t, s, t.Context())
	close(told)
}

// TestWholeAnswer: the end of the server cuts no answer off, however slowly its last bytes are sent.
func TestWholeAnswer(t *testing.T) {
	b := newBench()
	s, end := started(t, b, func(s *Server) { s.listener = slowEnds{s.listener} })
	training := begin(t, s, t.Context())
	end()
	stopped(t, training)
}

// slowEnds is a listener whose connections send the end of an answer in chunks late.
type slowEnds struct{ net.Listener }

func (l slowEnds) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return slowEnd{c}, err
}

type slowEnd struct{ net.Conn }

func (c slowEnd) Write(p []byte) (int, error) {
	if bytes.HasSuffix(p, []byte("0\r\n\r\n")) {
		time.Sleep(50 * time.Millisecond)
	}
	return c.Conn.Write(p)
}

// TestStalled checks that a client that does not read holds up neither a call nor the end of the server, and one that does not send no end.
func TestStalled(t *testing.T) {
	var calls atomic.Int32
	b := newBench()
	s, end := started(t, b, func(s *Server) {
		s.caller.limits.answer = 200 * time.Millisecond
		s.caller.called = func(Called) { calls.Add(1) }
	})
	c, err := net.Dial("tcp4", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	large := `"` + strings.Repeat("x", 15<<20) + `"` // more than the buffers of a connection hold
	r := request(t, s, "POST", "call/echo", large)
	if err := r.Write(c); err != nil {
		t.Fatal(err)
	}
	for late := time.Now().Add(20 * time.Second); calls.Load() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("it waits for a client that does not read")
		}
	}
	hold := request(t, s, "PUT", "tables/t.csv", "")
	in, out := io.Pipe()
	defer out.Close()
	hold.Body, hold.ContentLength = in, 10
	answers := make(chan string, 1)
	go func() {
		_, text := answered(t, hold)
		answers <- text
	}()
	for s.running() == 0 {
		time.Sleep(time.Millisecond)
	}
	end()
	if text := <-answers; text != `{"error":{"event":"error","kind":"interrupted","message":"context canceled"}}`+"\n" || len(b.saved()) > 0 {
		t.Errorf("a table that is being sent: %s; saved %q", text, b.saved())
	}
}
