package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/safefile"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/plot"
	"github.com/tskgraph/tskgraph/report"
)

// The files of a pruning path.
const (
	pathTable  = "path.csv"
	pathFigure = "path." // and the format
)

// pruning is one `prune` command.
type pruning struct {
	training
	flags pruneFlags
	saved *model.Model
}

// finish prunes and prints the summary, if there is one.
func (p *pruning) finish(cmd *cobra.Command, asJSON bool) error {
	summary, err := p.run()
	if summary == nil {
		return err
	}
	return errors.Join(err, printSummary(cmd, summary, asJSON))
}

// run prunes, and writes the run's directory. When a refinement ended early, the
// best model so far is written all the same, and the summary comes with the error.
func (p *pruning) run() (*report.Summary, error) {
	if r := p.saved.RuleBase.Rules(); p.flags.rules != 0 && (p.flags.rules < 1 || p.flags.rules >= r) {
		return nil, usageError{fmt.Errorf("--rules %d: the model has %d rules: choose fewer, at least 1", p.flags.rules, r)}
	}
	parts, err := p.load()
	if err != nil {
		return nil, err
	}
	if p.flags.oneSE && parts.Validation == nil {
		return nil, usageError{errors.New("--one-se needs a validation part: give one that the model has not seen by --validation, such as validation.csv of its run (train with data.validation=0.15)")}
	}
	noteTables(p.cmd.ErrOrStderr(), &p.config.Data, parts)
	p.noteMissing(parts.Train.Missing)
	if parts.Test != nil {
		noteStrange(p.cmd.ErrOrStderr(), p.saved.ImputeMeans, parts.Test.Missing)
	}
	if p.config.Data.Split.Validation > 0 {
		p.note("the validation part is a share of --data: on rows that the model was trained on its error is too low for a fair comparison with fewer rules")
	}
	defer saving()()
	dir, err := newRunDir(p.config, safefile.Name(runName(p.flags.model))+"-pruned", p.note)
	if err != nil {
		return nil, err
	}
	defer dir.finish()
	if err := errors.Join(dir.writeConfig(p.config), p.writeParts(dir, parts)); err != nil {
		return nil, err
	}
	var summary *report.Summary
	var pruneErr error
	var m *model.Model
	if p.flags.path {
		m, summary, pruneErr, err = p.alongPath(parts, dir)
	} else {
		m, summary, pruneErr, err = p.inRounds(parts, dir)
	}
	if err != nil {
		return nil, errors.Join(pruneErr, err)
	}
	if m == nil { // pruning could not begin
		return nil, errors.Join(pruneErr, dir.remove())
	}
	if err := p.setBefore(summary, parts); err != nil {
		return nil, errors.Join(pruneErr, err)
	}
	if err := dir.writeResult(m, summary); err != nil {
		return nil, errors.Join(pruneErr, err)
	}
	return summary, pruneErr
}

