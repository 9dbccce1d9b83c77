package progress

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
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

// TestFaultEvents: one for each error that is joined, with its key apart; lines of a message stay lines, and hidden characters are escaped.
func TestFaultEvents(t *testing.T) {
	var out bytes.Buffer
	e := New(Lines(io.Discard), func() {})
	e.End(Lines(&out), errors.Join(&config.Error{Where: "c.yaml:1:2", Key: "train.l2", Message: "too\x1b[2J small"},
		fmt.Errorf("%w\ncontinue", context.Canceled),
		fmt.Errorf("%w: %w", model.ErrFile, fs.ErrNotExist)))
	want := `{"event":"error","kind":"config","key":"train.l2","where":"c.yaml:1:2","message":"too\\x1b[2J small"}
{"event":"error","kind":"interrupted","message":"context canceled\ncontinue"}
{"event":"error","kind":"model","message":"model file: file does not exist"}
`
	if out.String() != want {
		t.Errorf("%s\nwant %s", &out, want)
	}
}

// TestLeft: the time to go follows from the time of the stage so far; a race is followed by a training, and what was done before a run
// was resumed took no time.
func TestLeft(t *testing.T) {
	now := time.Now()
	training := estimate{began: now.Add(-10 * time.Second), done: 100}
	for _, c := range []struct {
		e    estimate
		s    Step
		want float64 // negative: unknown
	}{
		{training, Step{Stage: Training, Done: 100, Total: 500}, -1},
		{training, Step{Stage: Training, Done: 200, Total: 500}, 30},
		{training, Step{Stage: Training, Done: 500, Total: 500}, 0},
		{training, Step{Stage: Training, Done: 600, Total: 500}, 0},
		{training, Step{Stage: Reading, Done: 200}, -1},
		{training, Step{Stage: "pages", Done: 200, Total: 500, more: true}, -1},
		{estimate{began: now.Add(-10 * time.Second)}, Step{Stage: Race, Done: 1, Total: 1, workers: 8}, 10 * afterRace},
		{estimate{began: now.Add(-10 * time.Second)}, Step{Stage: Race, Done: 5, Total: 9, workers: 4}, 2*4 + 2*4*afterRace},
	} {
		left := c.e.left(c.s, now)
		if c.want < 0 != (left == nil) || left != nil && *left != c.want {
			t.Errorf("%+v: %v, want %v", c.s, left, c.want)
		}
	}
}

// TestTrainer: the steps of a training count iterations from those that were made before, and smooth the metric; what is not finite is
// left out of the JSON, which has no number for it.
func TestTrainer(t *testing.T) {
	var steps []Step
	var run tskgraph.Run
	NewTrainer(tskgraph.Paper(), 500, 7, func(s Step) { steps = append(steps, s) }).Attach(&run)
	run.OnPage("ramps", 3, 4)
	run.OnRace(2, 3)
	for _, rmse := range []float64{4, 0, math.Inf(1)} {
		if err := run.OnIteration(optim.Metrics{Of: 20, Metric: "RMSE", Batch: rmse, Loss: rmse}); err != nil {
			t.Fatal(err)
		}
	}
	want := []Step{{Stage: "ramps", Done: 3, Total: 4},
		{Stage: Race, Done: 2, Total: 3}, {Stage: Training, Done: 7, Total: 20}, {Stage: Training, Done: 8, Total: 20},
		{Stage: Training, Done: 9, Total: 20}, {Stage: Training, Done: 10, Total: 20}}
	for i, s := range steps {
		if s.Stage != want[i].Stage || s.Done != want[i].Done || s.Total != want[i].Total {
			t.Errorf("step %d: %+v, want %+v", i, s, want[i])
		}
	}
	if *steps[3].Value != 4 || math.Abs(*steps[4].Value-4*math.Sqrt(0.95)) > 1e-12 || *steps[4].Loss != 0 || steps[5].Value != nil ||
		steps[5].Loss != nil || steps[4].Metric != "RMSE" {
		t.Errorf("%+v", steps)
	}
}

// TestNothingAfterEnd: steps and events after the end are ignored.
func TestNothingAfterEnd(t *testing.T) {
	written := 0
	count := func(any) error { written++; return nil }
	e := New(count, func() {})
	e.End(count, nil)
	before := written
	e.Step(Step{Stage: Race, Done: 1, Total: 1})
	e.Emit(Message{Event: "note"})
	if _, err := e.Write([]byte("late\n")); err != nil || written != before {
		t.Errorf("%d events after the end, %v", written-before, err)
	}
}
