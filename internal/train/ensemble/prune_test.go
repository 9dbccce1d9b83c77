package ensemble_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// iterations collects the numbers of the iterations.
func iterations(run *ensemble.Run) *[]int {
	var seen []int
	run.OnIteration = func(m optim.Metrics) error {
		seen = append(seen, m.Iteration)
		return nil
	}
	return &seen
}

func TestTrainPrunes(t *testing.T) {
	d := table(300)
	for _, name := range []string{"gaussian", "trapezoid"} {
		run := ensemble.Run{Recipe: pruned()}
		run.Recipe.Model.Membership = shape(name)
		seen := iterations(&run)
		r := train(t, d, nil, run)
		// round(0.6*97) = 58, round(0.8*97) = 78.
		if len(r.Prune) != 2 || r.Prune[0].Refinement.Iterations != 20 || r.Prune[1].Refinement.Iterations != 19 {
			t.Fatalf("%s: rounds %+v, want refinements of 20 and 19", name, r.Prune)
		}
		if want := (optim.Result{Iterations: 97, Best: 97, Stopped: optim.StoppedCompleted}); r.Training.Iterations != want.Iterations ||
			r.Training.Best != want.Best || r.Training.Stopped != want.Stopped || r.Model.Training.Iterations != 97 {
			t.Errorf("%s: %+v", name, r.Training)
		}
		if len(*seen) != 97 || !slices.IsSorted(*seen) || (*seen)[96] != 97 || (*seen)[0] != 1 {
			t.Errorf("%s: iterations reported: %v", name, *seen)
		}
		rules := 12
		for i, round := range r.Prune {
			if round.Before != rules || round.After != rules-round.RemovedByFiring-round.RemovedBySimilarity ||
				len(round.Account) != round.Before-round.After {
				t.Errorf("%s: round %d: %+v", name, i+1, round)
			}
			rules = round.After
		}
		if rules >= 12 || r.Model.RuleBase.Rules() != rules || len(r.Model.Rules) != rules {
			t.Errorf("%s: %d rules left, the model has %d", name, rules, r.Model.RuleBase.Rules())
		}
		if again := train(t, d, nil, run); !reflect.DeepEqual(again.Prune, r.Prune) {
			t.Errorf("%s: the same seed gave other rounds", name)
		}
	}
}

// TestRoundsAreMeasured: a round records the errors of the rules before and after it, on
// the validation part and on Run.Test, which does not affect training.
func TestRoundsAreMeasured(t *testing.T) {
	d, validation, test := table(300), table(60), table(40)
	run := ensemble.Run{Recipe: pruned()}
	plain := train(t, d, validation, run)
	if before := plain.Prune[0].LossBefore; before.Test != nil || before.Validation == nil {
		t.Errorf("without a test part: %+v", before)
	}
	run.Test = test
	r := train(t, d, validation, run)
	if encoded(t, r.Model) != encoded(t, plain.Model) {
		t.Error("measuring changes the model")
	}
	last := r.Prune[1].LossAfter
	if *last.Validation != rmse(t, r.Model, validation) || *last.Test != rmse(t, r.Model, test) {
		t.Errorf("RMSE %v and %v after the last round, those of the model differ", *last.Validation, *last.Test)
	}
	run.Recipe.Train.Iterations, run.Recipe.Prune.Rounds = 58, 0 // round(0.6*97)
	if first := rmse(t, train(t, d, validation, run).Model, test); *r.Prune[0].LossBefore.Test != first {
		t.Errorf("RMSE %v before pruning, that of the first training is %v", *r.Prune[0].LossBefore.Test, first)
	}
	if !reflect.DeepEqual(r.Prune[1].LossBefore, r.Prune[0].LossAfter) {
		t.Errorf("round 2 begins with %+v, round 1 ends with %+v", r.Prune[1].LossBefore, r.Prune[0].LossAfter)
	}
}

