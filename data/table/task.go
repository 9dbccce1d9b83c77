package table

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

const (
	TaskAuto           = "auto"
	TaskRegression     = "regression"
	TaskClassification = "classification"
)

// Tasks returns the values of Options.Task.
func Tasks() []string { return []string{TaskAuto, TaskRegression, TaskClassification} }

// Targets returns the names of all columns to predict.
func (o Options) Targets() []string { return slices.Concat([]string{o.Target}, o.Others) }

// validateTask checks the task, and that it fits the number of targets.
func (o Options) ValidateTask() error {
	switch {
	case o.Task != "" && !slices.Contains(Tasks(), o.Task):
		return KeyFault("task", "%s: want auto, regression or classification", escape.Quote(o.Task))
	case o.Task == TaskClassification && len(o.Others) > 0:
		return KeyFault("task", "classification of %d targets: classes are predicted of one target: name one in data.target, or set task to regression for targets of numbers", 1+len(o.Others)).RestingOn("data.target")
	case len(o.Others) >= MaxTargets:
		return KeyFault("data.target", "%d targets: at most %d", 1+len(o.Others), MaxTargets)
	}
	return nil
}

// targets are the columns to predict. One may be of classes; several are numbers.
func (o Options) targets(t *Cursor) (all []*Coder) {
	for _, name := range o.Targets() {
		all = append(all, numericColumn(name, t.index[name], o.NA.of(name)))
	}
	if len(all) > 1 {
		return all
	}
	switch target := all[0]; o.Task {
	case TaskClassification:
		target.class = true
		target.code(OneHot, nil)
	case TaskRegression:
		target.class = true
	default: // the first cell decides
		target.class, target.Encoding = true, ""
	}
	return all
}

// knownTargets finds the targets of a schema in a table.
func KnownTargets(t *Cursor, s Schema) (all []*Coder, err error) {
	for i, name := range s.Targets() {
		at, err := t.find("the target", name)
		if err != nil {
			return nil, err
		}
		c := numericColumn(name, at, s.NA.of(name))
		if i == 0 && s.Classes != nil {
			c.class = true
			c.code(OneHot, s.Classes)
		}
		all = append(all, c)
	}
	return all, nil
}
