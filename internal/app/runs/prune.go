package runs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// Pruning is a pruning of a saved model by a configuration, in rounds or along a path, or the training of its page again.
type Pruning struct {
	Saved
	Config     *config.Config // of a source with the model, see Load
	Validation string         // table of the validation part; empty: a share of the data
	Along      bool           // remove one rule at a time
	Rules      int            // along a path: stop at that number and save that model; 0: choose by error
	OneSE      bool           // along a path: choose the fewest rules within one standard error of the best
	Page       bool           // train the page again, of at most the numbers of model.page

	Notes  io.Writer
	Start  time.Time                         // the summary counts seconds from here
	Attach func(job *Job, all int)           // before training begins, of all iterations
	Ended  func()                            // after training
	Saving func() (done func())              // before something is written that must not be left unfinished
	Draw   func(*Run, *report.Summary) error // draws a path
}

// Load reads the configuration; keys that it does not set default to the options that the model was trained with.
func (p *Pruning) Load(s config.Source) error {
	s.Model, s.Page = p.Model, p.Page
	c, err := config.Load(s)
	if err != nil {
		return err
	}
	fault := func(key, format string, a ...any) error {
		return &config.Error{Key: key, Message: fmt.Sprintf(format, a...)}
	}
	path := p.Path
	switch init := c.Recipe.Model.Init; {
	case !p.Along && !p.Page && c.Recipe.Prune.Rounds < 1:
		return fault("prune.rounds", "%d: must be at least 1", c.Recipe.Prune.Rounds)
	case !slices.Equal(c.Data.Targets(), p.Model.Schema.Targets()):
		return fault("data.target", "%s, but the model predicts %s: leave it out", escape.List(c.Data.Targets()),
			escape.List(p.Model.Schema.Targets()))
	case len(c.Data.Features)+len(c.Data.Ignore)+len(c.Data.Categorical)+len(c.Data.Units)+len(c.Data.Limits) > 0 || c.Data.NoCategorical ||
		c.Data.Time != nil:
		return fault("data",
			"the model determines which columns are read and how: leave out data.features, ignore, categorical, limits, units and time")
	case c.Data.Split.Kind == "column":
		return fault("data.split", "column cannot be combined with prune: name the parts with --data, --validation and data.test_path")
	case p.Validation != "" && c.Data.Split.Validation > 0:
		return message.Usagef("--validation and data.validation cannot be combined")
	case p.Page && init == recipe.PageInit:
		path = init
	case p.Page:
		return fault("model.init", "%q, but --page trains a page: leave it out", init)
	case init != recipe.SavedModel && init != path:
		return fault("model.init", "%q, but --model is %q: leave it out", init, path)
	}
	c.Recipe.Model.Init = path
	p.Config = c
	return nil
}

// Run reads the data and prunes. A refinement that ended early returns both summary and error.
func (p *Pruning) Run(ctx context.Context) (*report.Summary, error) {
	if r := p.Model.RuleBase.Rules(); p.Rules != 0 && (p.Rules < 1 || p.Rules >= r) {
		return nil, message.Usagef("--rules %d: the model has %d rules: choose fewer, at least 1", p.Rules, r)
	}
	parts, err := p.Config.Source().LoadAs(ctx, p.Model.Schema, p.Validation)
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	if p.OneSE && parts.Validation == nil {
		return nil, message.Usagef("--one-se needs a validation part that the model has not seen: name one with --validation, such as " +
			"validation.csv of its run (train with data.validation=0.15)")
	}
	p.noteParts(parts)
	defer p.Saving()()
	r, err := New(p.Config, p.name(), p.Notes)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	job := NewJob(p.Config, parts, p.Start)
	job.Validation = p.Validation
	switch {
	case p.Page:
		return p.paged(ctx, r, job)
	case p.Along:
		return p.along(ctx, r, job)
	}
	return p.inRounds(ctx, r, job)
}

// noteParts reports what was found in the data.
func (p *Pruning) noteParts(parts *data.Parts) {
	message.Tables(p.Notes, &p.Config.Data, parts)
	message.Missing(p.Notes, parts.Train.Missing)
	if parts.Test != nil {
		message.Strange(p.Notes, p.Model, parts.Test.Missing)
	}
	if p.Config.Data.Split.Validation > 0 {
		message.Note(p.Notes, "the validation part is a share of --data: on rows that the model was trained on, its error is too low for a "+
			"fair comparison with fewer rules")
	}
}

// name is the name of the new run: that of the model's directory, or of its file unless it is named as in a run.
func (p *Pruning) name() string {
	name := strings.TrimSuffix(filepath.Base(p.Path), filepath.Ext(p.Path))
	if filepath.Base(p.Path) == model.FileName {
		name = "model"
		if dir, err := filepath.Abs(filepath.Dir(p.Path)); err == nil {
			name = filepath.Base(dir)
		}
	}
	return safefile.Name(name) + "-pruned"
}

