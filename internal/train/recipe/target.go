package recipe

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/loss"
)

// CheckTarget checks that the loss and what belongs to it fit the target of a training part:
// its classes, its number of targets, and their values. The recipe must be valid. The error
// joins all faults, each an *[Error] that names the key and the target.
func CheckTarget(r Recipe, train *data.Dataset) error {
	var found faults
	add := func(key, format string, a ...any) {
		found.add(&Error{Key: key, With: []string{"data.target"}, Message: fmt.Sprintf(format, a...)})
	}
	t, classes, targets := r.Train, len(train.Schema.Classes), train.Schema.Targets()
	name := escape.Quote(targets[0])
	leastSquares := r.Model.Consequents == LeastSquares
	switch {
	case classes > 0:
		if message := misfit(t, classes); message != "" {
			add("train.loss", "%s: the target %s %s", t.Loss, name, message)
		}
		if r.Model.Bounds != nil {
			add("model.bounds", "the target %s has classes, which have no limits: remove the key", name)
		}
	case numeric(t.Loss) && len(targets) == 1:
		found = append(found, checkValues(t, train)...)
	case numeric(t.Loss):
		if t.Loss == (loss.Quantile{}).Name() {
			add("train.loss", "quantile: predicts one target, but data.target lists %d: choose one of them, or another loss", len(targets))
		}
		for c := range targets {
			found = append(found, checkValues(t, train.Target(c))...)
		}
	default:
		add("train.loss", "%s: the target %s has numbers, not classes: choose mean, or set task to classification", t.Loss, name)
	}
	if n := len(t.TargetWeights); n > 0 && (n != len(targets) || classes > 0) {
		add("train.target_weights", "%s: %d weights, but data.target lists %d, without classes: give one weight for each, or remove the key", t.TargetWeights.text(), n, len(targets))
	}
	if classes == 0 && withClassWeights(&r) {
		add("train.class_weights", "%s: the target %s has numbers, not classes: set it to none", t.ClassWeights, name)
	}
	if classes == 0 && withSmoothing(&r) {
		add("train.label_smoothing", "%v: the target %s has numbers, not classes: set it to 0", t.LabelSmoothing, name)
	}
	if classes == 0 && r.Model.Init == ByClass {
		found.add(&Error{Key: "model.init", With: []string{"data.target"}, Message: fmt.Sprintf("by-class: the target %s has numbers, not classes: choose kmeans", name)})
	}
	found = append(found, checkSigns(r, train.Schema)...)
	if single := classes == 0 && len(targets) == 1; leastSquares && !single {
		add("model.consequents", "least squares fits one target of numbers, which %s is not: set it to gradient", escape.List(targets))
	} else if t.Optimizer == "anfis" && !single {
		add("train.optimizer", "anfis fits one target of numbers, which %s is not: choose another optimizer", escape.List(targets))
	}
	return found.join()
}

// numeric reports whether the loss can be that of a target of numbers.
func numeric(of string) bool {
	return of != loss.Logistic{}.Name() && of != loss.Softmax{}.Name()
}

// misfit returns why the loss does not fit a target of classes, or an empty string.
func misfit(t Train, classes int) string {
	switch {
	case t.Loss == loss.Logistic{}.Name() && classes != 2:
		return fmt.Sprintf("has %d classes, not 2: choose softmax", classes)
	case numeric(t.Loss) && !t.squared():
		return "has classes, not numbers: choose mean, logistic (2 classes) or softmax"
	}
	return ""
}

// checkValues checks that the loss is defined for the values of a target, and that their
// mean, which scales a log link, is above 0.
func checkValues(t Train, d *data.Dataset) (found faults) {
	l := t.LossFunction(0)
	bounded, ok := t.unweighted(0).(loss.Bounded)
	if !ok {
		return nil
	}
	limits, name := bounded.Targets(), escape.Quote(d.Schema.Target)
	fail := func(format string, a ...any) {
		found.add(&Error{Key: "train.loss", With: []string{"data.target"}, Message: fmt.Sprintf(format, a...)})
	}
	if n := slices.IndexFunc(d.Y, func(v float64) bool { return !limits.Has(v) }); n >= 0 {
		fail("%s: needs targets %v, but %s is %v in row %d of the training part: choose another loss, such as mean", l.Name(), limits, name, d.Y[n], n+1)
	} else if !(weighted.Mean(d.Y, d.Weights) > 0) {
		fail("%s: the target %s is 0 in all rows: choose another loss, such as mean", l.Name(), name)
	}
	return found
}