// TestRoundsAreAlgorithm2: the first round equals training for 0.6 of the iterations
// followed by Prune of the model.
func TestRoundsAreAlgorithm2(t *testing.T) {
	d, o := table(300), pruned()
	o.Prune.Rounds, o.Train.Iterations = 1, 50 // 30 and 20
	whole := train(t, d, nil, o)
	first, second := o, o
	first.Train.Iterations, first.Prune.Rounds = 30, 0
	before := train(t, d, nil, first).Model
	file := encoded(t, before)
	_, want, _ := rules.Prune(context.Background(), before.RuleBase, testenv.Must(before.Scale(d.X)), nil, 0.7, 0.4)
	if got := whole.Prune[0].Pruning; !reflect.DeepEqual(got, want) {
		t.Errorf("the round is %+v, want %+v", got, want)
	}
	// The refinement of a saved model is the same: another solver, the same seeds.
	second.Train.Iterations = 20
	after := testenv.Must(ensemble.Run{Recipe: second}.Prune(context.Background(), before, d, nil))
	if !reflect.DeepEqual(after.Model.RuleBase, whole.Model.RuleBase) || !reflect.DeepEqual(after.Prune[0].Pruning, want) ||
		after.Model.RuleBase.SpreadFloor != before.RuleBase.SpreadFloor {
		t.Error("Prune of the model of the first part gave another rulebase")
	}
	if reflect.DeepEqual(after.Model.RuleBase.Parameters, before.RuleBase.Parameters) || encoded(t, before) != file {
		t.Error("nothing changed, or Prune changed the saved model")
	}
}

// TestPatienceEndsAStage: patience ends a training or refinement, and the next round
// follows. The final model is the best of the last refinement.
func TestPatienceEndsAStage(t *testing.T) {
	parts := testenv.Must(table(300).Split(data.Split{Train: 0.3, Validation: 0.7, Seed: 3}))
	run := ensemble.Run{Recipe: pruned()}
	of := &run.Recipe.Train
	of.Solver, of.Iterations, of.ValidateEvery, of.Patience = optim.Values{"learning_rate": 0.3, "final_lr": 0.3}, 3000, 5, 60
	seen := iterations(&run)
	r := train(t, parts.Train, parts.Validation, run)
	if len(r.Prune) != 2 || r.Training.Stopped != optim.StoppedPatience {
		t.Fatalf("%+v", r)
	}
	last := r.Prune[1].Refinement
	made := r.Training.Iterations - r.Prune[0].Refinement.Iterations - last.Iterations
	if made >= 1800 || last.Iterations >= 600 || len(*seen) != r.Training.Iterations {
		t.Errorf("no stage ended early: %d, %+v", made, r.Prune)
	}
	if r.Training.Best != r.Training.Iterations-last.Iterations+last.Best || r.Training.BestValidation != last.BestValidation {
		t.Errorf("%+v; the last refinement %+v", r.Training, last)
	}
	if e := rmse(t, r.Model, parts.Validation); math.Abs(e-last.BestValidation) > 1e-9 {
		t.Errorf("validation RMSE %v, want %v", e, last.BestValidation)
	}
}

// TestHandfulOfIterations: rounds without an iteration prune but do not refine.
func TestHandfulOfIterations(t *testing.T) {
	o := pruned()
	o.Train.Iterations = 1
	r := train(t, table(300), nil, o)
	if len(r.Prune) != 2 || r.Training.Iterations != 1 || r.Prune[1].After != r.Model.RuleBase.Rules() {
		t.Errorf("%+v", r)
	}
}

func TestPruneOptionsAreChecked(t *testing.T) {
	d := table(50)
	m := train(t, d, nil, quick()).Model
	for key, change := range map[string]func(*recipe.Recipe){
		"prune.rounds":     func(o *recipe.Recipe) { o.Prune.Rounds = 0 },
		"prune.gamma":      func(o *recipe.Recipe) { o.Prune.Gamma = math.NaN() },
		"prune.theta":      func(o *recipe.Recipe) { o.Prune.Theta = 1.1 },
		"model.membership": func(o *recipe.Recipe) { o.Model.Membership = membership.Trapezoid{} },
		"train.patience":   func(o *recipe.Recipe) { o.Train.Patience = 5 },
	} {
		o := testenv.Must(recipe.Of(m))
		o.Prune.Rounds = 1
		change(&o)
		var option *recipe.Error
		if _, err := (ensemble.Run{Recipe: o}).Prune(context.Background(), m, d, nil); !errors.As(err, &option) || option.Key != key {
			t.Errorf("%v: want an error about %s", err, key)
		}
	}
}

