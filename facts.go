package tskgraph

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Settings returns the options by the keys of config.yaml, with the values that
// auto and defaults stand for, as a model file keeps them.
func (o Options) Settings() (map[string]string, error) {
	r, err := o.resolve()
	if err != nil {
		return nil, err
	}
	return o.facts(r), nil
}

// facts returns the options by the keys of config.yaml, as a model file keeps
// them.
func (o Options) facts(r resolved) map[string]string {
	f := map[string]string{
		"model.rules": strconv.Itoa(o.Model.Rules), "model.membership": o.Model.Membership.Name(),
		"model.init": r.init, "model.engine": r.engine, "model.consequents": o.Model.Consequents,
		"train.optimizer": o.Train.Optimizer, "train.seed": strconv.FormatUint(o.Train.Seed, 10),
	}
	if o.Model.Rules == 0 {
		delete(f, "model.rules") // a saved model's
	}
	if o.Train.Members > 1 {
		f["train.members"] = strconv.Itoa(o.Train.Members)
	}
	for key, value := range o.counts() {
		f[key] = strconv.Itoa(*value)
	}
	if o.Model.PCA == 0 {
		delete(f, "data.pca") // none, or a saved model's
	}
	for key, value := range o.rates() {
		f[key] = number(*value)
	}
	for key, c := range o.choices() {
		f[key] = cmp.Or(*c.value, c.words[0])
	}
	f["model.margin"] = marginFact(o.Model.Margin)
	if b := o.Model.Bounds; b != nil {
		f["model.bounds"] = number(b[0]) + " to " + number(b[1])
	}
	f["train.log_spreads"] = strconv.FormatBool(o.Train.LogSpreads)
	for _, name := range optim.Uses(o.Train.Optimizer) {
		f["train."+name] = number(*r.solverUsed.Option(name))
	}
	return f
}

// counts are the options that are whole numbers, by key.
func (o *Options) counts() map[string]*int {
	return map[string]*int{
		"train.iterations": &o.Train.Iterations, "train.batch": &o.Train.Batch, "train.patience": &o.Train.Patience,
		"train.validate_every": &o.Train.ValidateEvery, "prune.rounds": &o.Prune.Rounds,
		"model.order": &o.Model.Order,
		"data.pca":    &o.Model.PCA,
	}
}

// rates are those that are numbers, but for the solver's.
func (o *Options) rates() map[string]*float64 {
	return map[string]*float64{
		"train.l2": &o.Train.L2, "train.droprule": &o.Train.DropRule,
		"prune.gamma": &o.Prune.Gamma, "prune.theta": &o.Prune.Theta,
		"model.antecedents": &o.Model.Antecedents, "model.spread_floor": &o.Model.SpreadFloor,
		"train.uniform": &o.Train.Uniform, "train.consequent_rate": &o.Train.ConsequentRate,
	}
}

// OptionsOf returns the options that a saved model was trained with, to go on with
// it. A committee is refused. What a model file does not say is as in [Paper].
// Patience is zero, whatever it was: there may be no validation part now.
// Components are the model's, so that PCA is zero too.
func OptionsOf(m *model.Model) (Options, error) {
	if err := m.Validate(); err != nil {
		return Options{}, err
	}
	if err := single(m); err != nil {
		return Options{}, err
	}
	o := Paper()
	o.Model = ModelOptions{Membership: m.RuleBase.Shape, Init: SavedModel, Engine: m.Training.Engine, Consequents: o.Model.Consequents, Order: 1, Margin: o.Model.Margin}
	facts := m.Training.Options
	var err error
	read := func(key string, parse func(string) error) {
		if text, ok := facts[key]; ok && err == nil {
			if e := parse(text); e != nil {
				err = fmt.Errorf("%w: training.options: %s: %q is no value for it", model.ErrFile, key, text)
			}
		}
	}
	for key, value := range o.counts() {
		read(key, func(text string) (e error) { *value, e = strconv.Atoi(text); return e })
	}
	for key, value := range o.rates() {
		read(key, func(text string) (e error) { *value, e = strconv.ParseFloat(text, 64); return e })
	}
	for key, c := range o.choices() {
		read(key, func(text string) error { *c.value = text; return nil })
	}
	read("model.margin", func(text string) (e error) { o.Model.Margin, e = readMargin(text); return e })
	read("model.bounds", func(text string) (e error) { o.Model.Bounds, e = readBounds(text); return e })
	read("train.log_spreads", func(text string) (e error) { o.Train.LogSpreads, e = strconv.ParseBool(text); return e })
	read("train.seed", func(text string) (e error) { o.Train.Seed, e = strconv.ParseUint(text, 10, 64); return e })
	read("model.consequents", func(text string) error { o.Model.Consequents = text; return nil })
	read("train.optimizer", func(text string) error { o.Train.Optimizer = text; return nil })
	for _, name := range optim.Uses(o.Train.Optimizer) {
		read("train."+name, func(text string) (e error) {
			*o.Train.Solver.Option(name), e = strconv.ParseFloat(text, 64)
			return e
		})
	}
	o.Train.Patience, o.Model.PCA = 0, 0
	return o, err
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// exactRange is what a model file says for a margin of 0. It says 0 for none, as files did when there was no other way to
// leave predictions unlimited.
const exactRange = "range"

func marginFact(margin float64) string {
	switch {
	case margin == 0:
		return exactRange
	case math.IsInf(margin, 1):
		return "0"
	}
	return number(margin)
}

func readMargin(text string) (float64, error) {
	switch text {
	case exactRange:
		return 0, nil
	case "0":
		return math.Inf(1), nil
	}
	return strconv.ParseFloat(text, 64)
}

func readBounds(text string) (*[2]float64, error) {
	first, second, _ := strings.Cut(text, " to ")
	low, err := strconv.ParseFloat(first, 64)
	high, err2 := strconv.ParseFloat(second, 64)
	return &[2]float64{low, high}, errors.Join(err, err2)
}
