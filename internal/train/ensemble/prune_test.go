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

// pruned returns a recipe with two rounds that remove rules.
func pruned() recipe.Recipe {
	o := quick()
	o.Model.Rules, o.Train.Iterations = 12, 97
	o.Prune = recipe.Prune{Rounds: 2, Gamma: 0.7, Theta: 0.4}
	return o
}

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
	d := table(t, 300)
	for _, shape := range []string{"gaussian", "trapezoid"} {
		o := pruned()
		o.Model.Membership = shapeNamed(t, shape)
		var run ensemble.Run
		seen := iterations(&run)
		r := train(t, d, nil, with(run, o))
		// round(0.6*97) = 58, round(0.8*97) = 78.
		if want := []int{20, 19}; len(r.Prune) != 2 || r.Prune[0].Refinement.Iterations != want[0] ||
			r.Prune[1].Refinement.Iterations != want[1] {
			t.Fatalf("%s: rounds %+v, want refinements of %v", shape, r.Prune, want)
		}
		if r.Training.Iterations != 97 || r.Training.Best != 97 || r.Training.Stopped != optim.StoppedCompleted ||
			r.Model.Training.Iterations != 97 {
			t.Errorf("%s: %+v", shape, r.Training)
		}
		if len(*seen) != 97 || !slices.IsSorted(*seen) || (*seen)[96] != 97 || (*seen)[0] != 1 {
			t.Errorf("%s: iterations reported: %v", shape, *seen)
		}
		rules := 12
		for i, round := range r.Prune {
			if round.Before != rules || round.After != rules-round.RemovedByFiring-round.RemovedBySimilarity ||
				len(round.Account) != round.Before-round.After {
				t.Errorf("%s: round %d: %+v", shape, i+1, round)
			}
			rules = round.After
		}
		if rules >= 12 || r.Model.RuleBase.Rules() != rules || len(r.Model.Rules) != rules {
			t.Errorf("%s: %d rules left, the model has %d", shape, rules, r.Model.RuleBase.Rules())
		}
		if again := train(t, d, nil, o); encoded(t, again.Model) != encoded(t, r.Model) || !reflect.DeepEqual(again.Prune, r.Prune) {
			t.Errorf("%s: the same seed gave a different model", shape)
		}
	}
}

// TestRoundsAreMeasured: a round records the errors of the rules before and after it, on
// the validation part and on Run.Test, which does not affect training.
func TestRoundsAreMeasured(t *testing.T) {
	var run ensemble.Run
	d, validation, test := table(t, 300), table(t, 60), table(t, 40)
	o := pruned()
	plain := train(t, d, validation, with(run, o))
	if before := plain.Prune[0].LossBefore; before.Test != nil || before.Validation == nil {
		t.Errorf("without a test part: %+v", before)
	}
	run.Test = test
	r := train(t, d, validation, with(run, o))
	if encoded(t, r.Model) != encoded(t, plain.Model) {
		t.Error("measuring changes the model")
	}
	last := r.Prune[len(r.Prune)-1].LossAfter
	for part, rmse := range map[*data.Dataset]*float64{validation: last.Validation, test: last.Test} {
		e := must(r.Model.Evaluate(t.Context(), part))
		if *rmse != e.RMSE {
			t.Errorf("RMSE %v after the last round, the model's is %v", *rmse, e.RMSE)
		}
	}
	o.Train.Iterations, o.Prune.Rounds = 58, 0 // round(0.6*97)
	first := must(train(t, d, validation, with(run, o)).Model.Evaluate(t.Context(), test))
	if before := r.Prune[0].LossBefore; *before.Test != first.RMSE {
		t.Errorf("RMSE %v before pruning, that of the first training is %v", *before.Test, first.RMSE)
	}
	if !reflect.DeepEqual(r.Prune[1].LossBefore, r.Prune[0].LossAfter) {
		t.Errorf("round 2 begins with %+v, round 1 ends with %+v", r.Prune[1].LossBefore, r.Prune[0].LossAfter)
	}
}

