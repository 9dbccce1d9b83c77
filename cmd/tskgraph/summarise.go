package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/baseline"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/report"
	"github.com/tskgraph/tskgraph/report/text"
)

// summarise measures the model on every part, and calibrates it.
func (t *training) summarise(m *model.Model, done optim.Result, parts *data.Parts, dir *runDir) (*report.Summary, error) {
	s := &report.Summary{
		RunDir: dir.path, Model: dir.file(model.FileName), Data: t.config.Data.Name(), Target: m.Schema.Target,
		Membership: t.config.Options.Model.Membership.Name(), Engine: m.Training.Engine,
		Members: len(m.Members), Rules: countRules(m), RuleLength: ruleLength(m), Features: len(m.Inputs()), Dropped: m.Dropped(),
		Iterations: done.Iterations, Best: done.Best, Stopped: done.Stopped,
		Seed: m.Training.Seed, Skipped: done.Skipped, Missing: parts.Train.Missing,
	}
	e, err := m.Evaluate(parts.Train)
	if err != nil {
		return nil, err
	}
	s.SetTrain(e)
	if parts.Validation != nil {
		e, err := m.Evaluate(parts.Validation)
		if err != nil {
			return nil, err
		}
		s.SetValidation(e)
		if parts.Test == nil {
			b, err := baseline.Measure(parts.Train, parts.Validation)
			if err != nil {
				return nil, err
			}
			s.Verdict = baseline.Compare("the validation part", e, b.Mean, &b.OLS)
		}
	}
	if parts.Test != nil {
		e, err := m.Evaluate(parts.Test)
		if err != nil {
			return nil, err
		}
		b, err := baseline.Measure(parts.Train, parts.Test)
		if err != nil {
			return nil, err
		}
		s.SetTest(e, b.Mean, b.OLS)
		m.Training.Metrics["rmse_test"] = e.RMSE
	}
	if parts.Calibration != nil {
		if err := m.Calibrate(parts.Calibration); err != nil {
			return nil, err
		}
		if err := s.SetCalibration(m, parts.Test); err != nil {
			return nil, err
		}
		if s.Interval == nil {
			t.note("%d calibration samples are too few for a 90%% prediction interval, which needs 9", s.SamplesCalibration)
		}
	}
	s.Seconds = time.Since(t.start).Seconds()
	return s, nil
}

// countRules returns the number of rules, of all members together.
func countRules(m *model.Model) int {
	if !m.Committee() {
		return m.RuleBase.Rules()
	}
	rules := 0
	for _, member := range m.Members {
		rules += member.RuleBase.Rules()
	}
	return rules
}

// ruleLength returns how many features the IF part of a rule mentions, on average
// over the rules of all members.
func ruleLength(m *model.Model) float64 {
	if !m.Committee() {
		return m.RuleBase.Length()
	}
	mentioned := 0.0
	for _, member := range m.Members {
		mentioned += member.RuleBase.Length() * float64(member.RuleBase.Rules())
	}
	return mentioned / float64(countRules(m))
}

// printSummary prints the summary, and what speaks against the model on standard error.
func printSummary(cmd *cobra.Command, s *report.Summary, asJSON bool) error {
	defer warn(cmd, s.Verdict)
	w := cmd.OutOrStdout()
	if asJSON {
		return printJSON(w, s)
	}
	if err := text.WriteSummary(w, s); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "model: %s\n", s.Model)
	return err
}

// warn says loudly that a model is not worth using.
func warn(cmd *cobra.Command, v *baseline.Verdict) {
	if text := v.Warning(); text != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "WARNING: %s\n", text)
	}
}
