package ensemble_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/optim"
)

// racing returns the robust preset, small, with a race that the second setting
// should win: the first one hardly trains.
func racing() recipe.Recipe {
	o := recipe.Robust()
	o.Model.Rules, o.Model.Init, o.Train.Batch = 6, "kmeans", 32 // after a tree, two iterations suffice
	o.Train.Race = []recipe.Setting{{"iterations": 2}, {"iterations": 400}, {"iterations": 500, "least_samples": 1000}}
	o.Train.RaceSplits = 2
	return o
}

func TestRaceChooses(t *testing.T) {
	var run ensemble.Run
	d := table(t, 300)
	var told []int
	o := racing()
	run.OnRace = func(done, all int) {
		if all != 4 {
			t.Errorf("%d trainings in all, want 4: two settings, two splits", all)
		}
		told = append(told, done)
	}
	iterations := 0
	run.OnIteration = func(m optim.Metrics) error {
		if iterations++; m.Iteration != iterations || m.Of != 400 {
			t.Fatalf("iteration %d of %d is reported as the %dth", m.Iteration, m.Of, iterations)
		}
		return nil
	}
	r := train(t, d, nil, with(run, o))
	if !slices.Equal(told, []int{0, 1, 2, 4}) {
		t.Errorf("reported %v, want the end once the first setting is clearly behind", told)
	}
	if len(r.Race) != 2 || r.Race[0].Chosen || !r.Race[1].Chosen || !(r.Race[1].Loss < r.Race[0].Loss) || r.Race[0].Splits != 1 {
		t.Errorf("race %+v: want the second of two", r.Race)
	}
	if r.Training.Iterations != 400 || iterations != 400 || r.Model.Training.Options["train.iterations"] != "400" {
		t.Errorf("%d iterations, %d reported, options %v", r.Training.Iterations, iterations, r.Model.Training.Options)
	}
}

// TestRaceKeepsWhatIsClose: settings leave only when they are clearly behind, and their
// order does not change the scores.
func TestRaceKeepsWhatIsClose(t *testing.T) {
	d := table(t, 300)
	o := racing()
	o.Train.L2 = 0.004
	o.Train.Params.Set("uniform", 0.05)
	o.Train.Params.Set("agreement", 0)
	o.Train.Race = []recipe.Setting{{"iterations": 300}, {"iterations": 2}, {"iterations": 301}}
	there := train(t, d, nil, o).Race
	slices.Reverse(o.Train.Race)
	back := train(t, d, nil, o).Race
	slices.Reverse(back)
	if !reflect.DeepEqual(there, back) {
		t.Errorf("race %+v, in reverse %+v", there, back)
	}
	for i, splits := range []int{2, 1, 2} {
		if there[i].Splits != splits {
			t.Errorf("setting %d was scored on %d splits, want %d: %+v", i+1, there[i].Splits, splits, there)
		}
	}
}

// TestRaceIsRepeatable: the result does not depend on the number of processors.
func TestRaceIsRepeatable(t *testing.T) {
	d := table(t, 200)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want string
	var scores []ensemble.RaceScore
	for _, procs := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(procs)
		o := racing()
		o.Train.Race = []recipe.Setting{{"iterations": 40}, {"iterations": 60, "init": "one-feature"}, {"iterations": 50, "antecedents": 1}}
		r := train(t, d, nil, o)
		got := encoded(t, r.Model)
		if want == "" {
			want, scores = got, r.Race
		}
		if got != want || !reflect.DeepEqual(r.Race, scores) {
			t.Errorf("%d processors give a different model or different scores: %+v, want %+v", procs, r.Race, scores)
		}
	}
}

func TestRaceGoesOnWithoutADivergedSetting(t *testing.T) {
	o := racing()
	o.Train.Optimizer = "sgd"
	o.Train.Race = []recipe.Setting{{"iterations": 50, "learning_rate": 1e9}, {"iterations": 50, "learning_rate": 1e-3}}
	r := train(t, table(t, 100), nil, o)
	if r.Race[0].Failed == "" || r.Race[0].Chosen || !r.Race[1].Chosen || r.Race[1].Failed != "" {
		t.Errorf("race %+v: want the first to fail and the second to be chosen", r.Race)
	}
	o.Train.Race = o.Train.Race[:1]
	o.Train.Race = append(o.Train.Race, recipe.Setting{"iterations": 60, "learning_rate": 1e9})
	if _, err := runOf(o).Train(context.Background(), table(t, 100), nil); !errors.Is(err, optim.ErrDiverged) {
		t.Errorf("all diverge: %v", err)
	}
}