// load reads the parts, as the model was trained.
func (p *pruning) load() (*data.Parts, error) {
	s := &p.config.Data
	options := s.Options
	options.Target = "" // the schema says it
	read := func(path string) (*data.Dataset, error) { return data.ReadCSVAs(path, p.saved.Schema, options) }
	all, err := read(s.Path)
	if err != nil {
		return nil, err
	}
	split := s.Split
	if s.TestPath != "" {
		split.Train = 1 - split.Validation
	}
	parts, err := all.Split(split)
	if err != nil {
		return nil, err
	}
	if s.TestPath != "" {
		options.Lenient = true
		if parts.Test, err = read(s.TestPath); err != nil {
			return nil, err
		}
	}
	if p.flags.validation != "" {
		if parts.Validation, err = read(p.flags.validation); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// writeParts writes the rows of each part.
func (p *pruning) writeParts(dir *runDir, parts *data.Parts) error {
	if p.flags.validation == "" {
		return p.config.Data.WriteParts(dir.path, parts)
	}
	separate := p.config.Data
	separate.Path, separate.TestPath = p.flags.validation, ""
	return errors.Join(
		p.config.Data.WriteParts(dir.path, &data.Parts{Train: parts.Train, Test: parts.Test}),
		separate.WriteParts(dir.path, &data.Parts{Validation: parts.Validation}))
}

// inRounds prunes in rounds.
func (p *pruning) inRounds(parts *data.Parts, dir *runDir) (m *model.Model, s *report.Summary, pruneErr, err error) {
	var result *tskgraph.Result
	o := p.config.Options
	pruneErr, err = p.watch(dir, o.Prune.Rounds*o.Train.Iterations, func(o tskgraph.Options, _ func(*tskgraph.Checkpoint)) (err error) {
		o.Test = parts.Test
		result, err = tskgraph.Prune(p.cmd.Context(), p.saved, parts.Train, parts.Validation, o)
		return err
	})
	if err != nil || result == nil {
		return nil, nil, pruneErr, err
	}
	p.noteResult(result)
	if s, err = p.summarise(result.Model, result.Training, parts, dir); err == nil {
		s.Prune = result.Prune
	}
	return result.Model, s, pruneErr, err
}

// alongPath prunes one rule at a time.
func (p *pruning) alongPath(parts *data.Parts, dir *runDir) (m *model.Model, s *report.Summary, pruneErr, err error) {
	var path *tskgraph.Path
	least := max(p.flags.rules, 1)
	steps := p.saved.RuleBase.Rules() - least
	pruneErr, err = p.watch(dir, steps*p.config.Options.Train.Iterations, func(o tskgraph.Options, _ func(*tskgraph.Checkpoint)) (err error) {
		path, err = tskgraph.PrunePath(p.cmd.Context(), p.saved, parts.Train, parts.Validation, o, least)
		return err
	})
	if err != nil || path == nil {
		return nil, nil, pruneErr, err
	}
	chosen, why, err := p.choose(path)
	if err != nil {
		return nil, nil, pruneErr, err
	}
	if s, err = p.summarise(chosen.Model, path.Training, parts, dir); err != nil {
		return nil, nil, pruneErr, err
	}
	s.Path, s.Chosen, s.Best = path.Steps, why, chosen.Model.Training.Iterations
	return chosen.Model, s, pruneErr, writePath(dir, s, chosen.Model.Schema.TargetUnit)
}

// choose picks the step whose model is saved, and says why.
func (p *pruning) choose(path *tskgraph.Path) (tskgraph.PathStep, string, error) {
	last := path.Steps[len(path.Steps)-1]
	switch {
	case p.flags.rules > 0 && last.Rules == p.flags.rules:
		return last, "as --rules asks", nil
	case p.flags.rules > 0:
		return last, fmt.Sprintf("the path ended before --rules %d", p.flags.rules), nil
	case p.flags.oneSE:
		step, err := path.OneSE()
		return step, fmt.Sprintf("the fewest within one standard error of the best, which has %d", path.Best().Rules), err
	case last.RMSEValidation != nil:
		return path.Best(), "lowest validation RMSE", nil
	}
	return path.Best(), "lowest training RMSE; there is no validation part", nil
}

// writePath writes the table and the figures of a path.
func writePath(dir *runDir, s *report.Summary, unit string) error {
	figure, err := plot.PruningPath(s.Path, s.Rules, s.Target, unit)
	if err != nil {
		return err
	}
	var table bytes.Buffer
	if err := report.WritePathCSV(&table, s.Path); err != nil {
		return err
	}
	if err := dir.Write(pathTable, table.Bytes(), 0o666); err != nil {
		return err
	}
	for _, format := range report.FigureFormats() {
		var drawn bytes.Buffer
		if err := figure.Write(&drawn, format); err != nil {
			return err
		}
		if err := dir.Write(pathFigure+format, drawn.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// setBefore measures the saved model on every part.
func (p *pruning) setBefore(s *report.Summary, parts *data.Parts) error {
	var errs [3]*model.Metrics
	for i, d := range []*data.Dataset{parts.Train, parts.Validation, parts.Test} {
		if d == nil {
			continue
		}
		e, err := p.saved.Evaluate(d)
		if err != nil {
			return err
		}
		errs[i] = &e
	}
	s.SetBefore(modelPath(p.flags.model), p.saved.RuleBase.Rules(), errs[0], errs[1], errs[2])
	return nil
}

// modelPath is the model file that a path names.
func modelPath(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, model.FileName)
	}
	return path
}

// runName names the run of a model file: its directory, or the file if it has
// another name than in a run.
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
