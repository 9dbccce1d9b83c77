package ensemble_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
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

// raceOf is a small race of some settings.
func raceOf(settings ...recipe.Setting) recipe.Recipe {
	o := racing()
	o.Train.Race = settings
	return o
}

func TestRaceChooses(t *testing.T) {
	var told []int
	iterations := 0
	r := train(t, table(300), nil, ensemble.Run{Recipe: racing(),
		OnRace: func(done, all int) {
			if all != 4 {
				t.Errorf("%d trainings in all, want 4: two settings, two splits", all)
			}
			told = append(told, done)
		},
		OnIteration: func(m optim.Metrics) error {
			if iterations++; m.Iteration != iterations || m.Of != 400 {
				t.Fatalf("iteration %d of %d is reported as the %dth", m.Iteration, m.Of, iterations)
			}
			return nil
		}})
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
	d, o := table(300), raceOf(recipe.Setting{"iterations": 300}, recipe.Setting{"iterations": 2}, recipe.Setting{"iterations": 301})
	o.Train.L2 = 0.004
	o.Train.Params.Set("uniform", 0.05)
	o.Train.Params.Set("agreement", 0)
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

func TestRaceGoesOnWithoutADivergedSetting(t *testing.T) {
	o := raceOf(recipe.Setting{"iterations": 50, "learning_rate": 1e9}, recipe.Setting{"iterations": 50, "learning_rate": 1e-3})
	o.Train.Optimizer = "sgd"
	r := train(t, table(100), nil, o)
	if r.Race[0].Failed == "" || r.Race[0].Chosen || !r.Race[1].Chosen || r.Race[1].Failed != "" {
		t.Errorf("race %+v: want the first to fail and the second to be chosen", r.Race)
	}
	o.Train.Race[1] = recipe.Setting{"iterations": 60, "learning_rate": 1e9}
	if err := fails(table(100), o); !errors.Is(err, optim.ErrDiverged) {
		t.Errorf("all diverge: %v", err)
	}
}

// TestInterruptedRaceKeepsTheLeader: also where the training after the race is too short to be better.
func TestInterruptedRaceKeepsTheLeader(t *testing.T) {
	made := map[string]int{"in the race": 250, "after it": 400} // on the first and on the last split
	for name, stop := range map[string]func(run *ensemble.Run, cancel func()){
		"in the race": func(run *ensemble.Run, cancel func()) { run.OnLeader = func(ensemble.Leader) { cancel() } },
		"after it": func(run *ensemble.Run, cancel func()) {
			run.OnIteration = func(optim.Metrics) error { cancel(); return nil }
		},
	} {
		d, run := table(200), ensemble.Run{Recipe: racing()}
		run.Recipe.Train.Race[0] = recipe.Setting{"iterations": 390}
		ctx, cancel := context.WithCancel(t.Context())
		stop(&run, cancel)
		r, err := run.Train(ctx, d, nil)
		if cancel(); !errors.Is(err, context.Canceled) || r == nil || r.Leader == nil {
			t.Fatalf("%s: %+v, %v: want the leader", name, r, err)
		}
		made := made[name]
		if want := (optim.Result{Iterations: made, Best: made, Stopped: optim.StoppedInterrupted}); r.Training != want ||
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
	var rows []int
	for n := range 300 {
		rows = append(rows, n%60)
	}
	o := raceOf(recipe.Setting{"iterations": 800}, recipe.Setting{"iterations": 810})
	o.Model.Rules = 20
	for _, s := range train(t, noise(60).Subset(rows), nil, o).Race {
		if !(s.Loss > 0.9) {
			t.Errorf("RMSE %.3f, where no model can have one much below 1", s.Loss)
		}
	}
}

// TestRaceInTimeOrder: on a random walk, the race scores predictions of later samples, as
// the training part of a chronological split is ordered.
func TestRaceInTimeOrder(t *testing.T) {
	d := noise(600)
	for n := 1; n < d.Len(); n++ {
		d.Y[n] += d.Y[n-1]
		d.X[n][0] = float64(n)
	}
	of := func(kind string) float64 {
		part := testenv.Must(d.Split(data.Split{Kind: kind, Train: 0.8})).Train
		return train(t, part, nil, raceOf(recipe.Setting{"iterations": 400}, recipe.Setting{"iterations": 410})).Race[0].Loss
	}
	if later, mixed := of("chronological"), of("random"); !(later > 1.3*mixed) {
		t.Errorf("RMSE %v in time order, %v at random: want what lies ahead to be harder to predict", later, mixed)
	}
}

// TestRacePassesOverWhatCannotBeTrainedOn: in time order, early splits cannot be trained on
// if a feature has no value before some time, and are skipped.
func TestRacePassesOverWhatCannotBeTrainedOn(t *testing.T) {
	for late, splits := range map[int]int{130: 2, 299: 0} {
		d := table(300)
		d.Ordered, d.Missing.Policy = true, "mean"
		for n := range late {
			d.X[n][0] = math.NaN()
		}
		run := ensemble.Run{Recipe: raceOf(recipe.Setting{"iterations": 30}, recipe.Setting{"iterations": 31})}
		run.Recipe.Train.RaceSplits = 3
		last, of := 0, 0
		run.OnRace = func(done, all int) { last, of = done, all }
		r := train(t, d, nil, run)
		if r.Race[0].Splits != splits || !r.Race[0].Chosen && !r.Race[1].Chosen || last != of {
			t.Errorf("race %+v, %d of %d: want %d splits", r.Race, last, of, splits)
		}
	}
}

func TestRaceOfFewSamples(t *testing.T) {
	o := racing()
	o.Model.Rules = 1
	r := train(t, table(2), nil, o)
	if len(r.Race) != 1 || !r.Race[0].Chosen || r.Training.Iterations != 2 {
		t.Errorf("race %+v, %d iterations: want the first setting", r.Race, r.Training.Iterations)
	}
}

// TestConstants: with model.order 0 every rule says a constant, wherever the rules start, also of short rules of any shape,
// with a validation part and without.
func TestConstants(t *testing.T) {
	d, cases := table(300), map[string]recipe.Recipe{}
	for _, init := range []string{"kmeans", "genfis", "grid", "tree"} {
		o := unraced(20)
		if o.Model.Init, o.Model.Transform = init, "none"; init == "grid" {
			o.Model.Rules = 0
		}
		cases[init] = o
	}
	for _, name := range []string{"gaussian", "trapezoid", "dsigmoid"} {
		o := unraced(60)
		o.Model.Membership, o.Model.Antecedents = shape(name), 1.5
		cases["short rules of "+name] = o
	}
	for name, o := range cases {
		o.Model.Order = 0
		for _, v := range []*data.Dataset{nil, table(80)} {
			r := train(t, d, v, o)
			rb := r.Model.RuleBase
			for k, w := range rb.Consequents {
				if w[1] != 0 || w[2] != 0 || w[3] != 0 || w[0] == 0 {
					t.Errorf("%s: rule %d has consequent %v, want a constant", name, k, w)
				}
			}
			if most := o.Model.Antecedents; rb.Rules() < 2 || r.Training.Iterations != o.Train.Iterations ||
				most > 0 && (rb.Length(nil) > most || rb.Length(nil) < 1) {
				t.Errorf("%s: %d rules of %v conditions, %d iterations", name, rb.Rules(), rb.Length(nil), r.Training.Iterations)
			}
		}
	}
}

// TestRobustBeatsPaper on a curved function with an irrelevant scale: rows of a
// skewed feature and targets in large units.
func TestRobustBeatsPaper(t *testing.T) {
	testenv.SkipRace(t)
	d := table(500)
	for n := range d.Y {
		d.X[n][1] = math.Exp(d.X[n][1])
		d.Y[n] = 1e4 + 1e3*d.Y[n]
	}
	part, held := d.Subset(upTo(350)), d.Subset(upTo(500)[350:])
	preset := recipe.Robust()
	robust := train(t, part, nil, testenv.Must(preset.With(preset.Train.Race[0]))).Model
	paper := train(t, part, nil, recipe.Paper()).Model
	if a, b := rmse(t, robust, held), rmse(t, paper, held); !(a < 0.7*b) {
		t.Errorf("robust %v, paper %v", a, b)
	}
	if f := robust.Features[1]; f.Power == nil || robust.Target.SD == 0 || robust.Target.Margin != 0.05 ||
		!strings.Contains(encoded(t, robust), `"power"`) {
		t.Errorf("preprocessing %+v, %+v, or the transform is not in the file", f, robust.Target)
	}
	if paper.Features[1].Power != nil || paper.Target.SD != 0 {
		t.Error("the paper's preset transforms")
	}
}

// TestRobustSettingsTrain: every setting of the preset's race can be trained.
func TestRobustSettingsTrain(t *testing.T) {
	o := recipe.Robust()
	o.Train.RaceSplits = 1
	o.Train.Race = shorter(o.Train.Race, 5)
	for i := range o.Train.Race {
		delete(o.Train.Race[i], "least_samples")
	}
	for i, s := range train(t, table(150), nil, o).Race {
		if s.Failed != "" || !(s.Loss > 0) {
			t.Errorf("setting %d: %+v", i+1, s)
		}
	}
}

// TestRaceOfCommittee: members alternate between the settings left, the best first, and of
// two that are equally good that of better fidelity; the committee's options omit what they
// do not share.
func TestRaceOfCommittee(t *testing.T) {
	o := raceOf(recipe.Setting{"iterations": 300, "l2": 0.005}, recipe.Setting{"iterations": 2}, recipe.Setting{"iterations": 310})
	o.Train.Members = 3
	r := train(t, table(300), nil, o)
	if !r.Race[0].Chosen || r.Race[1].Chosen || !r.Race[2].Chosen || !near(r.Race[2].Loss, r.Race[0].Loss, 0.01) {
		t.Fatalf("race %+v: want the first and the third, within 1%%", r.Race)
	}
	first, second := "300", "310"
	if r.Race[2].Fidelity < r.Race[0].Fidelity {
		first, second = second, first
	}
	var used []string
	for _, m := range r.Model.Members {
		used = append(used, m.Training.Options["train.iterations"])
		if alone := m.Training.Options["train.l2"] == "0.005"; alone != (m.Training.Options["train.iterations"] == "300") {
			t.Errorf("a member has the penalty of another setting: %v", m.Training.Options)
		}
	}
	options := r.Model.Training.Options
	_, shared := options["train.iterations"]
	if !slices.Equal(used, []string{first, second, first}) || shared || options["train.batch"] != "32" || options["train.members"] != "3" {
		t.Errorf("members have %v iterations, race %+v; the committee's options: %v", used, r.Race, options)
	}
}

// TestRaceOfHugeTarget: all scores are finite and can be written as JSON with one target of 1e300 among ordinary ones.
func TestRaceOfHugeTarget(t *testing.T) {
	d := table(120)
	for i := 5; i < 120; i += 30 {
		d.Y[i] = 1e300
	}
	r := train(t, d, nil, raceOf(recipe.Setting{"iterations": 30}, recipe.Setting{"iterations": 40}))
	for _, score := range r.Race {
		if math.IsInf(score.Loss, 0) || !(score.Loss > 1e290) {
			t.Errorf("RMSE %v", score.Loss)
		}
	}
	if _, err := json.Marshal(r.Race); err != nil || len(r.Race) != 2 {
		t.Errorf("%v of %+v", err, r.Race)
	}
}

// TestRaceOfScaledTargets: with targets of 1e300 or 1e-300, one or several, the race's scores are those of the same
// targets of ordinary size, in their unit or in standard deviations.
func TestRaceOfScaledTargets(t *testing.T) {
	for targets := 1; targets <= 2; targets++ {
		scores := func(unit float64) []ensemble.RaceScore {
			d := table(120)
			for n := range d.Y {
				d.Y[n] *= unit
			}
			if targets > 1 {
				d.Schema.Others, d.Others = []data.Other{{Name: "second"}}, [][]float64{d.Y}
			}
			return train(t, d, nil, raceOf(recipe.Setting{"iterations": 30}, recipe.Setting{"iterations": 40})).Race
		}
		want := scores(1)
		for _, unit := range []float64{0x1p1000, 0x1p-1000} { // powers of two, so that nothing is rounded
			for i, got := range scores(unit) {
				if targets == 1 {
					got.Loss /= unit
				}
				if !near(got.Loss, want[i].Loss, 1e-9) {
					t.Errorf("%d targets times %g, setting %d: %v, want %v", targets, unit, i+1, got.Loss, want[i].Loss)
				}
			}
		}
	}
}

// remote returns a Remote that runs trials by Run.Trials, with trials and outcomes in JSON.
func remote(d *data.Dataset, r recipe.Recipe) *ensemble.Remote {
	trials := testenv.Must(ensemble.Run{Recipe: r}.Trials(d))
	return &ensemble.Remote{Workers: 1, Train: func(ctx context.Context, trial ensemble.Trial) (o ensemble.Outcome, err error) {
		there, err := trials.Train(ctx, trial)
		if err != nil {
			return o, err
		}
		return o, json.Unmarshal(testenv.Must(json.Marshal(there)), &o)
	}}
}

// TestRemoteRace: trials in another process give the model, the scores and the leaders of a race in this one.
func TestRemoteRace(t *testing.T) {
	d := table(200)
	run := ensemble.Run{Recipe: raceOf(recipe.Setting{"iterations": 40}, recipe.Setting{"iterations": 60, "init": "one-feature"},
		recipe.Setting{"iterations": 50, "antecedents": 1}, recipe.Setting{"iterations": 50, "learning_rate": 1e300})}
	want := train(t, d, nil, run)
	var leaders []ensemble.Leader
	run.Remote, run.OnLeader = remote(d, run.Recipe), func(l ensemble.Leader) { leaders = append(leaders, l) }
	got := train(t, d, nil, run)
	if encoded(t, got.Model) != encoded(t, want.Model) || !reflect.DeepEqual(got.Race, want.Race) {
		t.Errorf("a remote race gives another model or other scores: %+v, want %+v", got.Race, want.Race)
	}
	if len(leaders) == 0 {
		t.Fatal("no leader")
	}
	for _, l := range leaders {
		encoded(t, l.Model)
		if of := want.Race[l.Number-1]; !reflect.DeepEqual(l.Setting, of.Setting) || l.Metric != of.Metric || l.Settings != 4 || l.Loss <= 0 {
			t.Errorf("leader %+v", l)
		}
	}
}

// TestRemoteRaceFails: an error of the other process ends the race, as do losses of other samples.
func TestRemoteRaceFails(t *testing.T) {
	d, o := table(100), racing()
	broken := errors.New("worker ended")
	for _, c := range []struct {
		outcome ensemble.Outcome
		err     error
		text    string
	}{{err: broken, text: "worker ended"}, {outcome: ensemble.Outcome{Job: checkpoint.Job{Losses: []float64{1}}}, text: "1 and 0 losses on"}} {
		run := ensemble.Run{Recipe: o, Remote: &ensemble.Remote{Train: func(context.Context, ensemble.Trial) (ensemble.Outcome, error) {
			return c.outcome, c.err
		}}}
		if _, err := run.Train(context.Background(), d, nil); err == nil || !strings.Contains(err.Error(), c.text) || c.err != nil &&
			!errors.Is(err, c.err) {
			t.Errorf("error %v, want one with %q", err, c.text)
		}
	}
	if _, err := remote(d, o).Train(context.Background(), ensemble.Trial{Setting: 2}); err == nil {
		t.Error("no error for a setting that does not enter")
	}
	o.Train.Race = o.Train.Race[:1]
	if _, err := (ensemble.Run{Recipe: o}).Trials(d); err == nil {
		t.Error("no error for a race of one setting")
	}
}