// TestInterruptedRaceKeepsTheLeader: also where the training after the race is too short to be better.
func TestInterruptedRaceKeepsTheLeader(t *testing.T) {
	for name, stop := range map[string]func(run *ensemble.Run, cancel func()){
		"in the race": func(run *ensemble.Run, cancel func()) { run.OnLeader = func(ensemble.Leader) { cancel() } },
		"after it": func(run *ensemble.Run, cancel func()) {
			run.OnIteration = func(optim.Metrics) error { cancel(); return nil }
		},
	} {
		var run ensemble.Run
		ctx, cancel := context.WithCancel(t.Context())
		stop(&run, cancel)
		d, o := table(t, 200), racing()
		o.Train.Race[0] = recipe.Setting{"iterations": 390}
		r, err := with(run, o).Train(ctx, d, nil)
		if cancel(); !errors.Is(err, context.Canceled) || r == nil || r.Leader == nil {
			t.Fatalf("%s: %+v, %v: want the leader", name, r, err)
		}
		if made := r.Leader.Setting.Number("iterations"); r.Training != (optim.Result{Iterations: int(made), Best: int(made),
			Stopped: optim.StoppedInterrupted}) ||
			!strings.Contains(r.Kept(), r.Leader.Setting.String()) {
			t.Errorf("%s: %+v, %q", name, r.Training, r.Kept())
		}
		e, err := r.Model.EvaluateTraining(t.Context(), d)
		if err != nil || e.RMSE != r.Model.Training.Metrics["rmse_train"] {
			t.Errorf("%s: training RMSE %v, of the model %v; %v", name, e.RMSE, r.Model.Training.Metrics, err)
		}
	}
}

// TestRaceKnowsTwins: equal rows stay in one part of a split, so that a race does not
// reward memorised rows.
func TestRaceKnowsTwins(t *testing.T) {
	once := noise(t, 60)
	var rows []int
	for n := range 5 * once.Len() {
		rows = append(rows, n%once.Len())
	}
	o := racing()
	o.Model.Rules = 20
	o.Train.Race = []recipe.Setting{{"iterations": 800}, {"iterations": 810}}
	for _, s := range train(t, once.Subset(rows), nil, o).Race {
		if !(s.Loss > 0.9) {
			t.Errorf("RMSE %.3f, where no model can have one much below 1", s.Loss)
		}
	}
}

// TestRaceInTimeOrder: on a random walk, the race scores predictions of later samples, as
// the training part of a chronological split is ordered.
func TestRaceInTimeOrder(t *testing.T) {
	d := noise(t, 600)
	for n := 1; n < d.Len(); n++ {
		d.Y[n] += d.Y[n-1]
		d.X[n][0] = float64(n)
	}
	o := racing()
	o.Train.Race = []recipe.Setting{{"iterations": 400}, {"iterations": 410}}
	rmse := map[string]float64{}
	for _, kind := range []string{"random", "chronological"} {
		parts := must(d.Split(data.Split{Kind: kind, Train: 0.8}))
		rmse[kind] = train(t, parts.Train, nil, o).Race[0].Loss
	}
	if !(rmse["chronological"] > 1.3*rmse["random"]) {
		t.Errorf("RMSE %v: want what lies ahead to be harder to predict", rmse)
	}
}

// noise returns n samples of three features and an unrelated target, all standard normal.
func noise(t *testing.T, n int) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(12, 2))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, rng.NormFloat64()
	}
	d := must(data.New([]string{"a", "b", "c"}, "y", x, y))
	return d
}

// TestRacePassesOverWhatCannotBeTrainedOn: in time order, early splits cannot be trained on
// if a feature has no value before some time, and are skipped.
func TestRacePassesOverWhatCannotBeTrainedOn(t *testing.T) {
	var run ensemble.Run
	for late, splits := range map[int]int{130: 2, 299: 0} {
		d := table(t, 300)
		d.Ordered, d.Missing.Policy = true, "mean"
		for n := range late {
			d.X[n][0] = math.NaN()
		}
		o := racing()
		o.Train.RaceSplits = 3
		o.Train.Race = []recipe.Setting{{"iterations": 30}, {"iterations": 31}}
		last, of := 0, 0
		run.OnRace = func(done, all int) { last, of = done, all }
		r := train(t, d, nil, with(run, o))
		if r.Race[0].Splits != splits || !r.Race[0].Chosen && !r.Race[1].Chosen || last != of {
			t.Errorf("race %+v, %d of %d: want %d splits", r.Race, last, of, splits)
		}
	}
}