// TestRoundsAreAlgorithm2: the first round equals training for 0.6 of the iterations
// followed by Prune of the model.
func TestRoundsAreAlgorithm2(t *testing.T) {
	d := table(t, 300)
	o := pruned()
	o.Prune.Rounds = 1
	o.Train.Iterations = 50 // 30 and 20
	whole := train(t, d, nil, o)

	first := o
	first.Train.Iterations, first.Prune.Rounds = 30, 0
	before := train(t, d, nil, first)
	x := must(before.Model.Scale(d.X))
	_, want, _ := rules.Prune(context.Background(), before.Model.RuleBase, x, nil, 0.7, 0.4)
	if got := whole.Prune[0].Pruning; !reflect.DeepEqual(got, want) {
		t.Errorf("the round is %+v, want %+v", got, want)
	}
	// The refinement of a saved model is the same: another solver, the same seeds.
	second := o
	second.Train.Iterations = 20
	after := must(runOf(second).Prune(context.Background(), before.Model, d, nil))
	if !reflect.DeepEqual(after.Model.RuleBase, whole.Model.RuleBase) || !reflect.DeepEqual(after.Prune[0].Pruning, want) {
		t.Error("Prune of the model of the first part gave another rulebase")
	}
	if after.Model.RuleBase.SpreadFloor != before.Model.RuleBase.SpreadFloor {
		t.Error("the spread floor was not kept")
	}
	if reflect.DeepEqual(after.Model.RuleBase.Parameters, before.Model.RuleBase.Parameters) {
		t.Error("nothing changed")
	}
	if encoded(t, before.Model) != encoded(t, train(t, d, nil, first).Model) {
		t.Error("Prune changed the saved model")
	}
}

// TestPatienceEndsAStage: patience ends a training or refinement, and the next round
// follows. The final model is the best of the last refinement.
func TestPatienceEndsAStage(t *testing.T) {
	d := table(t, 300)
	parts := must(d.Split(data.Split{Train: 0.3, Validation: 0.7, Seed: 3}))
	o := pruned()
	o.Train.Solver, o.Train.Iterations, o.Train.ValidateEvery, o.Train.Patience = optim.Values{"learning_rate": 0.3, "final_lr": 0.3},
		3000, 5, 60
	var run ensemble.Run
	seen := iterations(&run)
	r := train(t, parts.Train, parts.Validation, with(run, o))
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
	if e, err := r.Model.Evaluate(t.Context(), parts.Validation); err != nil || math.Abs(e.RMSE-last.BestValidation) > 1e-9 {
		t.Errorf("validation RMSE %v, want %v; %v", e.RMSE, last.BestValidation, err)
	}
}

func TestPruningInterrupted(t *testing.T) {
	var run ensemble.Run
	for _, at := range []int{7, 58, 60, 97} {
		ctx, cancel := context.WithCancel(context.Background())
		o := pruned()
		run.OnIteration = func(m optim.Metrics) error {
			if m.Iteration == at {
				cancel()
			}
			return nil
		}
		r, err := with(run, o).Train(ctx, table(t, 300), nil)
		stopped := optim.StoppedInterrupted
		if at == 97 { // the last: what follows is interrupted
			stopped = optim.StoppedCompleted
		}
		if !errors.Is(err, context.Canceled) || r == nil || r.Training.Iterations != at || r.Training.Stopped != stopped {
			t.Fatalf("at %d: %v, %+v", at, err, r)
		}
		if rounds := map[int]int{7: 0, 58: 0, 60: 1, 97: 2}[at]; len(r.Prune) != rounds || r.Model.RuleBase.Validate() != nil {
			t.Errorf("at %d: %d rounds, want %d", at, len(r.Prune), rounds)
		}
	}
}

// TestHandfulOfIterations: rounds without an iteration prune but do not refine.
func TestHandfulOfIterations(t *testing.T) {
	o := pruned()
	o.Train.Iterations = 1
	r := train(t, table(t, 300), nil, o)
	if len(r.Prune) != 2 || r.Training.Iterations != 1 || r.Prune[1].After != r.Model.RuleBase.Rules() {
		t.Errorf("%+v", r)
	}
}

