package recipe

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/loss"
)

// Values of Train.Loss for the squared error, or the cross-entropy of classes: its sum or its
// mean over a batch.
const (
	SumLoss  = "sum"
	MeanLoss = "mean"
)

// BalancedClasses is the value of Train.ClassWeights for classes of equal total weight.
const BalancedClasses = "balanced"

// Numbers is a list of numbers.
type Numbers []float64

// lossKeys returns the keys of the loss.
func lossKeys() []Key {
	return slices.Concat([]Key{
		{Name: "train.loss", Choices: losses(), Doc: lossDoc(),
			Field: func(r *Recipe) Field { return Word(&r.Train.Loss) }},
	}, paramKeys(), []Key{
		{Name: "train.target_weights", Limits: interval.Above(0),
			Field: func(r *Recipe) Field { return at(&r.Train.TargetWeights, &lists) }, Shown: withTargetWeights, Kept: withTargetWeights},
		{Name: "train.class_weights", Choices: []string{"none", BalancedClasses},
			Field: func(r *Recipe) Field { return Word(&r.Train.ClassWeights) }, Shown: withClassWeights, Kept: withClassWeights},
		{Name: "train.label_smoothing", Limits: interval.From(0).Below(1),
			Field: func(r *Recipe) Field { return Real(&r.Train.LabelSmoothing) }, Shown: withSmoothing, Kept: withSmoothing},
	})
}

// paramKeys returns the keys of the parameters of the registered losses.
func paramKeys() []Key {
	var rows []Key
	for _, p := range loss.Params() {
		used := func(r *Recipe) bool { return r.Train.Loss == p.Of }
		rows = append(rows, Key{
			Name: "train." + p.Name, Doc: p.Doc, Limits: p.Limits, ZeroWhere: func(r *Recipe) bool { return !used(r) }, Shown: used, Kept: used,
			Field: func(r *Recipe) Field { return param(&r.Train.Params, p) },
		})
	}
	return rows
}

// param returns the field of a parameter of a loss or a penalty: a list, nil if it is not set, or a number.
func param[T any](values *loss.Values, p registry.Param[T]) Field {
	if p.List {
		return field[Numbers]{&lists, func() Numbers { return (*values)[p.Name] }, func(v Numbers) { values.Set(p.Name, v...) }}
	}
	get := func() float64 {
		if v, ok := (*values)[p.Name]; ok {
			return v[0]
		}
		return p.Default[0]
	}
	return field[float64]{&reals, get, func(v float64) {
		if values.Set(p.Name, v); v == p.Default[0] {
			values.Set(p.Name)
		}
	}}
}

func withTargetWeights(r *Recipe) bool { return len(r.Train.TargetWeights) > 0 }
func withClassWeights(r *Recipe) bool  { return r.Train.ClassWeights == BalancedClasses }
func withSmoothing(r *Recipe) bool     { return r.Train.LabelSmoothing != 0 }

// lossDoc describes the losses; of those in other files it has the names.
func lossDoc() string {
	doc := Doc("train.loss", nil)
	for _, name := range losses() {
		if !strings.Contains(doc, name) {
			doc += ", " + name
		}
	}
	return doc
}

// losses returns the choices of train.loss: sum and mean of the squared error or of the
// cross-entropy, and the other registered losses.
func losses() []string {
	return append([]string{SumLoss, MeanLoss}, slices.DeleteFunc(loss.Names(),
		func(name string) bool { return name == loss.Squared{}.Name() })...)
}

// MeanLoss reports whether the loss is the mean over a batch, with targets in units of
// their standard deviation, or of their mean for a loss with a log link. This holds for
// every loss except sum.
func (t Train) MeanLoss() bool { return t.Loss != SumLoss }

// squared reports whether the loss of a numeric target is squared.
func (t Train) squared() bool { return t.Loss == SumLoss || t.Loss == MeanLoss }

// LossFunction returns the loss of a sample with the given number of classes, 0 for a
// numeric target: for sum and mean squared, logistic for two classes and softmax for more.
// Weights of several targets are scaled to a mean of one. The recipe must be valid.
func (t Train) LossFunction(classes int) loss.Loss {
	l := t.unweighted(classes)
	if len(t.TargetWeights) < 2 {
		return l
	}
	weights, sum := slices.Clone(t.TargetWeights), 0.0
	for _, w := range weights {
		sum += w
	}
	for c := range weights {
		weights[c] *= float64(len(weights)) / sum
	}
	return loss.Joint(l, weights)
}