func TestRaceOfFewSamples(t *testing.T) {
	o := racing()
	o.Model.Rules = 1
	r := train(t, table(t, 2), nil, o)
	if len(r.Race) != 1 || !r.Race[0].Chosen || r.Training.Iterations != 2 {
		t.Errorf("race %+v, %d iterations: want the first setting", r.Race, r.Training.Iterations)
	}
}

func TestRaceKeepsWeights(t *testing.T) {
	d := table(t, 120)
	d.Weights = make([]float64, d.Len())
	for n := range d.Weights {
		d.Weights[n] = float64(1 + n%3)
	}
	if r := train(t, d, nil, racing()); math.IsNaN(r.Race[1].Loss) || r.Race[1].Loss == 0 {
		t.Errorf("race %+v", r.Race)
	}
}

// TestConstants: with model.order 0 every rule says a constant, wherever the rules start.
func TestConstants(t *testing.T) {
	d := table(t, 300)
	for _, init := range []string{"kmeans", "genfis", "grid", "tree"} {
		o := racing()
		o.Train.Race, o.Train.Iterations, o.Model.Transform = nil, 20, "none"
		o.Model.Init, o.Model.Order = init, 0
		if init == "grid" {
			o.Model.Rules = 0
		}
		r := train(t, d, nil, o)
		for k, w := range r.Model.RuleBase.Consequents {
			if w[1] != 0 || w[2] != 0 || w[3] != 0 || w[0] == 0 {
				t.Errorf("%s: rule %d has consequent %v, want a constant", init, k, w)
			}
		}
		if len(r.Model.RuleBase.Consequents) < 2 {
			t.Errorf("%s: one rule", init)
		}
	}
}

func TestShortRulesAndConstants(t *testing.T) {
	d := table(t, 300)
	validation := table(t, 80)
	for _, shape := range []string{"gaussian", "trapezoid", "dsigmoid"} {
		for _, v := range []*data.Dataset{nil, validation} {
			o := racing()
			o.Train.Race, o.Train.Iterations = nil, 120
			o.Model.Membership = shapeNamed(t, shape)
			o.Model.Antecedents, o.Model.Order = 1.5, 0
			r := train(t, d, v, o)
			rb := r.Model.RuleBase
			if rb.Length(nil) > 1.5 || rb.Length(nil) < 1 {
				t.Errorf("%s: rules mention %v features, at most 1.5 may be", shape, rb.Length(nil))
			}
			for r, w := range rb.Consequents {
				if w[1] != 0 || w[2] != 0 || w[3] != 0 || w[0] == 0 {
					t.Errorf("%s: rule %d has consequent %v, want a constant", shape, r, w)
				}
			}
			if r.Training.Iterations != 120 {
				t.Errorf("%s: %d iterations", shape, r.Training.Iterations)
			}
		}
	}
}

// TestRobustBeatsPaper on a curved function with an irrelevant scale: rows of a
// skewed feature and targets in large units.
func TestRobustBeatsPaper(t *testing.T) {
	testenv.SkipRace(t)
	d := table(t, 500)
	for n := range d.Y {
		d.X[n][1] = math.Exp(d.X[n][1])
		d.Y[n] = 1e4 + 1e3*d.Y[n]
	}
	rows := make([]int, d.Len())
	for n := range rows {
		rows[n] = n
	}
	fit, held := d.Subset(rows[:350]), d.Subset(rows[350:])
	preset := recipe.Robust()
	first := must(preset.With(preset.Train.Race[0]))
	robust := train(t, fit, nil, first)
	paper := train(t, fit, nil, recipe.Paper())
	a := must(robust.Model.Evaluate(t.Context(), held))
	b := must(paper.Model.Evaluate(t.Context(), held))
	if !(a.RMSE < 0.7*b.RMSE) {
		t.Errorf("robust %v, paper %v", a.RMSE, b.RMSE)
	}
	if f := robust.Model.Features[1]; f.Power == nil || robust.Model.Target.SD == 0 || robust.Model.Target.Margin != 0.05 {
		t.Errorf("preprocessing %+v, %+v", f, robust.Model.Target)
	}
	if paper.Model.Features[1].Power != nil || paper.Model.Target.SD != 0 {
		t.Error("the paper's preset transforms")
	}
	if text := encoded(t, robust.Model); !strings.Contains(text, `"power"`) {
		t.Error("the transform is not in the file")
	}
}