func TestPruneOptionsAreChecked(t *testing.T) {
	m := train(t, table(t, 50), nil, quick()).Model
	for key, change := range map[string]func(*recipe.Recipe){
		"prune.rounds":     func(o *recipe.Recipe) { o.Prune.Rounds = -1 },
		"prune.gamma":      func(o *recipe.Recipe) { o.Prune.Gamma = math.NaN() },
		"prune.theta":      func(o *recipe.Recipe) { o.Prune.Theta = 1.1 },
		"model.membership": func(o *recipe.Recipe) { o.Model.Membership = membership.Trapezoid{} },
		"train.patience":   func(o *recipe.Recipe) { o.Train.Patience = 5 },
	} {
		o := must(recipe.Of(m))
		o.Prune.Rounds = 1
		change(&o)
		var option *recipe.Error
		if _, err := runOf(o).Prune(context.Background(), m, table(t, 50), nil); !errors.As(err, &option) || option.Key != key {
			t.Errorf("%v: want an error about %s", err, key)
		}
	}
	if _, err := runOf(quick()).Prune(context.Background(), m, table(t, 50), nil); err == nil ||
		!strings.Contains(err.Error(), "prune.rounds") {
		t.Errorf("no rounds: %v", err)
	}
}

// TestOptionsOf: the options read from the model file equal those of the training.
func TestOptionsOf(t *testing.T) {
	o := quick()
	o.Train.Optimizer, o.Train.Solver, o.Train.L2, o.Train.Seed = "adam", optim.Values{"learning_rate": 0.02}, 0.125, 1<<63+1
	o.Train.Batch, o.Train.DropRule, o.Prune = 17, 0.75, recipe.Prune{Rounds: 1, Gamma: 0.25, Theta: 0.75}
	m := train(t, table(t, 50), nil, o).Model
	got := must(recipe.Of(m))
	want := o
	want.Preset = ""
	method := must(optim.Lookup("adam", o.Train.Solver))
	want.Train.Solver = optim.ValuesOf(method)
	want.Model.Rules, want.Model.Init, want.Model.Engine = 0, got.Model.Init, "fused"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	m.Training.Options["train.batch"] = "many"
	if _, err := recipe.Of(m); !errors.Is(err, model.ErrFile) || !strings.Contains(err.Error(), "train.batch") {
		t.Errorf("a batch of many: %v", err)
	}
}

func TestContinue(t *testing.T) {
	d := table(t, 200)
	m := train(t, d, nil, quick()).Model
	m.RuleBase.MergeWeights = []int{2, 1, 1, 1}
	dir := t.TempDir()
	if err := m.Save(filepath.Join(dir, model.FileName)); err != nil {
		t.Fatal(err)
	}
	o := quick()
	o.Model.Init = dir // a run directory is accepted, too
	for _, rules := range []int{0, 4} {
		o.Model.Rules = rules
		// Other rows, on another scale, do not change the preprocessing.
		other := d.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
		r := train(t, other, nil, o)
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
	r := train(t, d, nil, o)
	was, _ := m.Evaluate(t.Context(), d)
	if now, _ := r.Model.Evaluate(t.Context(), d); math.Abs(now.RMSE-was.RMSE) > 1e-6 {
		t.Errorf("RMSE %v after a tiny step, was %v", now.RMSE, was.RMSE)
	}
}

func TestContinueRefuses(t *testing.T) {
	d := table(t, 60)
	m := train(t, d, nil, quick()).Model
	dir := t.TempDir()
	path := filepath.Join(dir, "saved.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	named := func(target string, names ...string) *data.Dataset {
		x := make([][]float64, d.Len())
		for i := range x {
			x[i] = make([]float64, len(names))
			copy(x[i], d.X[i])
			for j := 3; j < len(names); j++ {
				x[i][j] = float64(i)
			}
		}
		other := must(data.New(names, target, x, d.Y))
		return other
	}
	ordinal := named("y", "a", "b", "c")
	ordinal.Schema.Columns = slices.Clone(ordinal.Schema.Columns)
	ordinal.Schema.Columns[1].Encoding, ordinal.Schema.Columns[1].Levels = data.Ordinal, []string{"low", "high"}
	means := named("y", "a", "b", "c")
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
		{d, func(o *recipe.Recipe) { o.Model.Rules = 9 }, "model.rules: 9, but the saved model has 4"},
		{d, func(o *recipe.Recipe) { o.Model.Init = filepath.Join(dir, "none.json") }, "no such file"},
		{d, func(o *recipe.Recipe) { o.Model.Init = recipe.SavedModel }, "model.init: no saved model"},
		{d, func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules = "luck", 4 }, "the file of a saved model"},
	} {
		o := quick()
		o.Model.Init, o.Model.Rules = path, 0
		if c.change != nil {
			c.change(&o)
		}
		if _, err := runOf(o).Train(context.Background(), c.data, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if c.change != nil {
			continue
		}
		var fault *data.Error
		o.Prune.Rounds = 1
		if _, err := runOf(o).Prune(context.Background(), m, d, c.data); !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("as the validation part: %v, want %q", err, c.want)
		}
	}
}