// TestOptionsOf: the options read from the model file equal those of the training.
func TestOptionsOf(t *testing.T) {
	o := quick()
	o.Train.Optimizer, o.Train.Solver, o.Train.L2, o.Train.Seed = "adam", optim.Values{"learning_rate": 0.02}, 0.125, 1<<63+1
	o.Train.Batch, o.Train.DropRule, o.Prune = 17, 0.75, recipe.Prune{Rounds: 1, Gamma: 0.25, Theta: 0.75}
	m := train(t, table(50), nil, o).Model
	got, want := testenv.Must(recipe.Of(m)), o
	want.Preset, want.Train.Solver = "", optim.ValuesOf(testenv.Must(optim.Lookup("adam", o.Train.Solver)))
	want.Model.Rules, want.Model.Init, want.Model.Engine = 0, got.Model.Init, "fused"
	if got, want := testenv.Must(got.MarshalJSON()), testenv.Must(want.MarshalJSON()); string(got) != string(want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	m.Training.Options["train.batch"] = "many"
	if _, err := recipe.Of(m); !errors.Is(err, model.ErrFile) || !strings.Contains(err.Error(), "train.batch") {
		t.Errorf("a batch of many: %v", err)
	}
}

func TestContinue(t *testing.T) {
	d, o := table(200), quick()
	m := train(t, d, nil, o).Model
	m.RuleBase.MergeWeights = []int{2, 1, 1, 1}
	o.Model.Init = filepath.Dir(saved(t, m)) // a run directory is accepted, too
	for _, o.Model.Rules = range []int{0, 4} {
		// Other rows, on another scale, do not change the preprocessing.
		r := train(t, d.Subset(upTo(12)), nil, o)
		if a, b := r.Model.Preprocessing, m.Preprocessing; !reflect.DeepEqual(a.Features, b.Features) ||
			!reflect.DeepEqual(a.Target, b.Target) || r.Start != nil {
			t.Error("the preprocessing is not the saved model's")
		}
		if rb := r.Model.RuleBase; rb.SpreadFloor != m.RuleBase.SpreadFloor || !slices.Equal(rb.MergeWeights, []int{2, 1, 1, 1}) ||
			rb.Rules() != 4 {
			t.Errorf("%d rules, floor %v, weights %v", rb.Rules(), rb.SpreadFloor, rb.MergeWeights)
		}
	}
	// Training continues: one small step changes little.
	o.Train.Optimizer, o.Train.Solver, o.Train.Iterations = "sgd", optim.Values{"learning_rate": 1e-12}, 1
	if was, now := rmse(t, m, d), rmse(t, train(t, d, nil, o).Model, d); math.Abs(now-was) > 1e-6 {
		t.Errorf("RMSE %v after a tiny step, was %v", now, was)
	}
}

func TestContinueRefuses(t *testing.T) {
	d := table(60)
	m := train(t, d, nil, quick()).Model
	path := saved(t, m)
	named := func(target string, names ...string) *data.Dataset {
		x := make([][]float64, d.Len())
		for i := range x {
			x[i] = append(slices.Clone(d.X[i]), float64(i))[:len(names)]
		}
		return testenv.Must(data.New(names, target, x, d.Y))
	}
	ordinal, means := named("y", "a", "b", "c"), named("y", "a", "b", "c")
	ordinal.Schema.Columns[1].Encoding, ordinal.Schema.Columns[1].Levels = data.Ordinal, []string{"low", "high"}
	means.Missing.Policy = "mean"
	for _, c := range []struct {
		data   *data.Dataset
		change func(*recipe.Recipe)
		want   string
	}{
		{named("z", "a", "b", "c"), nil, `the target is "z", that of the saved model "y"`},
		{named("y", "a", "b", "d"), nil, `feature "c" of the saved model is missing`},
		{named("y", "a", "b", "c", "d"), nil, `feature "d" is not in the saved model`},
		{named("y", "b", "a", "c"), nil, "data.features: [a, b, c]"},
		{ordinal, nil, `column "b" is ordinal [low high]`},
		{means, nil, "data.missing"},
		{d, func(o *recipe.Recipe) { o.Model.Membership = membership.Trapezoid{} },
			"model.membership: trapezoid, but the saved model has gaussian"},
		{d, func(o *recipe.Recipe) { o.Model.TNorm = "minimum" }, "model.tnorm: minimum, but the saved model has product: use the same"},
		{d, func(o *recipe.Recipe) { o.Model.Rules = 9 }, "model.rules: 9, but the saved model has 4"},
		{d, func(o *recipe.Recipe) { o.Model.Init = filepath.Join(filepath.Dir(path), "none.json") }, "no such file"},
		{d, func(o *recipe.Recipe) { o.Model.Init = recipe.SavedModel }, "model.init: no saved model"},
		{d, func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules = "luck", 4 }, "the file of a saved model"},
	} {
		o := quick()
		o.Model.Init, o.Model.Rules = path, 0
		if c.change != nil {
			c.change(&o)
		}
		if err := fails(c.data, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if c.change != nil {
			continue
		}
		var fault *data.Error
		o.Prune.Rounds = 1
		if _, err := (ensemble.Run{Recipe: o}).Prune(context.Background(), m, d, c.data); !errors.As(err, &fault) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("as the validation part: %v, want %q", err, c.want)
		}
	}
}