func (p *Pruning) inRounds(ctx context.Context, r *Run, job Job) (*report.Summary, error) {
	o := p.Config.Recipe
	p.Attach(&job, o.Prune.Rounds*o.Train.Iterations)
	result, summary, err := r.Prune(ctx, job, p.Saved)
	p.Ended()
	if result != nil {
		message.Result(p.Notes, o, result)
		message.Calibration(p.Notes, summary)
	}
	return summary, err
}

// paged trains the page again.
func (p *Pruning) paged(ctx context.Context, r *Run, job Job) (*report.Summary, error) {
	p.Attach(&job, 0)
	summary, err := r.produce(ctx, job, &p.Saved, func(run tskgraph.Run, _ *recorder) (*product, error) {
		run.Test = job.Parts.Test
		result, err := run.Train(ctx, job.Parts.Train, job.Parts.Validation)
		if result == nil {
			return nil, err
		}
		return &product{result.Model, result.Training, func(*report.Summary) error { return nil }}, err
	})
	p.Ended()
	if summary != nil {
		message.Calibration(p.Notes, summary)
	}
	return summary, err
}

func (p *Pruning) along(ctx context.Context, r *Run, job Job) (*report.Summary, error) {
	least := max(p.Rules, 1)
	p.Attach(&job, (p.Model.RuleBase.Rules()-least)*p.Config.Recipe.Train.Iterations)
	summary, err := r.PrunePath(ctx, job, p.Saved, least, p.choose)
	p.Ended()
	if summary == nil {
		return nil, err
	}
	message.Calibration(p.Notes, summary)
	return summary, errors.Join(err, p.Draw(r, summary))
}

// choose returns the step whose model is saved, and the reason.
func (p *Pruning) choose(path *tskgraph.Path) (tskgraph.PathStep, string, error) {
	last := path.Steps[len(path.Steps)-1]
	switch {
	case p.Rules > 0 && last.Rules == p.Rules:
		return last, "requested by --rules", nil
	case p.Rules > 0:
		return last, fmt.Sprintf("the path ended before --rules %d", p.Rules), nil
	case p.OneSE:
		step, err := path.OneSE()
		return step, fmt.Sprintf("the fewest within one standard error of the best, which has %d", path.Best().Rules), err
	case last.LossValidation != nil:
		return path.Best(), "lowest validation " + last.Metric, nil
	}
	return path.Best(), "lowest training " + last.Metric + " (no validation part)", nil
}

// ModelFile returns the model file that a path names, which may be the directory of a run.
func ModelFile(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, model.FileName)
	}
	return path
}

// Saved is a saved model to prune.
type Saved struct {
	Model *model.Model
	Path  string // of its file
}

// Prune prunes a saved model in rounds, as [tskgraph.Prune] does, and writes the directory as [Run.Train] does, but without
// checkpoints.
func (r *Run) Prune(ctx context.Context, j Job, saved Saved) (result *tskgraph.Result, summary *report.Summary, err error) {
	summary, err = r.produce(ctx, j, &saved, func(run tskgraph.Run, _ *recorder) (_ *product, err error) {
		run.Test = j.Parts.Test
		if result, err = run.Prune(ctx, saved.Model, j.Parts.Train, j.Parts.Validation); result == nil {
			return nil, err
		}
		return &product{result.Model, result.Training, func(s *report.Summary) error { s.Prune = result.Prune; return nil }}, err
	})
	return result, summary, err
}

// Choice returns the step of a pruning path whose model is saved, and the reason.
type Choice func(*tskgraph.Path) (step tskgraph.PathStep, why string, err error)

// PrunePath prunes a saved model one rule at a time until least are left, as [tskgraph.PrunePath] does, and writes the steps
// and the model and summary of the step that choose returns.
func (r *Run) PrunePath(ctx context.Context, j Job, saved Saved, least int, choose Choice) (summary *report.Summary, err error) {
	return r.produce(ctx, j, &saved, func(run tskgraph.Run, _ *recorder) (*product, error) {
		path, err := run.PrunePath(ctx, saved.Model, j.Parts.Train, j.Parts.Validation, least)
		if path == nil {
			return nil, err
		}
		step, why, fault := choose(path)
		if fault != nil {
			return &product{}, errors.Join(err, fault)
		}
		return &product{step.Model, path.Training, func(s *report.Summary) error {
			s.Path, s.Chosen, s.Best = path.Steps, why, step.Model.Training.Iterations
			return r.writePath(path.Steps)
		}}, err
	})
}

func (r *Run) writePath(steps []tskgraph.PathStep) error {
	var table bytes.Buffer
	if err := report.WritePathCSV(&table, steps); err != nil {
		return err
	}
	return r.Write(PathFile, table.Bytes())
}
