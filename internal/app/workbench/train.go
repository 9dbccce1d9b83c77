package workbench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/optim"
)

// trained is the result of train.
type trained struct {
	Run     string          `json:"run"`
	Summary *report.Summary `json:"summary"`
	Notes   []string        `json:"notes"`
	Stopped bool            `json:"stopped"` // ended by the context, with the best model so far
}

// answerTrain trains a model and sends events meanwhile: those of package progress, and the rules of the race's leading setting or of the
// best page so far.
func answerTrain(c call) (any, error) {
	start := time.Now()
	var s settings
	if err := c.decode(&s); err != nil {
		return nil, err
	}
	if err := complete(c.Bench, &s); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	events := progress.New(func(event any) error { c.emit(event); return nil }, cancel)
	defer events.End(nil, nil)
	notes := &noted{to: events}
	t := &trainer{call: c, events: events, task: runs.Task{Notes: notes, Start: start}}
	if err := t.configure(ctx, s); err != nil {
		return nil, err
	}
	summary, err := t.run(ctx)
	if t.task.Dir != nil {
		defer t.task.Dir.Close()
	}
	if stopped := errors.Is(err, context.Canceled); summary != nil && (err == nil || stopped) {
		message.Warn(notes, summary)
		return trained{Run: filepath.Base(t.task.Dir.Path()), Summary: summary, Notes: notes.lines(), Stopped: stopped}, nil
	}
	if s.From != nil && summary == nil && !t.task.Dir.Resumable() {
		err = errors.Join(err, t.task.Dir.Discard())
	}
	return nil, err
}

// trainer is a training under way.
type trainer struct {
	call
	events *progress.Events
	task   runs.Task
}

// configure makes the configuration of the training.
func (t *trainer) configure(ctx context.Context, s settings) (err error) {
	if s.Page != nil {
		t.task.Config, err = s.Page.config(t.Bench, s)
		return err
	}
	p, err := prepare(ctx, t.Bench, s)
	if err != nil {
		return err
	}
	if s.From != nil {
		return s.From.begin(p, &t.task)
	}
	t.task.Config, err = p.load()
	return err
}

// run trains, the race or parts of the search of a page in other processes if there are any.
func (t *trainer) run(ctx context.Context) (*report.Summary, error) {
	done := func() {}
	t.task.Ended = func() {}
	t.task.Attach = func(job *runs.Job, made int) {
		if r, _ := job.Training.Recipe.For(job.Parts.Train); t.options.Remote != nil && (len(r.Train.Race) > 0 || r.Model.OnPage()) {
			job.Training.Remote, done = t.options.Remote(t.task.Config, r.Model.OnPage())
		}
		t.attach(job, made)
	}
	defer func() { done() }()
	return t.task.Run(ctx)
}

// private lets the user alone read the directory of a run, before anything is in it. File systems without permissions are left as they are.
func private(dir *runs.Run) { _ = os.Chmod(dir.Path(), 0o700) }

// attach makes a job report to the page.
func (t *trainer) attach(job *runs.Job, made int) {
	private(t.task.Dir)
	r := t.task.Config.Recipe
	progress.NewTrainer(r, r.Train.Iterations*max(1, r.Train.Members), made, t.events.Step).Attach(&job.Training)
	if pause := t.options.Pause; pause != nil {
		iterated := job.Training.OnIteration
		job.Training.OnIteration = func(m optim.Metrics) error {
			pause()
			return iterated(m)
		}
		searched := job.Training.OnPage
		job.Training.OnPage = func(stage string, done, all int) {
			pause()
			searched(stage, done, all)
		}
	}
	rows := prediction.Saved{Most: leaderRows}.Spread(job.Parts.Train)
	job.Training.OnLeader = func(l tskgraph.RaceLeader) { t.events.Emit(provisional(l, rows)) }
}

// leading is the event of the rules of the setting that leads a race, or of the best page of a search so far, which has neither number nor
// loss.
type leading struct {
	Event       string   `json:"event"`   // rules
	Setting     int      `json:"setting"` // its number, from 1
	Of          int      `json:"of"`      // settings
	Metric      string   `json:"metric"`
	Loss        *float64 `json:"loss"` // of the metric, on held-out rows
	Rules       []said   `json:"rules"`
	Provisional bool     `json:"provisional"` // the rules are not those of the result
}

// leaderRows is the number of rows of the training part on which the rules of a leader are measured at most: it delays the race.
const leaderRows = 500

// provisional returns the event of a leader, with what its rules say on rows of the training part.
func provisional(l tskgraph.RaceLeader, rows *data.Dataset) leading {
	d, err := words.ModelOn(l.Model, rows)
	if err != nil { // such as rows that no rule covers: then they are described without them
		d = words.Model(l.Model)
	}
	return leading{"rules", l.Number, l.Settings, l.Metric, numeric.OrNil(l.Loss), sentences(d), true}
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
