package text

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// errorColumns returns the headings of the errors of a task, and the function that formats errors of it.
func errorColumns(of model.Metrics) (headings []string, cells func(e model.Metrics) []string) {
	numbers := func(e model.Metrics) []string { return []string{figure(e.RMSE), figure(e.MAE), r2(e.R2)} }
	switch {
	case of.Classes != nil:
		return []string{"accuracy", "balanced", "log loss", "AUC", "Brier"}, classCells
	case of.Pinball != nil:
		return []string{"pinball loss", "RMSE", "MAE", "R2"}, func(e model.Metrics) []string { return append([]string{figure(e.Loss)}, numbers(e)...) }
	case of.Deviance != nil:
		return []string{"deviance", "RMSE", "MAE", "R2"}, func(e model.Metrics) []string { return append([]string{figure(*e.Deviance)}, numbers(e)...) }
	}
	return []string{"RMSE", "MAE", "R2"}, numbers
}

func classCells(e model.Metrics) []string {
	c := e.Classes
	auc := "–"
	if c.AUC != nil {
		auc = fmt.Sprintf("%.4f", *c.AUC)
	}
	if c.AUCError >= 0.5e-4 {
		auc += fmt.Sprintf(" ± %.1g", c.AUCError)
	}
	return []string{fmt.Sprintf("%.4f", c.Accuracy), fmt.Sprintf("%.4f", c.BalancedAccuracy), figure(c.LogLoss), auc, fmt.Sprintf("%.4f", c.Brier)}
}

// errorRows calls row for errors with their name and, of several targets, first for those of each.
func errorRows(name string, e model.Metrics, row func(cells []string)) {
	_, cells := errorColumns(e)
	add := func(name string, e model.Metrics) {
		row(slices.Concat([]string{name}, cells(e), []string{strconv.Itoa(e.Samples)}))
	}
	for _, t := range e.Targets {
		add(name+", "+escape.Text(t.Target), t)
	}
	if len(e.Targets) > 0 {
		name += ", all (in standard deviations)"
	}
	add(name, e)
}

// absentClasses is a line on classes without a sample; empty if there are none.
func absentClasses(part string, e model.Metrics) string {
	if e.Classes == nil || e.Classes.Absent == 0 {
		return ""
	}
	return fmt.Sprintf("classes without a sample in %s: %d of %d; balanced accuracy and AUC leave them out\n", part, e.Classes.Absent, len(e.Classes.Confusion))
}