// TestRobustSettingsTrain: every setting of the preset's race can be trained.
func TestRobustSettingsTrain(t *testing.T) {
	o := recipe.Robust()
	for i := range o.Train.Race {
		o.Train.Race[i]["iterations"] = 5
		delete(o.Train.Race[i], "least_samples")
	}
	for i, s := range train(t, table(t, 150), nil, o).Race {
		if s.Failed != "" || !(s.Loss > 0) {
			t.Errorf("setting %d: %+v", i+1, s)
		}
	}
}

// TestRaceOfCommittee: members alternate between the settings left, the best first, and of
// two that are equally good that of better fidelity; the committee's options omit what they
// do not share.
func TestRaceOfCommittee(t *testing.T) {
	o := racing()
	o.Train.Members = 3
	o.Train.Race = []recipe.Setting{{"iterations": 300, "l2": 0.001}, {"iterations": 2}, {"iterations": 310}}
	r := train(t, table(t, 300), nil, o)
	if !r.Race[0].Chosen || r.Race[1].Chosen || !r.Race[2].Chosen {
		t.Fatalf("race %+v: want the first and the third", r.Race)
	}
	if math.Abs(r.Race[2].Loss/r.Race[0].Loss-1) > 0.01 {
		t.Fatalf("race %+v: want the first and the third within 1%%", r.Race)
	}
	first, second := "300", "310"
	if r.Race[2].Fidelity < r.Race[0].Fidelity {
		first, second = second, first
	}
	var used []string
	for _, m := range r.Model.Members {
		used = append(used, m.Training.Options["train.iterations"])
		if alone := m.Training.Options["train.l2"] == "0.001"; alone != (m.Training.Options["train.iterations"] == "300") {
			t.Errorf("a member has the penalty of another setting: %v", m.Training.Options)
		}
	}
	if !slices.Equal(used, []string{first, second, first}) {
		t.Errorf("members have %v iterations, race %+v", used, r.Race)
	}
	options := r.Model.Training.Options
	if _, ok := options["train.iterations"]; ok || options["train.batch"] != "32" || options["train.members"] != "3" {
		t.Errorf("the committee's options: %v", options)
	}
}

// TestRaceOfHugeTarget: all scores are finite and can be written as JSON with one target of 1e300 among ordinary ones;
// for other targets the unit is one.
func TestRaceOfHugeTarget(t *testing.T) {
	d := table(t, 120)
	for i := 5; i < 120; i += 30 {
		d.Y[i] = 1e300
	}
	o := recipe.Robust()
	o.Train.Iterations, o.Train.Race = 40, []recipe.Setting{{"iterations": 30}, {"iterations": 40}}
	r := must(runOf(o).Train(context.Background(), d, nil))
	if len(r.Race) != 2 {
		t.Fatalf("%+v", r.Race)
	}
	for _, score := range r.Race {
		if math.IsInf(score.Loss, 0) || !(score.Loss > 1e290) {
			t.Errorf("RMSE %v", score.Loss)
		}
	}
	if _, err := json.Marshal(r.Race); err != nil {
		t.Error(err)
	}
}

// TestRaceOfScaledTargets: with targets of 1e300 or 1e-300, one or several, the race's scores are those of the same
// targets of ordinary size, in their unit or in standard deviations.
func TestRaceOfScaledTargets(t *testing.T) {
	losses := func(targets int, unit float64) []float64 {
		d := table(t, 120)
		for n := range d.Y {
			d.Y[n] *= unit
		}
		if targets > 1 {
			d.Schema.Others, d.Others = []data.Other{{Name: "second"}}, [][]float64{d.Y}
		}
		o := recipe.Robust()
		o.Train.Iterations, o.Train.Race = 40, []recipe.Setting{{"iterations": 30}, {"iterations": 40}}
		r := must(runOf(o).Train(context.Background(), d, nil))
		var scores []float64
		for _, score := range r.Race {
			scores = append(scores, score.Loss)
		}
		return scores
	}
	for targets := 1; targets <= 2; targets++ {
		want := losses(targets, 1)
		for _, unit := range []float64{0x1p1000, 0x1p-1000} { // powers of two, so that nothing is rounded
			for i, got := range losses(targets, unit) {
				if targets == 1 {
					got /= unit
				}
				if !(math.Abs(got/want[i]-1) < 1e-9) {
					t.Errorf("%d targets times %g, setting %d: %v, want %v", targets, unit, i+1, got, want[i])
				}
			}
		}
	}
}

