package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// measured measures a model on every part, and calibrates it; also the model before pruning if saved is not nil. It measures all rows
// of each part, and when ctx ends only some of them, without neighbours: then ended wraps its error.
func (j Job) measured(ctx context.Context, r *Run, m *model.Model, done optim.Result, saved *Saved) (s *report.Summary, ended, err error) {
	if s, err = j.summarise(ctx, r, m, done, saved); err == nil || ctx.Err() == nil {
		return s, nil, err
	}
	m.Neighbours, m.Calibration = nil, nil // which take long to measure and to write
	some := func(d *data.Dataset) *data.Dataset {
		if d == nil {
			return nil
		}
		return fit.Some(d, m)
	}
	j.Parts = &data.Parts{Train: some(j.Parts.Train), Calibration: some(j.Parts.Calibration), Validation: some(j.Parts.Validation),
		Test: some(j.Parts.Test)}
	s, err = j.summarise(context.WithoutCancel(ctx), r, m, done, saved)
	return s, fmt.Errorf("interrupted while the errors on all rows were measured; these are of some rows of each part: %w", ctx.Err()), err
}

// summarise measures a model on every part, and calibrates it; also the model before pruning if saved is not nil.
func (j Job) summarise(ctx context.Context, r *Run, m *model.Model, done optim.Result, saved *Saved) (*report.Summary, error) {
	s := &report.Summary{
		RunDir: r.path, Model: r.File(model.FileName), Data: j.Data.Name(), Target: m.Schema.Target,
		Membership: shapes(m), Engine: m.Training.Engine,
		Members: len(m.Members), Rules: model.CountRules(m), RuleLength: ruleLength(m), Features: len(m.Inputs()), Dropped: m.Dropped(),
		Iterations: done.Iterations, Best: done.Best, Stopped: done.Stopped,
		Seed: m.Training.Seed, Skipped: done.Skipped, Missing: j.Parts.Train.Missing,
	}
	if j.Data.TestPath != "" {
		s.TestData = data.Source{Path: j.Data.TestPath}.Name()
	}
	for _, part := range []struct {
		size *int
		d    *data.Dataset
	}{{&s.SampleTrain, j.Parts.Train}, {&s.SampleCalibration, j.Parts.Calibration}, {&s.SampleValidation, j.Parts.Validation},
		{&s.SampleTest, j.Parts.Test}} {
		if part.d != nil && part.d.Len() < part.d.Total() {
			*part.size = part.d.Len()
		}
	}
	if err := measure(ctx, s, m, j.Parts); err != nil {
		return nil, err
	}
	if err := measureHeld(ctx, s, m, j); err != nil {
		return nil, err
	}
	if j.Parts.Calibration != nil {
		if err := m.Calibrate(ctx, j.Parts.Calibration, j.Parts.Train); err != nil {
			return nil, err
		}
		if err := s.SetCalibration(ctx, m, j.Parts.Test); err != nil {
			return nil, err
		}
	}
	if saved != nil {
		if err := measureBefore(ctx, s, *saved, j.Parts); err != nil {
			return nil, err
		}
	}
	s.Seconds = time.Since(j.Start).Seconds()
	return s, nil
}

// measure sets the errors on every part, and the verdict.
func measure(ctx context.Context, s *report.Summary, m *model.Model, parts *data.Parts) error {
	e, err := m.EvaluateTraining(ctx, parts.Train)
	if err != nil {
		return err
	}
	s.SetTrain(m, e)
	fit.KeepMetrics(m, "train", e)
	if parts.Validation != nil {
		if e, err = m.Evaluate(ctx, parts.Validation); err != nil {
			return err
		}
		s.SetValidation(e)
		fit.KeepMetrics(m, "validation", e)
	}
	held, name := parts.Test, "the test part"
	if held == nil {
		held, name = parts.Validation, "the validation part"
	}
	if held == nil {
		return nil
	}
	b, err := baseline.Measure(ctx, m, parts.Train, held)
	if err != nil {
		return err
	}
	if parts.Test == nil {
		s.Verdict = baseline.Compare(name, m, e, b)
		return nil
	}
	if e, err = m.Evaluate(ctx, parts.Test); err != nil {
		return err
	}
	s.SetTest(m, e, b)
	fit.KeepMetrics(m, "test", e)
	return s.SetSteps(ctx, m, parts.Test)
}

// measureHeld sets the figures that are measured on the test part, or else on the validation part: rows with a twin in the
// training part, and whether the rules can be read one by one.
func measureHeld(ctx context.Context, s *report.Summary, m *model.Model, j Job) (err error) {
	training := words.Part{Name: "the training part", Dataset: j.Parts.Train}
	held, errs := words.Part{Name: "the test part", Dataset: j.Parts.Test}, s.Errors.Test
	if held.Dataset == nil {
		held, errs = words.Part{Name: "the validation part", Dataset: j.Parts.Validation}, s.Errors.Validation
	}
	if s.Twins, err = words.MeasureTwins(ctx, m, held, training, errs); err != nil {
		return err
	}
	s.Readability, err = words.Measure(ctx, m, held, training)
	s.Readability.Preset = j.Preset
	s.Page = words.TriedFor(m)
	if err == nil && s.Readability.Page != nil {
		s.Readability.Page.Price, err = PriceOf(s.RunDir, m, s)
	}
	return err
}

// measureBefore sets the errors of the model before it was pruned.
func measureBefore(ctx context.Context, s *report.Summary, saved Saved, parts *data.Parts) error {
	var errs [3]*model.Metrics
	for i, d := range []*data.Dataset{parts.Train, parts.Validation, parts.Test} {
		if d == nil {
			continue
		}
		measure := saved.Model.Evaluate
		if d == parts.Train {
			measure = saved.Model.EvaluateTraining
		}
		e, err := measure(ctx, d)
		if err != nil {
			return err
		}
		errs[i] = &e
	}
	s.SetBefore(saved.Path, saved.Model.RuleBase.Rules(), errs[0], errs[1], errs[2])
	return nil
}

// shapes returns the name of the shape of a model, or the names of all shapes of its members.
func shapes(m *model.Model) string {
	if !m.Committee() {
		return m.RuleBase.Shape.Name()
	}
	var names []string
	for _, member := range m.Members {
		if name := member.RuleBase.Shape.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// ruleLength returns how many features the IF part of a rule mentions, on average over the rules of all members.
func ruleLength(m *model.Model) float64 {
	mentioned := 0.0
	for _, one := range append([]*model.Model{m}, m.Members...) {
		switch {
		case one.Pages != nil:
			for _, pg := range one.Pages {
				for _, r := range pg.Rules {
					mentioned += float64(len(r.Conditions))
				}
			}
		case !one.Committee():
			mentioned += float64(one.RuleBase.Length(one.Categories()) * float64(one.RuleBase.Rules()))
		}
	}
	return mentioned / float64(model.CountRules(m))
}
