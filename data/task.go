package data

import (
	"slices"
)

const (
	taskAuto           = "auto"
	taskRegression     = "regression"
	taskClassification = "classification"
)

// Tasks returns the values of Options.Task.
func Tasks() []string { return []string{taskAuto, taskRegression, taskClassification} }

// Targets returns the names of all columns to predict.
func (o Options) Targets() []string { return slices.Concat([]string{o.Target}, o.Others) }

// validateTask checks the task, and that it fits the number of targets.
func (o Options) validateTask() error {
	switch {
	case o.Task != "" && !slices.Contains(Tasks(), o.Task):
		return keyFault("task", "%s: want auto, regression or classification", quote(o.Task))
	case o.Task == taskClassification && len(o.Others) > 0:
		return keyFault("task", "classification of %d targets: classes are predicted of one target: name one in data.target, or set task to regression for targets of numbers", 1+len(o.Others)).with("data.target")
	case len(o.Others) >= maxTargets:
		return keyFault("data.target", "%d targets: at most %d", 1+len(o.Others), maxTargets)
	}
	return nil
}

// validateTask checks that a task is that of a built-in data set.
func (b builtin) validateTask(task string) error {
	if err := (Options{Task: task}).validateTask(); err != nil || task == "" || task == taskAuto {
		return err
	}
	if own := map[bool]string{true: taskClassification, false: taskRegression}[b.classes != nil]; task != own {
		return keyFault("task", "%s: the built-in data %s are for %s", task, quote(b.name), own).with("data.builtin")
	}
	return nil
}

// targets are the columns to predict. One may be of classes; several are numbers.
func (o Options) targets(t *table) (all []*column) {
	for _, name := range o.Targets() {
		all = append(all, numericColumn(name, t.index[name], o.NA.of(name)))
	}
	if len(all) > 1 {
		return all
	}
	switch target := all[0]; o.Task {
	case taskClassification:
		target.class = true
		target.code(OneHot, nil)
	case taskRegression:
		target.class = true
	default: // the first cell decides
		target.class, target.Encoding = true, ""
	}
	return all
}

// knownTargets finds the targets of a schema in a table.
func knownTargets(t *table, s Schema) (all []*column, err error) {
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