func (t Train) unweighted(classes int) loss.Loss {
	if t.squared() && classes > 0 {
		if classes == 2 {
			return loss.Logistic{}
		}
		return loss.Softmax{}
	}
	l, err := loss.With(t.Loss, t.Params)
	if err != nil {
		return loss.Squared{}
	}
	return l
}

// OffsetPower returns the power of [data.Offset] for the loss. The error, of a loss that has none, is an *[Error] about data.offset.
func (t Train) OffsetPower() (float64, error) {
	of, ok := t.unweighted(0).(loss.Varying)
	if !ok {
		var can []string
		for _, l := range loss.All() {
			if _, ok := l.(loss.Varying); ok {
				can = append(can, l.Name())
			}
		}
		return 0, &Error{Key: "data.offset", With: []string{"train.loss"},
			Message: fmt.Sprintf("an exposure needs a loss with the log link, which %s is not: set train.loss to %s", t.Loss, OneOf(can, false))}
	}
	return of.Variance(), nil
}

// LossWeights returns the weights of the samples in the loss [N], nil for all one: their own
// and, of balanced classes, those of their classes, N / (K N_k) for N_k samples of class k by
// weight, of the Whole if there is one.
func (t Train) LossWeights(d *data.Dataset) []float64 {
	if !withClassWeights(&Recipe{Train: t}) {
		return d.Weights
	}
	weights := slices.Clone(numeric.EachWeight(d.Weights, d.Len()))
	shares, total := classWeights(d)
	for n, k := range d.Y {
		weights[n] *= total / (float64(len(shares)) * shares[int(k)])
	}
	return weights
}

// classWeights returns the sum of the weights of each class [K] and of all samples, of the Whole if
// there is one.
func classWeights(d *data.Dataset) (sums []float64, total float64) {
	if d.Whole != nil {
		return d.Whole.ClassWeights(), d.Whole.Weight()
	}
	sums = make([]float64, len(d.Schema.Classes))
	for n, k := range d.Y {
		w := numeric.WeightAt(d.Weights, n)
		sums[int(k)] += w
		total += w
	}
	return sums, total
}

// Smooth moves the share LabelSmoothing of the probabilities of classes, targets of the loss
// [N C] that are 0 or 1, to equal shares of all classes: t becomes (1-share) t + share/K.
func (t Train) Smooth(targets []float64, classes int) {
	if t.LabelSmoothing == 0 {
		return
	}
	for i, v := range targets {
		targets[i] = float64((1-t.LabelSmoothing)*v) + t.LabelSmoothing/float64(classes)
	}
}

