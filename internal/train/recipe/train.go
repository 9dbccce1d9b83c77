package recipe

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
)

// Train is the `train:` section of config.yaml.
type Train struct {
	Iterations int          // K, updates
	Batch      int          // B, samples per update; 0, or more than there are: all
	Optimizer  string       // adabound, adam, rmsprop, sgd, or anfis, which requires Batch 0
	Solver     optim.Values // options of the optimizer by name; absent or zero: the default
	// sum of the squared errors of a batch, mean, or the name of another loss, see Train.MeanLoss and Train.LossFunction
	Loss       string
	Schedule   string  // of the learning rates: constant, or cosine
	LogSpreads bool    // train spreads, if the shape has them, as logarithms
	L2         float64 // lambda, the penalty of the slopes
	Shrink     string  // target of L2: zero, or the mean of the slopes over the rules
	DropRule   float64 // P, the probability that a rule is kept, in (0, 1]
	// P of Rule Dropout, which discards rules after the normalisation, see layers.RuleDropout, in (0, 1]; 1: none. Then
	// DropRule must be 1
	RuleDropout   float64
	BatchNorm     bool   // batch normalisation of the consequents' inputs, see graph.Options
	Patience      int    // iterations without a better validation error after which training stops; 0: never
	ValidateEvery int    // iterations from one validation to the next, at least 1
	Members       int    // models in the committee; 0 or 1: a single model
	Teacher       string // of a single model: "" or NoTeacher, or CommitteeTeacher
	Seed          uint64 // of every random stream

	// parameters of losses and weights of the other penalties by name, e.g. "quantiles", "uniform"; absent: the default
	Params         loss.Values
	TargetWeights  Numbers // weights of several targets in the loss [C]; nil: equal
	ClassWeights   string  // in the loss: none or balanced
	LabelSmoothing float64 // share of a sample's class that is divided among all classes, see Train.Smooth

	ConsequentRate float64 // learning rate of biases and slopes; 0: that of the antecedents

	// Race, if not empty, lists settings to choose from on at most RaceSplits splits of the training part, by their errors or, beyond
	// the limit Fidelity if it is not zero, by their fidelity, see model.Readability. If this is the race of the preset or a part of
	// it, values that differ from the preset hold in every candidate.
	Race       []Setting
	Fidelity   float64
	RaceSplits int
}

// Values of Train.Teacher.
const (
	NoTeacher        = "none"
	CommitteeTeacher = "committee"
)

// Penalties returns the penalties that are added to the loss of a sample, see
// [Train.LossFunction].
func (t Train) Penalties(l loss.Loss) []penalty.Penalty {
	return penalty.For(l, append(penalty.With(t.Params), penalty.Slopes{Lambda: t.L2, ToMean: t.Shrink == "mean"}))
}

// Agreement returns the weight of the rules' agreement, see [penalty.Agreement].
func (t Train) Agreement() float64 {
	for _, p := range penalty.With(t.Params) {
		if p, ok := p.(penalty.Agreement); ok {
			return p.Alpha
		}
	}
	return 0
}

// penaltyKeys returns the keys of the weights of the registered penalties: those of this module with how a search draws
// them, then the others.
func penaltyKeys() []Key {
	rows := []Key{
		{Name: "train.uniform", Draw: &Draw{Order: 7, Factors: []float64{0.04, 0.2, 1, 5}}},
		{Name: "train.agreement", Draw: &Draw{Order: 12, Values: []any{0.0, 0.01, 0.03, 0.1, 0.3}},
			Kept: func(r *Recipe) bool { return r.Train.Agreement() != 0 }},
		{Name: "train.curve_l2", Draw: &Draw{Order: 15, Factors: []float64{0.1, 0.3, 1, 3, 10}}, Shown: withCurves, Kept: withCurves},
		{Name: "train.curve_deviation_l2", Draw: &Draw{Order: 16, Factors: []float64{0.1, 0.3, 1, 3, 10}}, Shown: withCurves, Kept: withCurves},
	}
	for _, p := range penalty.Params() {
		i := slices.IndexFunc(rows, func(k Key) bool { return k.Name == "train."+p.Name })
		if i < 0 {
			i = len(rows)
			rows = append(rows, Key{Name: "train." + p.Name})
		}
		rows[i].Doc, rows[i].Limits, rows[i].Race = p.Doc, p.Limits, true
		rows[i].Field = func(r *Recipe) Field { return param(&r.Train.Params, p) }
	}
	return rows
}

