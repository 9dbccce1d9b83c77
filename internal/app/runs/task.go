package runs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
)

// Task is a training by a configuration.
type Task struct {
	Config *config.Config
	Dir    *Run     // the run to resume, or one that was created for this training; nil: Run creates it, and the caller closes it
	Watch  []string // see watch
	Notes  io.Writer
	Start  time.Time // the summary counts seconds from here

	Attach func(job *Job, made int) // before training begins, after some iterations that were made before the run was resumed
	Ended  func()                   // after training, if Attach was called
	Saving func() (done func())     // before something is written that must not be left unfinished; nil: nothing to do
}

// Run reads the data and trains. A training that ended early but left a model returns both summary and error.
func (t *Task) Run(ctx context.Context) (*report.Summary, error) {
	if err := t.chooseForecast(ctx); err != nil {
		return nil, err
	}
	source := t.Config.Source()
	if source.Scratch == "" {
		source.Scratch = t.scratch()
	}
	parts, err := source.Load(ctx)
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	identity, err := Identity(t.Config.Values(), t.Config.Data.Unhashed(parts)...)
	if err != nil {
		return nil, err
	}
	message.Parts(t.Notes, &t.Config.Data, parts)
	watched, read, err := watch(ctx, t.Watch, source, parts)
	for _, p := range read {
		defer p.Close()
	}
	if err != nil {
		return nil, err
	}
	if t.Saving != nil {
		defer t.Saving()()
	}
	if t.Dir == nil {
		if t.Dir, err = New(t.Config, RunName(t.Config), t.Notes); err != nil {
			return nil, err
		}
	}
	job := NewJob(t.Config, parts, t.Start)
	job.Training.Identity = identity
	job.Training.Watch, job.Training.WatchEvery = watched, cmp.Or(t.Config.Recipe.Train.ValidateEvery, 10)
	t.Attach(&job, t.Dir.Iterations())
	result, summary, err := t.Dir.Train(ctx, job)
	t.Ended()
	if result != nil {
		message.Result(t.Notes, t.Config.Recipe, result)
		message.Calibration(t.Notes, summary)
	}
	return summary, err
}

// scratch returns the directory of scratch files by default: that of the run, else output.dir or, as long as that does
// not exist, the nearest directory above it; empty if none of them can be written.
func (t *Task) scratch() string {
	dir := t.Config.Output.Dir
	if t.Dir != nil {
		dir = t.Dir.Path()
	}
	for {
		_, discard, err := safefile.Scratch(dir)
		if err == nil {
			discard()
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// New makes the directory of a new run, of a name without its number. Notes go to w.
func New(c *config.Config, name string, w io.Writer) (*Run, error) {
	r, err := Create(c.Output.Dir, name, func(text string) { message.Note(w, "%s", text) })
	if err != nil {
		return nil, fmt.Errorf("output.dir: %w", err)
	}
	return r, nil
}

// CheckWatch checks the data sets to watch: NAME=TABLE, a table of its own with the columns of the training table, or the name of
// a part of the run: train, validation or test.
func CheckWatch(sets []string) error {
	var names []string
	for _, set := range sets {
		name, table, separate := strings.Cut(set, "=")
		switch {
		case name == "" || separate && table == "" || !separate && !slices.Contains([]string{"train", "validation", "test"}, name):
			return watchError(set, "want NAME=TABLE, train, validation or test")
		case slices.Contains(names, name):
			return watchError(set, "the name is used twice")
		}
		names = append(names, name)
	}
	return nil
}

func watchError(set, fault string) error {
	return &config.Error{Where: "--watch", Key: set, Message: fault}
}

// watch returns the data sets to watch, see CheckWatch, and the tables that were read for it, which the caller closes, even after an
// error. They are read as the table of a test part.
func watch(ctx context.Context, sets []string, s data.Source, parts *data.Parts) (
	watched []tskgraph.Watched, read []*data.Parts, err error,
) {
	for _, set := range sets {
		name, table, separate := strings.Cut(set, "=")
		d := map[string]*data.Dataset{"train": parts.Train, "validation": parts.Validation, "test": parts.Test}[name]
		if separate {
			p, err := data.LoadAs(ctx, table, parts.Train.Schema, data.Options{
				Delimiter: s.Delimiter, Missing: s.Missing, Lenient: true, Memory: s.Memory, Scratch: s.Scratch,
			})
			if err != nil {
				return nil, read, err
			}
			read, d = append(read, p), p.Test
		}
		if d == nil {
			return nil, read, watchError(set, "the run has no such part")
		}
		watched = append(watched, tskgraph.Watched{Name: name, Data: d})
	}
	return watched, read, nil
}