// remote returns a Remote that runs trials by Run.Trials, with trials and outcomes in JSON.
func remote(t *testing.T, d *data.Dataset, r recipe.Recipe) *ensemble.Remote {
	t.Helper()
	trials, err := ensemble.Run{Recipe: r}.Trials(d)
	if err != nil {
		t.Fatal(err)
	}
	return &ensemble.Remote{Workers: 1, Train: func(ctx context.Context, trial ensemble.Trial) (o ensemble.Outcome, err error) {
		there, err := trials.Train(ctx, trial)
		if err != nil {
			return o, err
		}
		text, err := json.Marshal(there)
		if err != nil {
			return o, err
		}
		return o, json.Unmarshal(text, &o)
	}}
}

// TestRemoteRace: trials in another process give the model, the scores and the leaders of a race in this one.
func TestRemoteRace(t *testing.T) {
	d, o := table(t, 200), racing()
	o.Train.Race = []recipe.Setting{{"iterations": 40}, {"iterations": 60, "init": "one-feature"}, {"iterations": 50, "antecedents": 1},
		{"iterations": 50, "learning_rate": 1e300}}
	type lead struct {
		ensemble.Leader
		model string
	}
	run := func(remote *ensemble.Remote) (string, []ensemble.RaceScore, []lead) {
		var leads []lead
		r := train(t, d, nil, ensemble.Run{Recipe: o, Remote: remote, OnLeader: func(l ensemble.Leader) {
			text := encoded(t, l.Model)
			l.Model = nil
			leads = append(leads, lead{l, text})
		}})
		return encoded(t, r.Model), r.Race, leads
	}
	want, scores, _ := run(nil)
	got, gotScores, leads := run(remote(t, d, o))
	if got != want || !reflect.DeepEqual(gotScores, scores) {
		t.Errorf("a remote race gives another model or other scores: %+v, want %+v", gotScores, scores)
	}
	if len(leads) == 0 {
		t.Fatal("no leader")
	}
	if first, last := leads[0], leads[len(leads)-1]; first.Settings != len(scores) || first.Loss <= 0 || last.Loss <= 0 {
		t.Errorf("leaders %+v", leads)
	}
	for _, l := range leads {
		if !reflect.DeepEqual(l.Setting, scores[l.Number-1].Setting) || l.Metric != scores[l.Number-1].Metric {
			t.Errorf("leader %d has setting %v", l.Number, l.Setting)
		}
	}
}

// TestRemoteRaceFails: an error of the other process ends the race, as do losses of other samples.
func TestRemoteRaceFails(t *testing.T) {
	d, o := table(t, 100), racing()
	broken := errors.New("worker ended")
	for _, c := range []struct {
		outcome ensemble.Outcome
		err     error
		text    string
	}{{err: broken, text: "worker ended"}, {outcome: ensemble.Outcome{Job: checkpoint.Job{Losses: []float64{1}}}, text: "1 and 0 losses on"}} {
		run := ensemble.Run{Recipe: o, Remote: &ensemble.Remote{Train: func(context.Context, ensemble.Trial) (ensemble.Outcome,
			error) {
			return c.outcome, c.err
		}}}
		if _, err := run.Train(context.Background(), d, nil); err == nil || !strings.Contains(err.Error(), c.text) || c.err != nil &&
			!errors.Is(err, c.err) {
			t.Errorf("error %v, want one with %q", err, c.text)
		}
	}
	if _, err := remote(t, d, o).Train(context.Background(), ensemble.Trial{Setting: 2}); err == nil {
		t.Error("no error for a setting that does not enter")
	}
	o.Train.Race = o.Train.Race[:1]
	if _, err := (ensemble.Run{Recipe: o}).Trials(d); err == nil {
		t.Error("no error for a race of one setting")
	}
}
