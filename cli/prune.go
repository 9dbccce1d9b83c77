package cli

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
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
	rules, page             int
}

// pruneKeys maps flags to the configuration keys that they set.
var pruneKeys = map[string]string{
	"data": "data.path", "gamma": "prune.gamma", "theta": "prune.theta", "rounds": "prune.rounds",
	"iterations": "train.iterations", "seed": "train.seed", "page": "model.page",
}

func newPrune() *cobra.Command {
	var f pruneFlags
	var asJSON bool
	cmd := described("prune", noArgs, func(cmd *cobra.Command, _ []string) error {
		start := time.Now()
		if err := f.check(cmd); err != nil {
			return err
		}
		summary, err := f.prune(cmd, start)
		if summary == nil {
			return err
		}
		return errors.Join(err, printSummary(cmd, summary, asJSON))
	})
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
	flags.IntVar(&f.page, "page", 0, "train the page of the model again, with at most this `number` of numbers to read")
	flags.BoolVar(&f.oneSE, "one-se", false, "with --path: save the model with the fewest rules within one standard error of the best")
	flags.BoolVar(&asJSON, "json", false, "print the summary as one JSON object")
	return cmd
}

// check refuses missing flags and flags that cannot be combined.
func (f *pruneFlags) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("page") {
		return cmp.Or(needed(cmd, "model"), exclusive(cmd, "page", "path", "gamma", "theta", "rounds", "iterations", "rules", "one-se"))
	}
	if err := needed(cmd, "model", "data"); err != nil {
		return err
	}
	for _, name := range []string{"rules", "one-se"} {
		if cmd.Flags().Changed(name) && !f.path {
			return message.Usagef("--%s needs --path: without it, --gamma and --theta decide which rules are removed; add --path, which "+
				"removes one rule at a time", name)
		}
	}
	if !f.path {
		return nil
	}
	return cmp.Or(exclusive(cmd, "rules", "one-se"), exclusive(cmd, "path", "gamma", "theta", "rounds"))
}

// source returns where the configuration comes from: flags that set keys cannot be combined with --set of these.
func (f *pruneFlags) source(cmd *cobra.Command) (config.Source, error) {
	set := f.Settings()
	for flag, key := range pruneKeys {
		given := cmd.Flags().Lookup(flag)
		if !given.Changed {
			continue
		}
		for _, entry := range f.Set {
			if strings.HasPrefix(entry, key+"=") {
				return config.Source{}, message.Usagef("--%s and --set %s cannot be combined", flag, entry)
			}
		}
		set = append(set, key+"="+given.Value.String())
	}
	return config.Source{Path: f.Path, Env: os.Environ(), Set: set}, nil
}

// again checks that there is a page to train again, by default on the parts of its run.
func (f *pruneFlags) again(cmd *cobra.Command, m *model.Model) error {
	if m.Pages == nil {
		return message.Usagef("--page %d: the model has no page, which preset readable trains: --path removes one rule at a time", f.page)
	}
	if cmd.Flags().Changed("data") {
		return nil
	}
	train, test := prediction.TrainingTable(f.model), prediction.PartTable(f.model, "test.csv")
	if train == "" {
		return message.Usagef("--data is required: %s is not the directory of a run with its train.csv", escape.Quote(f.model))
	}
	if test != "" && !slices.ContainsFunc(f.Set, func(s string) bool { return strings.HasPrefix(s, "data.test_path=") }) {
		f.Set = append(f.Set, "data.test_path="+test)
	}
	return cmd.Flags().Set("data", train)
}

// prune reads the model and prunes it.
func (f *pruneFlags) prune(cmd *cobra.Command, start time.Time) (*report.Summary, error) {
	m, err := model.Load(f.model)
	if err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("page") {
		if err := f.again(cmd, m); err != nil {
			return nil, err
		}
	}
	source, err := f.source(cmd)
	if err != nil {
		return nil, err
	}
	var bars *trainingBars
	p := runs.Pruning{
		Saved: runs.Saved{Model: m, Path: runs.ModelFile(f.model)}, Validation: f.validation, Along: f.path, Rules: f.rules, OneSE: f.oneSE,
		Page: cmd.Flags().Changed("page"), Notes: cmd.ErrOrStderr(), Start: start, Saving: saving,
		Ended: func() { bars.stop() },
		Draw:  func(r *runs.Run, s *report.Summary) error { return drawPath(cmd.ErrOrStderr(), r, s, m) },
	}
	p.Attach = func(job *runs.Job, all int) {
		bars = newTrainingBars(cmd.ErrOrStderr(), p.Config.Recipe, all, 0)
		bars.Attach(&job.Training)
	}
	if err := p.Load(source); err != nil {
		return nil, err
	}
	return p.Run(cmd.Context())
}