// raceSection are the keys of the race, which a model file does not keep.
var raceSection = []Key{
	{Name: "train.race",
		Field: func(r *Recipe) Field { return at(&r.Train.Race, &settings) }, Kept: never},
	{Name: "train.race_splits", Limits: interval.From(1).To(maxRaceSplits), ZeroWhere: noRace,
		Field: func(r *Recipe) Field { return Whole(&r.Train.RaceSplits) }, Shown: func(r *Recipe) bool { return !noRace(r) }, Kept: never},
	{Name: "train.fidelity", Limits: interval.From(0),
		Field: func(r *Recipe) Field { return Real(&r.Train.Fidelity) }, Shown: func(r *Recipe) bool { return !noRace(r) }, Kept: never},
}

func trainKeys() []Key {
	return []Key{
		{Name: "train.iterations", Race: true, Limits: interval.From(1).To(MaxCount),
			Draw:  &Draw{Order: 8, Heading: "iterations", Factors: []float64{0.25, 0.5, 1, 2}},
			Field: func(r *Recipe) Field { return Whole(&r.Train.Iterations) }},
		{Name: "train.batch", Race: true, Limits: interval.From(0).To(MaxCount),
			Draw:  &Draw{Order: 9},
			Field: func(r *Recipe) Field { return Whole(&r.Train.Batch) }},
		{Name: "train.optimizer", Choices: optim.Solvers(), Doc: Doc("train.optimizer", optim.Solvers()),
			Field: func(r *Recipe) Field { return Word(&r.Train.Optimizer) }},
	}
}

var rateKeys = []Key{
	{Name: "train.consequent_rate", Race: true, Label: "rate of THEN parts", Limits: interval.From(0),
		Draw:  &Draw{Order: 11, Along: optim.LearningRate},
		Field: func(r *Recipe) Field { return Real(&r.Train.ConsequentRate) }},
	{Name: "train.schedule", Choices: []string{"constant", "cosine"},
		Field: func(r *Recipe) Field { return Word(&r.Train.Schedule) }},
}

// slopeKeys are the keys of spreads and of the penalty of the slopes, which least squares has, too.
var slopeKeys = []Key{
	{Name: "train.log_spreads",
		Field: func(r *Recipe) Field { return Flag(&r.Train.LogSpreads) }},
	{Name: "train.l2", Race: true, Limits: interval.From(0),
		Draw:  &Draw{Order: 6, Heading: "l2", Factors: []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10}},
		Field: func(r *Recipe) Field { return Real(&r.Train.L2) }},
	{Name: "train.shrink", Race: true, Choices: []string{"zero", "mean"},
		Draw:  &Draw{Order: 21, Inherited: true},
		Field: func(r *Recipe) Field { return Word(&r.Train.Shrink) }},
}

// updateKeys are the keys of updates and their number.
var updateKeys = []Key{
	{Name: "train.droprule", Race: true, Limits: interval.Above(0).To(1),
		Draw:  &Draw{Order: 5, Heading: "droprule", Values: []any{0.3, 0.4, 0.5, 0.65, 0.8, 1.0}},
		Field: func(r *Recipe) Field { return Real(&r.Train.DropRule) }},
	{Name: "train.rule_dropout", Limits: interval.Above(0).To(1),
		Field: func(r *Recipe) Field { return Real(&r.Train.RuleDropout) }, Shown: withRuleDropout, Kept: withRuleDropout},
	{Name: "train.batch_norm",
		Field: func(r *Recipe) Field { return Flag(&r.Train.BatchNorm) },
		Shown: func(r *Recipe) bool { return r.Train.BatchNorm }, Kept: func(r *Recipe) bool { return r.Train.BatchNorm }},
	{Name: "train.patience", Limits: interval.From(0).To(MaxCount),
		Field: func(r *Recipe) Field { return Whole(&r.Train.Patience) }},
	{Name: "train.validate_every", Limits: interval.From(1).To(MaxCount),
		Field: func(r *Recipe) Field { return Whole(&r.Train.ValidateEvery) }},
	{Name: "train.members", Limits: interval.From(1).To(maxMembers), ZeroWhere: always,
		Field: func(r *Recipe) Field { return Whole(&r.Train.Members) }, Kept: func(r *Recipe) bool { return r.Train.Members > 1 }},
	{Name: "train.teacher", Choices: []string{NoTeacher, CommitteeTeacher},
		Field: func(r *Recipe) Field { return Word(&r.Train.Teacher) }, Shown: withTeacher, Kept: withTeacher},
	{Name: "train.seed",
		Field: func(r *Recipe) Field { return Seed(&r.Train.Seed) }},
}

func withTeacher(r *Recipe) bool { return r.Train.Teacher == CommitteeTeacher }

