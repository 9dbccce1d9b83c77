package workbench

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/progress"
	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/internal/training"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/report"
)

// trained is the result of train.
type trained struct {
	Run     string          `json:"run"`
	Summary *report.Summary `json:"summary"`
	Notes   []string        `json:"notes"`
	Stopped bool            `json:"stopped"` // ended by the context, with the best model so far
}

// train trains a model and sends events meanwhile: those of package progress, and rules of the race's leading setting.
func answerTrain(c call) (any, error) {
	start := time.Now()
	var s settings
	if err := c.decode(&s); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	events := progress.New(func(event any) error { c.emit(event); return nil }, cancel)
	defer events.End(nil, nil)
	m, err := configure(c.Bench, ctx, s)
	if err != nil {
		return nil, err
	}
	notes := &noted{to: events}
	t := trainer{call: c, events: events, task: training.Task{Config: m.Config, Notes: notes, Start: start}}
	t.task.Attach, t.task.Ended = t.attach, func() {}
	summary, err := t.run(ctx)
	if t.task.Dir != nil {
		defer t.task.Dir.Close()
	}
	stopped := errors.Is(err, context.Canceled)
	if summary == nil || err != nil && !stopped {
		return nil, err
	}
	training.Warn(notes, summary)
	return trained{Run: filepath.Base(t.task.Dir.Path()), Summary: summary, Notes: notes.lines(), Stopped: stopped}, nil
}

// trainer is a training under way.
type trainer struct {
	call
	events *progress.Events
	task   training.Task
}

// run trains, the race in other processes if there are any.
func (t *trainer) run(ctx context.Context) (*report.Summary, error) {
	if t.options.Remote != nil && len(t.task.Config.Recipe.Train.Race) > 0 {
		remote, done, err := t.options.Remote(ctx, t.task.Config)
		if err != nil {
			return nil, err
		}
		defer done()
		attach := t.task.Attach
		t.task.Attach = func(job *runs.Job, made int) {
			attach(job, made)
			job.Training.Remote = remote
		}
	}
	return t.task.Run(ctx)
}

// attach makes a job report to the page.
func (t *trainer) attach(job *runs.Job, made int) {
	r := t.task.Config.Recipe
	progress.NewTrainer(r, r.Train.Iterations*max(1, r.Train.Members), made, t.events.Step).Attach(&job.Training)
	if pause := t.options.Pause; pause != nil {
		iterated := job.Training.OnIteration
		job.Training.OnIteration = func(m optim.Metrics) error {
			pause()
			return iterated(m)
		}
	}
	job.Training.OnLeader = func(l tskgraph.RaceLeader) { t.events.Emit(provisional(l)) }
}

// noted keeps the notes that pass through it.
type noted struct {
	to *progress.Events

	mu  sync.Mutex
	all bytes.Buffer
}

func (n *noted) Write(text []byte) (int, error) {
	n.mu.Lock()
	n.all.Write(text)
	n.mu.Unlock()
	return n.to.Write(text)
}

// lines returns the notes so far.
func (n *noted) lines() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	notes := []string{}
	for line := range strings.Lines(n.all.String()) {
		notes = append(notes, progress.Note(line).Text)
	}
	return notes
}
