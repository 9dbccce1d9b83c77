package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// pruning is one `prune` command.
type pruning struct {
	cmd    *cobra.Command
	config *config.Config
	start  time.Time
	flags  pruneFlags
	saved  *model.Model
}

// run reads the data and prunes. A refinement that ended early returns both summary and error.
func (p *pruning) run() (*report.Summary, error) {
	if r := p.saved.RuleBase.Rules(); p.flags.rules != 0 && (p.flags.rules < 1 || p.flags.rules >= r) {
		return nil, message.Usagef("--rules %d: the model has %d rules: choose fewer, at least 1", p.flags.rules, r)
	}
	parts, err := p.config.Source().LoadAs(p.cmd.Context(), p.saved.Schema, p.flags.validation)
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	if p.flags.oneSE && parts.Validation == nil {
		return nil, message.Usagef("--one-se needs a validation part that the model has not seen: name one with --validation, such as validation.csv of its run (train with data.validation=0.15)")
	}
	p.noteParts(parts)
	defer saving()()
	w := p.cmd.ErrOrStderr()
	r, err := runs.New(p.config, safefile.Name(runName(p.flags.model))+"-pruned", w)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	job := runs.NewJob(p.config, parts, p.start)
	job.Validation = p.flags.validation
	saved := runs.Saved{Model: p.saved, Path: modelPath(p.flags.model)}
	if p.flags.path {
		return p.alongPath(r, job, saved)
	}
	return p.inRounds(r, job, saved)
}

// noteParts reports what was found in the data.
func (p *pruning) noteParts(parts *data.Parts) {
	w := p.cmd.ErrOrStderr()
	message.Tables(w, &p.config.Data, parts)
	message.Missing(w, parts.Train.Missing)
	if parts.Test != nil {
		message.Strange(w, p.saved.ImputeMeans, parts.Test.Missing)
	}
	if p.config.Data.Split.Validation > 0 {
		message.Note(w, "the validation part is a share of --data: on rows that the model was trained on, its error is too low for a fair comparison with fewer rules")
	}
}

// inRounds prunes in rounds.
func (p *pruning) inRounds(r *runs.Run, job runs.Job, saved runs.Saved) (*report.Summary, error) {
	w, o := p.cmd.ErrOrStderr(), p.config.Recipe
	bars := newTrainingBars(w, o, o.Prune.Rounds*o.Train.Iterations, 0)
	bars.Attach(&job.Training)
	result, summary, err := r.Prune(p.cmd.Context(), job, saved)
	bars.stop()
	if result != nil {
		message.Result(w, o, result)
		message.Calibration(w, summary)
	}
	return summary, err
}

// alongPath prunes one rule at a time, and draws the path.
func (p *pruning) alongPath(r *runs.Run, job runs.Job, saved runs.Saved) (*report.Summary, error) {
	w, o := p.cmd.ErrOrStderr(), p.config.Recipe
	least := max(p.flags.rules, 1)
	bars := newTrainingBars(w, o, (p.saved.RuleBase.Rules()-least)*o.Train.Iterations, 0)
	bars.Attach(&job.Training)
	summary, err := r.PrunePath(p.cmd.Context(), job, saved, least, p.choose)
	bars.stop()
	if summary == nil {
		return nil, err
	}
	message.Calibration(w, summary)
	return summary, errors.Join(err, drawPath(w, r, summary, p.saved))
}

// choose returns the step whose model is saved, and the reason.
func (p *pruning) choose(path *tskgraph.Path) (tskgraph.PathStep, string, error) {
	last := path.Steps[len(path.Steps)-1]
	switch {
	case p.flags.rules > 0 && last.Rules == p.flags.rules:
		return last, "requested by --rules", nil
	case p.flags.rules > 0:
		return last, fmt.Sprintf("the path ended before --rules %d", p.flags.rules), nil
	case p.flags.oneSE:
		step, err := path.OneSE()
		return step, fmt.Sprintf("the fewest within one standard error of the best, which has %d", path.Best().Rules), err
	case last.LossValidation != nil:
		return path.Best(), "lowest validation " + last.Metric, nil
	}
	return path.Best(), "lowest training " + last.Metric + " (no validation part)", nil
}

// modelPath returns the model file that a path names.
func modelPath(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, model.FileName)
	}
	return path
}

// runName returns the name of a model's run: that of its directory, or of the file unless it is named as in a run.
func runName(path string) string {
	path = modelPath(path)
	if filepath.Base(path) != model.FileName {
		return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	if dir, err := filepath.Abs(filepath.Dir(path)); err == nil {
		return filepath.Base(dir)
	}
	return "model"
}
