package text

import (
	"fmt"
	"io"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/texttable"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// writePruning writes the rounds of pruning: a table of rules and errors after each, and all
// decisions.
func writePruning(w io.Writer, s *report.Summary) error {
	if len(s.Prune) == 0 {
		return nil
	}
	first := s.Prune[0]
	header := []string{"rules", "removed by firing", "by similarity", "iterations"}
	if first.LossBefore.Validation != nil {
		header = append(header, first.Metric+", validation")
	}
	if first.LossBefore.Test != nil {
		header = append(header, first.Metric+", test")
	}
	t := texttable.New(w, 1)
	t.Header(append([]string{""}, header...))
	row := func(name string, e checkpoint.RoundLoss, cells ...string) {
		for _, v := range []*float64{e.Validation, e.Test} {
			if v != nil {
				cells = append(cells, figure(*v))
			}
		}
		t.Append(append([]string{name}, cells...))
	}
	training := s.Iterations
	for _, r := range s.Prune {
		training -= r.Refinement.Iterations
	}
	iterations := "" // unknown for a saved model
	if training > 0 {
		iterations = strconv.Itoa(training)
	}
	row("before pruning", first.LossBefore, strconv.Itoa(first.Before), "", "", iterations)
	for i, r := range s.Prune {
		row(fmt.Sprintf("after round %d", i+1), r.LossAfter, strconv.Itoa(r.After), strconv.Itoa(r.RemovedByFiring), strconv.Itoa(r.RemovedBySimilarity),
			strconv.Itoa(r.Refinement.Iterations))
	}
	if err := t.Render(); err != nil {
		return err
	}
	for i, r := range s.Prune {
		for _, line := range r.Account {
			fmt.Fprintf(w, "round %d: %s\n", i+1, line)
		}
	}
	return nil
}

// writePath writes the steps of a pruning path as a table, and the chosen step.
func writePath(w io.Writer, s *report.Summary) error {
	if len(s.Path) == 0 {
		return nil
	}
	validated := s.Path[0].LossValidation != nil
	metric := s.Path[0].Metric
	header := []string{"", "rules", metric + ", train"}
	if validated {
		header = append(header, metric+", validation", "standard error")
	}
	header = append(header, "fidelity")
	t := texttable.New(w, 0, len(header))
	t.Header(append(header, "by (rule numbers of the row above)"))
	for _, step := range s.Path {
		mark := ""
		if step.Rules == s.Rules {
			mark = "*"
		}
		row := []string{mark, strconv.Itoa(step.Rules), figure(step.LossTrain)}
		if validated {
			row = append(row, figure(*step.LossValidation), figure(*step.StandardError))
		}
		fidelity := "not finite"
		if step.Fidelity != nil {
			fidelity = strconv.FormatFloat(*step.Fidelity, 'f', 2, 64)
		}
		t.Append(append(row, fidelity, step.Decision))
	}
	if err := t.Render(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "* %d rules: %s\nfidelity: %s of the strongest rule read alone, over that of the model\n", s.Rules, s.Chosen, metric)
	return err
}