func withRuleDropout(r *Recipe) bool { return r.Train.RuleDropout != 1 }

func always(*Recipe) bool   { return true }
func never(*Recipe) bool    { return false }
func noRace(r *Recipe) bool { return len(r.Train.Race) == 0 }

// Method returns the optimizer with its options, the defaults included. An optimizer without
// the bounds that the presets set for AdaBound ignores them. The error is that of
// [optim.Lookup].
func (t Train) Method() (optim.Method, error) {
	options := maps.Clone(t.Solver)
	for name, v := range relativeBounds() {
		used := slices.ContainsFunc(optim.OptionsOfSolvers(), func(o optim.SolverOption) bool {
			return o.Name == name && slices.Contains(o.Solvers, t.Optimizer)
		})
		if !used && options[name] == v {
			delete(options, name)
		}
	}
	return optim.Lookup(t.Optimizer, options)
}

// option returns the field of an option of the optimizer; zero stands for the optimizer's default.
func option(values *optim.Values, name string) Field {
	return field[float64]{&options, func() float64 { return (*values)[name] }, func(v float64) { values.Set(name, v) }}
}

// solverKeys returns the keys of the options of the optimizers registered in package
// optim.
func solverKeys() []Key {
	var rows []Key
	for _, o := range optim.OptionsOfSolvers() {
		defaults := make([]string, len(o.Solvers))
		for i, solver := range o.Solvers {
			defaults[i] = fmt.Sprintf("%s %v", solver, o.Defaults[i])
		}
		used := func(r *Recipe) bool { return slices.Contains(o.Solvers, r.Train.Optimizer) }
		row := Key{
			Name: "train." + o.Name, Limits: o.Limits, ZeroWhere: always, Doc: o.Doc + "; default by optimizer: " + strings.Join(defaults, ", "),
			Example: fmt.Sprint(o.Defaults[0]),
			Field:   func(r *Recipe) Field { return option(&r.Train.Solver, o.Name) },
			Shown:   used, Kept: func(r *Recipe) bool { return used(r) && r.Train.Solver[o.Name] != 0 }, // zero: off
		}
		if o.Name == optim.LearningRate {
			row.Race = true
			row.Draw = &Draw{Order: 10, Heading: "learning rate", Factors: []float64{0.25, 0.5, 1, 2}}
		}
		rows = append(rows, row)
	}
	return rows
}

// BatchOf returns the size of a mini-batch of N samples: N if Batch is zero or more.
func (t Train) BatchOf(N int) int {
	if t.Batch == 0 {
		return N
	}
	return min(t.Batch, N)
}

// Draws returns the number of samples in all updates of a training on N samples.
func (t Train) Draws(N int) int { return t.Iterations * t.BatchOf(N) }

// Prune is the `prune:` section of config.yaml: rounds of the paper's Algorithm 2, each
// followed by a refinement.
type Prune struct {
	Rounds int     // 0: none. The paper's T = 3 is two rounds
	Gamma  float64 // rules whose firing level is below gamma times the median are removed; 0: none
	Theta  float64 // rules more similar than theta, in [0, 1], are merged; 1: none
	Idle   bool    // rules that decide for no training sample are removed after training, see rules.WithoutIdle
}

var pruneKeys = []Key{
	{Name: "prune.rounds", Limits: interval.From(0).To(maxRounds),
		Field: func(r *Recipe) Field { return Whole(&r.Prune.Rounds) }},
	{Name: "prune.gamma", Limits: interval.From(0),
		Field: func(r *Recipe) Field { return Real(&r.Prune.Gamma) }, Shown: prunes},
	{Name: "prune.theta", Limits: interval.From(0).To(1),
		Field: func(r *Recipe) Field { return Real(&r.Prune.Theta) }, Shown: prunes},
	{Name: "prune.idle",
		Field: func(r *Recipe) Field { return Flag(&r.Prune.Idle) }, Kept: func(r *Recipe) bool { return r.Prune.Idle }},
}

func prunes(r *Recipe) bool { return r.Prune.Rounds > 0 }

// Stages divides the iterations of a training: 0.6 of them for the first training, the
// rest in equal parts for the refinements. The rounded parts sum to iterations.
func (p Prune) Stages(iterations int) []int {
	if p.Rounds == 0 {
		return []int{iterations}
	}
	var parts []int
	before := 0
	for t := range p.Rounds + 1 {
		share := 0.6 + 0.4*float64(t)/float64(p.Rounds)
		end := int(math.Round(share * float64(iterations)))
		parts = append(parts, end-before)
		before = end
	}
	return parts
}
