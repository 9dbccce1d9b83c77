package text

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// headings are those of the errors of a task.
func headings(of model.Metrics) (all []string) {
	for _, m := range of.Measures() {
		if m.Heading != "" {
			all = append(all, m.Heading)
		}
	}
	return all
}

// cells are the errors below the headings.
func cells(e model.Metrics) (all []string) {
	for _, m := range e.Measures() {
		if m.Heading != "" {
			all = append(all, m.Text(e))
		}
	}
	return all
}

// errorRows calls row for errors with their name and, of several targets, first for those of each.
func errorRows(name string, e model.Metrics, row func(cells []string)) {
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
