package progress

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/config"
)

// stepsOf returns the events of progress in a text.
func stepsOf(t *testing.T, text string) (steps []Step) {
	t.Helper()
	for line := range strings.Lines(text) {
		var s Step
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if s.Event == "progress" {
			steps = append(steps, s)
		}
	}
	return steps
}

// TestEventsAreFew: of many steps the first and the last of a stage are written, and few between.
func TestEventsAreFew(t *testing.T) {
	var out bytes.Buffer
	e := New(Lines(&out), func() { t.Error("cancelled") })
	for i := range 100 {
		e.Step(Step{Stage: "race", Done: i, Total: 200}) // ends early
	}
	const n = 100_000
	for i := range n + 1 {
		e.Step(Step{Stage: "training", Done: i, Total: n})
	}
	e.End(Lines(&out), nil)
	steps := stepsOf(t, out.String())
	for i, want := range []Step{{Stage: "reading"}, {Stage: "race"}, {Stage: "race", Done: 99}, {Stage: "training"}} {
		if got := steps[i]; got.Stage != want.Stage || got.Done != want.Done {
			t.Errorf("event %d: %+v, want %+v", i, got, want)
		}
	}
	if last := steps[len(steps)-1]; last.Done != n || len(steps) > n/100 {
		t.Errorf("%d events, the last %+v", len(steps), last)
	}
}

// TestEventsBeat: while nothing happens the last step is repeated, until the end.
func TestEventsBeat(t *testing.T) {
	r, w := io.Pipe()
	e := newEventsAfter(t, r, w)
	lines := bufio.NewScanner(r)
	for range 2 {
		if !lines.Scan() || !strings.Contains(lines.Text(), `"stage":"race","done":3`) {
			t.Fatalf("%q", lines.Text())
		}
	}
	go e.End(Lines(io.Discard), nil)
	go io.Copy(io.Discard, r)
	<-e.stop
}

// newEventsAfter returns events whose last step is of a race; its line is not yet read.
func newEventsAfter(t *testing.T, r io.Reader, w io.Writer) *Events {
	t.Helper()
	made := make(chan *Events)
	go func() {
		e := New(Lines(w), func() {})
		made <- e
		e.Step(Step{Stage: "race", Done: 3, Total: 9})
	}()
	if _, err := r.Read(make([]byte, 1<<10)); err != nil { // the stage reading
		t.Fatal(err)
	}
	return <-made
}

// TestFaultEvents: one for each error, with its key apart; lines of a message stay lines, and hidden characters are escaped.
func TestFaultEvents(t *testing.T) {
	var out bytes.Buffer
	e := New(Lines(io.Discard), func() {})
	e.End(Lines(&out), errors.Join(&config.Error{Where: "c.yaml:1:2", Key: "train.l2", Message: "too\x1b[2J small"}, fmt.Errorf("%w\ncontinue", context.Canceled)))
	want := `{"event":"error","kind":"config","key":"train.l2","where":"c.yaml:1:2","message":"too\\x1b[2J small"}
{"event":"error","kind":"interrupted","message":"context canceled\ncontinue"}
`
	if out.String() != want {
		t.Errorf("%s\nwant %s", &out, want)
	}
}