// checkLoss checks the values that belong to a loss.
func checkLoss(t Train) (found faults) {
	add := func(key, with, format string, a ...any) {
		found.add(&Error{Key: key, With: []string{with}, Message: fmt.Sprintf(format, a...)})
	}
	for _, p := range loss.Params() {
		given, key := Numbers(t.Params[p.Name]), "train."+p.Name
		switch {
		case !p.List: // one of another loss has no effect
		case t.Loss == p.Of && len(given) == 0:
			add(key, "train.loss", "empty: loss %s (train.loss) needs a list, such as %s", t.Loss, Numbers(p.Default).text())
		case t.Loss != p.Of && len(given) > 0:
			add(key, "train.loss", "%s: loss %s (train.loss) has no %s: set it to %s, or remove the key", given.text(), t.Loss, p.Name, p.Of)
		case !slices.IsSorted(given) || len(slices.Compact(slices.Clone(given))) < len(given):
			add(key, "train.loss", "%s: must be ascending", given.text())
		}
	}
	if n := len(t.TargetWeights); n > 0 && t.Loss == (loss.Quantile{}).Name() {
		add("train.target_weights", "train.loss", "%s: loss quantile (train.loss) has a single target: remove the key", t.TargetWeights.text())
	}
	return found
}

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
		if r.Model.Range != nil {
			add("model.range", "the target %s has classes, which have no limits: remove the key", name)
		}
	case ofNumbers(t.Loss) && len(targets) == 1:
		found = append(found, checkValues(t, train)...)
	case ofNumbers(t.Loss):
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
		add("train.target_weights", "%s: %d weights, but data.target lists %d, without classes: give one weight for each, or remove the key",
			t.TargetWeights.text(), n, len(targets))
	}
	if classes == 0 && withClassWeights(&r) {
		add("train.class_weights", "%s: the target %s has numbers, not classes: set it to none", t.ClassWeights, name)
	}
	if classes == 0 && withSmoothing(&r) {
		add("train.label_smoothing", "%v: the target %s has numbers, not classes: set it to 0", t.LabelSmoothing, name)
	}
	if classes == 0 && r.Model.Init == ByClass {
		found.add(&Error{Key: "model.init", With: []string{"data.target"},
			Message: fmt.Sprintf("by-class: the target %s has numbers, not classes: choose kmeans", name)})
	}
	found = append(found, checkOffset(t, train.Schema.Offset)...)
	if why := withoutPage(&r, train); r.Model.OnPage() && why != "" {
		add("model.init", "%s, but %s: choose tree", filepath.Base(r.Model.Init), why)
	}
	found = append(found, checkMonotone(r, train.Schema)...)
	found = append(found, checkRoles(r, train.Schema)...)
	single := classes == 0 && len(targets) == 1
	found = append(found, checkNeighbours(&r, train, single)...)
	if leastSquares && !single {
		add("model.consequents", "least squares fits one target of numbers, which %s is not: set it to gradient", escape.List(targets))
	} else if t.Optimizer == "anfis" && !single {
		add("train.optimizer", "anfis fits one target of numbers, which %s is not: choose another optimizer", escape.List(targets))
	}
	return found.join()
}

// checkOffset checks that the rows are weighted by their exposure for the loss.
func checkOffset(t Train, o data.Offset) (found faults) {
	if o.Column == "" {
		return nil
	}
	if p, err := t.OffsetPower(); err != nil {
		found = append(found, err)
	} else if p != o.Power {
		found.add(&Error{Key: "train.loss", With: []string{"data.offset"}, Message: fmt.Sprintf(
			"%s: rows have weights by their exposure %s for a loss of the power %v, not %v: choose one of this power", t.Loss,
			escape.Quote(o.Column), o.Power, p)})
	}
	return found
}

// checkNeighbours checks that a model, or the committee that teaches it, can have neighbours if the recipe says so. single reports a
// single target of numbers.
func checkNeighbours(r *Recipe, train *data.Dataset, single bool) (found faults) {
	const need = "one target of numbers and a loss with the identity link, such as mean: set it to none"
	if !single || r.Train.LossFunction(0).Link().Name() != loss.Identity().Name() {
		if withNeighbours(r) {
			found.add(&Error{Key: "model.neighbours", With: []string{"data.target"}, Message: "auto: needs " + need})
		}
		if withTeacher(r) {
			found.add(&Error{Key: "train.teacher", With: []string{"data.target"}, Message: "committee: has neighbours, which need " + need})
		}
	}
	if withTeacher(r) && train.Whole != nil {
		found.add(&Error{Key: "train.teacher", Message: fmt.Sprintf(
			"committee: needs all rows in memory, at most %d for training: set it to none", data.SampleRows)})
	}
	return found
}

// ofNumbers reports whether the loss can be that of a target of numbers.
func ofNumbers(of string) bool {
	return of != loss.Logistic{}.Name() && of != loss.Softmax{}.Name()
}

// misfit returns why the loss does not fit a target of classes, or an empty string.
func misfit(t Train, classes int) string {
	switch {
	case t.Loss == loss.Logistic{}.Name() && classes != 2:
		return fmt.Sprintf("has %d classes, not 2: choose softmax", classes)
	case ofNumbers(t.Loss) && !t.squared():
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
		fail("%s: needs targets %v, but %s is %v in row %d of the training part: choose another loss, such as mean", l.Name(), limits, name,
			d.Y[n], n+1)
	} else if !(numeric.WeightedMean(d.Y, d.Weights) > 0) {
		fail("%s: the target %s is 0 in all rows: choose another loss, such as mean", l.Name(), name)
	}
	return found
}