// ruleCounts are the mean final rule counts of an independent implementation over
// 30 splits, of two rounds by the paper's settings.
var ruleCounts = map[string]map[string]float64{
	"no2":      {"gaussian": 20.5, "trapezoid": 20.8},
	"concrete": {"gaussian": 8.7, "trapezoid": 17.8},
	"wine-red": {"gaussian": 17.5, "trapezoid": 7.9},
}

// meanPruned returns the mean number of rules after each of two rounds, and the
// mean test RMSE, over random 70/30 splits, seeds 1 to seeds.
func meanPruned(t testing.TB, file, target, shape string, rules, seeds int) (first, second, rmse float64) {
	t.Helper()
	for seed := 1; seed <= seeds; seed++ {
		source := data.Source{
			Path:    filepath.Join(testenv.Data(t), file+".csv"),
			Options: data.Options{Target: target},
			Split:   data.Split{Kind: "random", Train: 0.7, Seed: uint64(seed)},
		}
		parts := must(source.Load(context.Background()))
		o := recipe.Paper()
		o.Model.Membership, o.Model.Rules, o.Train.Seed, o.Prune.Rounds = shapeNamed(t, shape), rules, uint64(seed), 2
		r := train(t, parts.Train, nil, o)
		e := must(r.Model.Evaluate(t.Context(), parts.Test))
		first += float64(r.Prune[0].After) / float64(seeds)
		second += float64(r.Prune[1].After) / float64(seeds)
		rmse += e.RMSE / float64(seeds)
	}
	return first, second, rmse
}

// TestPaperPruning compares the final rule counts on three data sets with those of an
// independent implementation, and the error with that of training without pruning.
func TestPaperPruning(t *testing.T) {
	if testenv.Race {
		t.Skip("sixty trainings; the counts do not depend on the race detector")
	}
	for _, set := range testenv.Share(realSets, 4, 1) {
		for shape, want := range ruleCounts[set.file] {
			_, got, rmse := meanPruned(t, set.file, set.target, shape, set.rules, testenv.Cases(2, 5))
			if math.Abs(got-want) > 3.5 {
				t.Errorf("%s, %s: mean of %.1f rules over 5 seeds, want about %.1f", set.file, shape, got, want)
			}
			if all, _ := meanRMSE(t, set.file, set.target, shape, set.rules, testenv.Cases(2, 5)); rmse > 1.08*all {
				t.Errorf("%s, %s: mean test RMSE %.4f, without pruning %.4f", set.file, shape, rmse, all)
			}
		}
	}
}

// BenchmarkPaperPruning reports the mean rule counts after each round and the mean
// test RMSE, over ten seeds on each real data set:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench PaperPruning -benchtime 1x ./internal/train/ensemble
func BenchmarkPaperPruning(b *testing.B) {
	for _, set := range realSets {
		for _, shape := range []string{"gaussian", "trapezoid"} {
			b.Run(set.file+"/"+shape, func(b *testing.B) {
				for b.Loop() {
					first, second, rmse := meanPruned(b, set.file, set.target, shape, set.rules, 10)
					b.ReportMetric(first, "rules-round1")
					b.ReportMetric(second, "rules-round2")
					b.ReportMetric(rmse, "rmse")
				}
			})
		}
	}
}

func pathParts(t *testing.T) *data.Parts {
	t.Helper()
	parts := must(table(t, 300).Split(data.Split{Train: 0.7, Validation: 0.3, Seed: 3}))
	return parts
}

func prunePath(t *testing.T, train, validation *data.Dataset, run ensemble.Run, r *ensemble.Result, least int) *fit.Path {
	t.Helper()
	p := must(run.PrunePath(context.Background(), r.Model, train, validation, least))
	return p
}

