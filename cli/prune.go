package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// pruneFlags are the flags of `prune`.
type pruneFlags struct {
	command.Config
	model, data, validation string
	gamma, theta            float64
	rounds, iterations      int
	seed                    uint64
	path, oneSE             bool
	rules                   int
}

// pruneKeys maps flags to the configuration keys that they set.
var pruneKeys = map[string]string{
	"data": "data.path", "gamma": "prune.gamma", "theta": "prune.theta", "rounds": "prune.rounds",
	"iterations": "train.iterations", "seed": "train.seed",
}

func newPrune() *cobra.Command {
	var f pruneFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Prune the rules of a saved model, and refine the rest",
		Long: `Remove the rules of a saved model that fire less than gamma times the median, merge those that are more similar than
theta, refine the rest on the training part, and write the model to a new directory below output.dir; the saved model
is not changed. The shape of the membership functions, the preprocessing and, unless the configuration sets them, the
training options are those of the model; each refinement runs for a fifth of the iterations that the model was trained for.

The rows of --data are the training part, less the share data.validation: use the rows that the model was trained on
(train.csv of its run). The validation part chooses the iteration and, with --path, the number of rules, so it should hold
rows that the model has not seen: preferably a table of its own, --validation (validation.csv of the run). data.test_path
names a table to test on.

With --path, rules are removed one at a time until one is left, and a table, a CSV file and figures show error and fidelity
over the number of rules: the RMSE or, of another loss, the figure that it is judged by, such as the log loss of classes.
The saved model is then the one with the lowest validation error (training error without a validation part), the one with
--rules N rules, or, with --one-se, the one with the fewest rules within one standard error of the best.`,
		Example: `  tskgraph prune --model runs/no2-gaussian-001 --data runs/no2-gaussian-001/train.csv
  tskgraph prune --model runs/no2-gaussian-001 --data runs/no2-gaussian-001/train.csv --gamma 0.3 --rounds 2 --set data.test_path=runs/no2-gaussian-001/test.csv
  tskgraph prune --path --one-se --model runs/no2-gaussian-001 --data runs/no2-gaussian-001/train.csv --validation runs/no2-gaussian-001/validation.csv`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			m, err := model.Load(f.model)
			if err != nil {
				return err
			}
			c, err := f.load(cmd, m)
			if err != nil {
				return err
			}
			p := &pruning{cmd: cmd, config: c, start: time.Now(), flags: f, saved: m}
			summary, err := p.run()
			if summary == nil {
				return err
			}
			return errors.Join(err, printSummary(cmd, summary, asJSON))
		},
	}
	f.Add(cmd.Flags())
	addModel(cmd, &f.model)
	flags := cmd.Flags()
	flags.StringVarP(&f.data, "data", "d", "", "a table with the model's features and target: the training part")
	flags.StringVar(&f.validation, "validation", "", "a table with the same columns: the validation part")
	flags.Float64Var(&f.gamma, "gamma", 0.5, "remove rules that fire less than gamma times the median; 0 removes none")
	flags.Float64Var(&f.theta, "theta", 0.5, "merge rules whose Jaccard similarity is above theta; 1 merges none")
	flags.IntVar(&f.rounds, "rounds", 1, "rounds of pruning and refinement")
	flags.IntVar(&f.iterations, "iterations", 0, "iterations of each refinement (default: a fifth of those the model was trained for)")
	flags.Uint64Var(&f.seed, "seed", 0, "random seed (default: the seed of the model's training)")
	flags.BoolVar(&f.path, "path", false, "remove one rule at a time and show the error over the number of rules")
	flags.IntVar(&f.rules, "rules", 0, "with --path: stop at this number of rules and save that model")
	flags.BoolVar(&f.oneSE, "one-se", false, "with --path: save the model with the fewest rules within one standard error of the best")
	flags.BoolVar(&asJSON, "json", false, "print the summary as one JSON object")
	return cmd
}

// check refuses missing flags and flags that cannot be combined.
func (f *pruneFlags) check(cmd *cobra.Command) error {
	if err := needed(cmd, "model", "data"); err != nil {
		return err
	}
	for _, name := range []string{"rules", "one-se"} {
		if cmd.Flags().Changed(name) && !f.path {
			return message.Usagef("--%s needs --path: without it, --gamma and --theta decide which rules are removed; add --path, which "+
				"removes one rule at a time", name)
		}
	}
	if err := exclusive(cmd, "rules", "one-se"); err != nil {
		return err
	}
	for _, name := range []string{"gamma", "theta", "rounds"} {
		if f.path {
			if err := exclusive(cmd, "path", name); err != nil {
				return err
			}
		}
	}
	return nil
}

// load reads the configuration; keys that it does not set default to the options that the model was trained with.
func (f *pruneFlags) load(cmd *cobra.Command, m *model.Model) (*config.Config, error) {
	set := f.Settings()
	for flag, key := range pruneKeys {
		given := cmd.Flags().Lookup(flag)
		if !given.Changed {
			continue
		}
		for _, entry := range f.Set {
			if strings.HasPrefix(entry, key+"=") {
				return nil, message.Usagef("--%s and --set %s cannot be combined", flag, entry)
			}
		}
		set = append(set, key+"="+given.Value.String())
	}
	c, err := config.Load(config.Source{Path: f.Path, Env: os.Environ(), Set: set, Model: m})
	if err != nil {
		return nil, err
	}
	switch {
	case !f.path && c.Recipe.Prune.Rounds < 1:
		return nil, &config.Error{Key: "prune.rounds", Message: fmt.Sprintf("%d: must be at least 1", c.Recipe.Prune.Rounds)}
	case !slices.Equal(c.Data.Targets(), m.Schema.Targets()):
		return nil, &config.Error{Key: "data.target", Message: fmt.Sprintf("%s, but the model predicts %s: leave it out",
			escape.List(c.Data.Targets()), escape.List(m.Schema.Targets()))}
	case len(c.Data.Features)+len(c.Data.Ignore)+len(c.Data.Categorical)+len(c.Data.Units) > 0 || c.Data.NoCategorical:
		return nil, &config.Error{Key: "data",
			Message: "the model determines which columns are read and how: leave out data.features, ignore, categorical and units"}
	case c.Data.Split.Kind == "column":
		return nil, &config.Error{Key: "data.split",
			Message: "column cannot be combined with prune: name the parts with --data, --validation and data.test_path"}
	case f.validation != "" && c.Data.Split.Validation > 0:
		return nil, message.Usagef("--validation and data.validation cannot be combined")
	}
	path := modelPath(f.model)
	if init := c.Recipe.Model.Init; init != recipe.SavedModel && init != path {
		return nil, &config.Error{Key: "model.init", Message: fmt.Sprintf("%q, but --model is %q: leave it out", init, path)}
	}
	c.Recipe.Model.Init = path
	return c, nil
}

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
		return nil, message.Usagef("--one-se needs a validation part that the model has not seen: name one with --validation, such as " +
			"validation.csv of its run (train with data.validation=0.15)")
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
		message.Note(w, "the validation part is a share of --data: on rows that the model was trained on, its error is too low for a fair "+
			"comparison with fewer rules")
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