func TestPrunePath(t *testing.T) {
	parts := testenv.Must(table(300).Split(data.Split{Train: 0.7, Validation: 0.3, Seed: 3}))
	o := quick()
	o.Model.Rules = 9
	m := train(t, parts.Train, nil, o).Model
	before := encoded(t, m)
	run := ensemble.Run{Recipe: testenv.Must(recipe.Of(m))}
	run.Recipe.Train.Iterations = 15
	path := func(ctx context.Context, validation *data.Dataset, least int) (*fit.Path, error) {
		return run.PrunePath(ctx, m, parts.Train, validation, least)
	}
	seen := iterations(&run)
	p := testenv.Must(path(t.Context(), parts.Validation, 1))
	if len(p.Steps) != 9 || p.Training.Iterations != 8*15 || len(*seen) != 8*15 || (*seen)[119] != 120 {
		t.Fatalf("%d steps, %+v, %d iterations seen", len(p.Steps), p.Training, len(*seen))
	}
	for i, s := range p.Steps {
		if s.Rules != 9-i || s.Model.RuleBase.Rules() != s.Rules || (s.Decision == "") != (i == 0) {
			t.Errorf("step %d: %+v", i, s)
		}
		alone := testenv.Must(model.MeasureReadability(context.Background(), s.Model, parts.Validation, nil))
		if e, v := rmse(t, s.Model, parts.Train), rmse(t, s.Model, parts.Validation); e != s.LossTrain || v != *s.LossValidation ||
			s.Fidelity == nil || *s.Fidelity != *alone.Fidelity {
			t.Errorf("step %d: RMSE %v and %v, fidelity %v; it says %+v", i, e, v, alone.Fidelity, s)
		}
	}
	if encoded(t, p.Steps[0].Model) != before {
		t.Error("the saved model was changed")
	}
	if again := testenv.Must(path(t.Context(), parts.Validation, 1)); !reflect.DeepEqual(again.Steps, p.Steps) {
		t.Error("the same seed gave a different path")
	}
	if p := testenv.Must(path(t.Context(), nil, 5)); len(p.Steps) != 5 || p.Steps[4].Rules != 5 || p.Steps[0].LossValidation != nil {
		t.Errorf("down to 5: %d steps", len(p.Steps))
	}
	if p := testenv.Must(path(t.Context(), nil, 9)); len(p.Steps) != 1 || p.Training != (optim.Result{Stopped: optim.StoppedCompleted}) {
		t.Errorf("down to all rules: %+v", p)
	}
	for _, least := range []int{0, 10} {
		if _, err := path(t.Context(), nil, least); !errors.As(err, new(*recipe.Error)) {
			t.Errorf("down to %d: %v", least, err)
		}
	}
	short, err := path(endsAt(&run, 35), parts.Validation, 1)
	if !errors.Is(err, context.Canceled) || len(short.Steps) != 3 || short.Training.Iterations != 35 ||
		short.Training.Stopped != optim.StoppedInterrupted {
		t.Errorf("interrupted: %v, %+v", err, short)
	}
}