func TestPrunePath(t *testing.T) {
	var run ensemble.Run
	parts := pathParts(t)
	o := quick()
	o.Model.Rules = 9
	r := train(t, parts.Train, nil, with(run, o))
	before := encoded(t, r.Model)
	o = must(recipe.Of(r.Model))
	o.Train.Iterations = 15
	seen := iterations(&run)
	p := prunePath(t, parts.Train, parts.Validation, with(run, o), r, 1)
	if len(p.Steps) != 9 || p.Training.Iterations != 8*15 || len(*seen) != 8*15 || (*seen)[119] != 120 {
		t.Fatalf("%d steps, %+v, %d iterations seen", len(p.Steps), p.Training, len(*seen))
	}
	for i, s := range p.Steps {
		if s.Rules != 9-i || s.Model.RuleBase.Rules() != s.Rules || (s.Decision == "") != (i == 0) {
			t.Errorf("step %d: %+v", i, s)
		}
		e, err := s.Model.Evaluate(t.Context(), parts.Train)
		if err != nil || e.RMSE != s.LossTrain {
			t.Errorf("step %d: RMSE %v, it says %v; %v", i, e.RMSE, s.LossTrain, err)
		}
		alone, err := model.MeasureReadability(context.Background(), s.Model, parts.Validation, nil)
		if err != nil || s.Fidelity == nil || *s.Fidelity != *alone.Fidelity {
			t.Errorf("step %d: fidelity %v, it says %v; %v", i, alone.Fidelity, s.Fidelity, err)
		}
		v, _ := s.Model.Evaluate(t.Context(), parts.Validation)
		if v.RMSE != *s.LossValidation {
			t.Errorf("step %d: validation RMSE %v, it says %v", i, v.RMSE, *s.LossValidation)
		}
	}
	if encoded(t, p.Steps[0].Model) != before {
		t.Error("the saved model was changed")
	}
	if again := prunePath(t, parts.Train, parts.Validation, with(run, o), r, 1); !reflect.DeepEqual(again.Steps, p.Steps) {
		t.Error("the same seed gave a different path")
	}
	if p := prunePath(t, parts.Train, nil, with(run, o), r, 5); len(p.Steps) != 5 || p.Steps[4].Rules != 5 ||
		p.Steps[0].LossValidation != nil {
		t.Errorf("down to 5: %d steps", len(p.Steps))
	}
	if p := prunePath(t, parts.Train, nil, with(run, o), r, 9); len(p.Steps) != 1 ||
		p.Training != (optim.Result{Stopped: optim.StoppedCompleted}) {
		t.Errorf("down to all rules: %+v", p)
	}
	var option *recipe.Error
	for _, least := range []int{0, 10} {
		if _, err := with(run, o).PrunePath(context.Background(), r.Model, parts.Train, nil, least); !errors.As(err, &option) {
			t.Errorf("down to %d: %v", least, err)
		}
	}

	ctx, cancel := context.WithCancel(context.Background())
	run.OnIteration = func(m optim.Metrics) error {
		if m.Iteration == 35 {
			cancel()
		}
		return nil
	}
	short, err := with(run, o).PrunePath(ctx, r.Model, parts.Train, parts.Validation, 1)
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
	var option *recipe.Error
	if _, err := p.OneSE(); !errors.As(err, &option) || p.Best().Rules != 2 {
		t.Errorf("without a validation part: %v, best %d", err, p.Best().Rules)
	}
}

// TestStandardError compares the standard error with the standard deviation of RMSEs over
// many validation parts of independent samples.
func TestStandardError(t *testing.T) {
	all := table(t, 30000)
	m := train(t, all.Subset(upTo(200)), nil, quick())
	o := must(recipe.Of(m.Model))
	var rmses []float64
	mean := 0.0
	for part := range 200 {
		rows := upTo(100)
		for i := range rows {
			rows[i] += 1000 + 100*part
		}
		p := prunePath(t, all.Subset(upTo(200)), all.Subset(rows), ensemble.Run{Recipe: o}, m, 4)
		rmses = append(rmses, *p.Steps[0].LossValidation)
		mean += *p.Steps[0].StandardError / 200
	}
	center, spread := 0.0, 0.0
	for _, v := range rmses {
		center += v / 200
	}
	for _, v := range rmses {
		spread += (v - center) * (v - center) / 199
	}
	if spread = math.Sqrt(spread); math.Abs(mean/spread-1) > 0.15 {
		t.Errorf("mean standard error %v, the RMSEs' standard deviation is %v", mean, spread)
	}
	one := prunePath(t, all.Subset(upTo(200)), all.Subset([]int{500}), ensemble.Run{Recipe: o}, m, 4)
	if *one.Steps[0].StandardError != 0 || one.Steps[0].Rules != 4 {
		t.Errorf("a single sample: %+v", one.Steps[0])
	}
}

func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
