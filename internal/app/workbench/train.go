package workbench

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/report"
)

// trained is the result of train.
type trained struct {
	Run     string          `json:"run"`
	Summary *report.Summary `json:"summary"`
	Notes   []string        `json:"notes"`
	Stopped bool            `json:"stopped"` // ended by the context, with the best model so far
}

// answerTrain trains a model and sends events meanwhile: those of package progress, and the rules of the race's leading setting.
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
	p, err := prepare(ctx, c.Bench, s)
	if err != nil {
		return nil, err
	}
	notes := &noted{to: events}
	t := &trainer{call: c, events: events, task: runs.Task{Notes: notes, Start: start}}
	if s.From != nil {
		err = s.From.begin(p, &t.task)
	} else {
		t.task.Config, err = p.load()
	}
	if err != nil {
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