// steps makes a path of validation RMSEs, from many rules to one.
func steps(se float64, rmse ...float64) *fit.Path {
	p := &fit.Path{}
	for i := range rmse {
		p.Steps = append(p.Steps, fit.PathStep{Rules: len(rmse) - i, LossTrain: float64(i), LossValidation: &rmse[i], StandardError: &se})
	}
	return p
}

func TestOneSE(t *testing.T) {
	for _, c := range []struct {
		path      *fit.Path
		best, one int
	}{
		{steps(0.1, 1.2, 1.0, 1.05, 1.11, 1.09, 1.2), 5, 2}, // 4 and 2 are within, 3 is not
		{steps(0.125, 1, 1.125, 1.5), 3, 2},                 // exactly one standard error
		{steps(0, 1, 1, 1.5), 2, 2},                         // of equals the one of fewer rules
		{steps(9, 1, 2, 3), 3, 1},
		{steps(1, 5), 1, 1},
	} {
		one, err := c.path.OneSE()
		if err != nil || c.path.Best().Rules != c.best || one.Rules != c.one {
			t.Errorf("best %d, one standard error %d, want %d and %d; %v", c.path.Best().Rules, one.Rules, c.best, c.one, err)
		}
	}
	p := steps(0.1, 1, 2)
	for i := range p.Steps {
		p.Steps[i].LossValidation, p.Steps[i].StandardError = nil, nil
	}
	if _, err := p.OneSE(); !errors.As(err, new(*recipe.Error)) || p.Best().Rules != 2 {
		t.Errorf("without a validation part: %v, best %d", err, p.Best().Rules)
	}
}

// TestStandardError compares the standard error with the standard deviation of RMSEs over
// many validation parts of independent samples.
func TestStandardError(t *testing.T) {
	all := table(21_000)
	d := all.Subset(upTo(200))
	m := train(t, d, nil, quick()).Model
	of := func(rows []int) fit.PathStep {
		return testenv.Must(ensemble.Run{Recipe: testenv.Must(recipe.Of(m))}.PrunePath(t.Context(), m, d, all.Subset(rows), 4)).Steps[0]
	}
	var rmses, errors []float64
	for part := 10; part < 210; part++ {
		s := of(upTo(100*part + 100)[100*part:])
		rmses, errors = append(rmses, *s.LossValidation), append(errors, *s.StandardError)
	}
	if mean, spread := stat.Mean(errors, nil), stat.StdDev(rmses, nil); math.Abs(mean/spread-1) > 0.15 {
		t.Errorf("mean standard error %v, the RMSEs' standard deviation is %v", mean, spread)
	}
	if one := of([]int{500}); *one.StandardError != 0 || one.Rules != 4 {
		t.Errorf("a single sample: %+v", one)
	}
}

// TestPrunesByWeight: rules that fire only for samples of low weight are removed.
func TestPrunesByWeight(t *testing.T) {
	d, o := friedman(data.Split{}).Train, recipe.Paper()
	o.Model.Rules, o.Train.Iterations = 8, 30
	m := train(t, d, nil, o).Model
	order := upTo(8)
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, m.Rules[b].Share-m.Rules[a].Share)) })
	heavy := order[1] // the rule that fires most but one
	d.Weights = make([]float64, d.Len())
	for n, f := range m.RuleBase.FiringLevels(testenv.Must(m.Scale(d.X)), nil) {
		d.Weights[n] = 1e-6
		if f[heavy] == slices.Max(f) {
			d.Weights[n] = 1
		}
	}
	r := prune(t, m, d, 1, recipe.Prune{Rounds: 1, Gamma: 1e6, Theta: 1}) // the strongest is left
	for _, removed := range r.Prune[0].Removed {
		if removed.Rule == heavy+1 {
			t.Errorf("rule %d was removed: %v", heavy+1, r.Prune[0].Account)
		}
	}
}
