package tune

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// TestSpaceTypes: values serve in every form that stands for a value of their key.
func TestSpaceTypes(t *testing.T) {
	given := Space{"rules": {8, 16.0, "32"}, "droprule": {1, 0.5}, "membership": {"trapezoid", membership.Gaussian{}}, "learning_rate": {1}}
	want := Space{"rules": {8, 16, 32}, "droprule": {1.0, 0.5}, "membership": {membership.Trapezoid{}, membership.Gaussian{}},
		"learning_rate": {1.0}}
	if got, err := given.typed(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestDefaultSpaceIsOfTheBase: default lists have the base's values, and none that it cannot
// be trained with.
func TestDefaultSpaceIsOfTheBase(t *testing.T) {
	base := recipe.Paper()
	base.Model.Rules, base.Model.Membership, base.Train.L2, base.Train.Iterations = 7, membership.Trapezoid{}, 0, 2
	got := testenv.Must(DefaultSpace(base, false))
	want := Space{
		"rules": {8, 16, 32, 64, 7}, "membership": {membership.Gaussian{}, membership.Trapezoid{}}, "antecedents": {3.0, 5.0, 0.0},
		"l2": {0.0}, "iterations": {1, 2, 4}, "learning_rate": {0.0025, 0.005, 0.01, 0.02},
	}
	for own, list := range want {
		if !reflect.DeepEqual(got[own], list) {
			t.Errorf("%s: %v, want %v", own, got[own], list)
		}
	}
}

// smallRace is a search of 2 + 14 trials from a race of short trainings that change the
// learning rate by a cosine.
func smallRace() (recipe.Recipe, Options) {
	base := recipe.Robust()
	base.Model.Rules, base.Train.Batch, base.Train.RaceSplits = 4, 16, 2
	base.Train.Race = []recipe.Setting{
		{"init": "kmeans", "iterations": 200, "l2": 1.0},
		{"init": "kmeans", "iterations": 200, "l2": 3.0},
	}
	return base, Options{Trials: 16, Space: Space{"iterations": {200, 400}, "l2": {0.001, 0.01, 1, 3}, "rules": {4}}}
}

// TestIncumbentIsOfTheRace: what replaces the base is better than the setting that its race
// chooses; a search that is repeated does not repeat the race.
func TestIncumbentIsOfTheRace(t *testing.T) {
	parts := friedman()
	base, o := smallRace()
	o.Dir = filepath.Join(t.TempDir(), "search")
	r := searched(base, o)
	if !r.Found || len(r.Options.Train.Race) != 0 {
		t.Fatalf("found: %t, chosen: %+v", r.Found, r.Chosen)
	}
	if !(r.Chosen.Over < -NoiseSE*r.Chosen.SE) || r.Incumbent.Over != 0 || r.Incumbent.Number > r.Starts {
		t.Errorf("chosen %+v, incumbent %+v", r.Chosen, r.Incumbent)
	}
	trained := testenv.Must(ensemble.Run{Recipe: base}.Train(context.Background(), parts.Train, nil))
	for i, score := range trained.Race {
		if score.Chosen && r.Incumbent != r.Trials[i] {
			t.Errorf("the race chooses setting %d, the incumbent is trial %d", i+1, r.Incumbent.Number)
		}
	}
	if chosen, err := settingsOf(r.Options); err != nil || chosen.String() != r.Chosen.Settings.String() {
		t.Errorf("chosen %s, options %s, %v", r.Chosen.Settings, chosen, err)
	}
	again, err := Search(ended(), parts.Train, base, o)
	if err != nil || text(again) != text(r) {
		t.Errorf("repeated: %v", err)
	}
}

// TestNothingFound: the base returns with its race, within the lists.
func TestNothingFound(t *testing.T) {
	d := friedman().Train
	base, o := smallRace()
	base.Train.Race = []recipe.Setting{{"init": "kmeans", "iterations": 400, "l2": 0.01}, {"init": "kmeans", "iterations": 400, "l2": 1.0}}
	o.Space["l2"] = []any{0.01, 1, 3}
	o.Space["iterations"], o.Space["droprule"] = []any{400}, []any{base.Train.DropRule}
	o.Trials = 3
	r := searched(base, o)
	if r.Found || r.Chosen != r.Incumbent || !reflect.DeepEqual(r.Options, base) {
		t.Errorf("found: %t, %+v", r.Found, r.Options)
	}
	o.Space["l2"], o.Trials = []any{3}, 1 // the settings of the race are equal
	base.Train.Members = 3
	r = searched(base, o)
	if l2 := r.Options.Candidates(d.Len(), false)[0].Train.L2; r.Found || l2 != 3 || len(r.Options.Train.Race) != 2 ||
		r.Options.Train.Members != 3 {
		t.Errorf("found: %t, lambda %v, race %v", r.Found, l2, r.Options.Train.Race)
	}
	if base.Train.Race[0].Number("l2") != 0.01 {
		t.Errorf("the race of the caller changed: %v", base.Train.Race)
	}
}

// TestShortTrainings: trials are screened by trainings of an eighth of the updates, and only
// finalists are trained whole.
func TestShortTrainings(t *testing.T) {
	testenv.SkipRace(t)
	d := friedman().Train
	base, o := smallRace()
	base.Train.Race = []recipe.Setting{{"init": "kmeans", "iterations": 800, "l2": 0.01}}
	o.Space["iterations"] = []any{800}
	planned := Progress{}
	o.OnFit = func(p Progress) { planned = p }
	r := searched(base, o)
	folds := testenv.Must(Options{Folds: 5, Repeats: 1}.divide(d, base.Train.Seed))
	wholes := 0
	for _, trial := range r.Trials {
		wholes += len(trial.Fits)
		with := testenv.Must(apply(base, trial.Settings))
		with.Train.Iterations = 100
		if one, err := fitOn(context.Background(), prepare(t.Context(), d, folds, base)[0], with); err != nil ||
			one.Loss != trial.Screened[0].Loss {
			t.Errorf("trial %d: RMSE %v of the short training, want %v, %v", trial.Number, trial.Screened[0].Loss, one.Loss, err)
		}
		if len(trial.Fits) > 0 && len(trial.Screened) != 5 {
			t.Errorf("finalist %d was screened on %d folds", trial.Number, len(trial.Screened))
		}
	}
	if wholes != 5+2+2 && wholes != 5+2+5 || planned.Fits != r.Fits || r.Fits > planned.All {
		t.Errorf("%d whole trainings, %+v", wholes, planned)
	}
	base.Train.Schedule = "constant"
	for _, trial := range searched(base, o).Trials {
		if len(trial.Screened) > 0 || len(trial.Fits) == 0 {
			t.Errorf("a constant learning rate: %+v", trial)
		}
	}
}

// TestTrialsDiffer: no two trials differ by a key without effect alone, and a search that
// starts from settings with curves draws settings with and without them.
func TestTrialsDiffer(t *testing.T) {
	base, o := smallRace()
	base.Train.Race = []recipe.Setting{{"init": "kmeans", "iterations": 20},
		{"init": "kmeans", "iterations": 20, "curves": "shared", "knots": 4}}
	o.Trials, o.Space = 40, Space{"iterations": {20}, "rules": {2}}
	seen, curves := map[string]bool{}, map[string]int{}
	for _, trial := range searched(base, o).Trials {
		of := trial.Settings
		curves[of.Text("curves")]++
		if of.Text("curves") == recipe.NoCurves {
			of = maps.Clone(of)
			for _, own := range []string{"knots", "curve_l2", "curve_deviation_l2"} {
				delete(of, own)
			}
		}
		delete(of, "softness") // no rules are from a tree
		if text := of.String(); seen[text] {
			t.Errorf("trial %d trains the model of an earlier one: %s", trial.Number, text)
		} else {
			seen[text] = true
		}
	}
	if curves[recipe.NoCurves] < 2 || curves[recipe.SharedCurves] < 2 || len(curves) != 2 {
		t.Errorf("trials by curves: %v", curves)
	}
}

// TestTrialsKeepTheRace: a search draws each key that a setting of a race may have; another
// would be lost on the way from a setting to a trial.
func TestTrialsKeepTheRace(t *testing.T) {
	for _, k := range recipe.RaceKeys() {
		if k.Draw == nil {
			t.Errorf("%s: a race may set it, a search does not draw it", k.Name)
		}
	}
	base := recipe.Readable()
	base.Train.Race = base.Train.Race[3:4]
	s := testenv.Must(newSearch(t.Context(), friedman().Train, base, Options{}))
	r, err := apply(s.base, s.trials[0].Settings)
	if want := base.Candidates(1000, false)[0]; err != nil || r.Model.Softness != want.Model.Softness || r.Model.Terms != want.Model.Terms {
		t.Errorf("%+v, %v", r.Model, err)
	}
}

// TestListsThatTheRaceCannotHave: settings of the race that a list makes invalid are left out
// of it; without any left the search is refused.
func TestListsThatTheRaceCannotHave(t *testing.T) {
	d := friedman().Train
	base, o := smallRace()
	base.Train.Race[1] = recipe.Setting{"init": "tree", "iterations": 200}
	o.Space = Space{"membership": {formula("0.5/(1+((x-c)/s)^2)")}} // cannot be flat, as the rules of a tree are
	s := testenv.Must(newSearch(t.Context(), d, base, o))
	if len(s.trials) != 1 || len(s.base.Train.Race) != 1 || s.base.Train.Race[0].Text("init") != "kmeans" {
		t.Errorf("%d trials, race %v", len(s.trials), s.base.Train.Race)
	}
	base.Train.Race = base.Train.Race[1:]
	var refused *recipe.Error
	if _, err := newSearch(t.Context(), d, base, o); !errors.As(err, &refused) {
		t.Errorf("no setting is left: %v", err)
	}
}

var updateChoices = flag.Bool("update-choices", false, "write testdata/choices.json")

// pinned are the searches whose trials testdata/choices.json holds.
func pinned() map[string]func(*recipe.Recipe, *Options) {
	return map[string]func(*recipe.Recipe, *Options){
		"lists": func(*recipe.Recipe, *Options) {},
		"defaults": func(base *recipe.Recipe, o *Options) {
			o.Space, o.Trials = Space{}, 25
		},
		"robust": func(base *recipe.Recipe, o *Options) {
			*base = recipe.Robust()
			for i := range base.Train.Race {
				base.Train.Race[i]["iterations"] = 4 * (i + 1)
			}
			base.Model.Rules, o.Space, o.Trials = 4, Space{}, 30
		},
		"trapezoid": func(base *recipe.Recipe, o *Options) {
			base.Model.Membership, base.Train.L2, base.Train.ConsequentRate = membership.Trapezoid{}, 0, 0.005
			base.Train.Params.Set("uniform", 0.2)
			o.Space, o.Trials = Space{}, 20
		},
		"order": func(base *recipe.Recipe, o *Options) {
			o.Split, o.Choose, o.Folds, o.Trials = "chronological", "best", 3, 15
			base.Train.Seed = 7
		},
	}
}

// TestSearchesKeepTheirChoices pins the settings of the trials of a few searches: the order
// of random draws and the lists are part of what a seed gives.
func TestSearchesKeepTheirChoices(t *testing.T) {
	path := filepath.Join("testdata", "choices.json")
	got := map[string][]map[string]any{}
	for name, change := range pinned() {
		base, o := small()
		change(&base, &o)
		d := friedman().Train
		if name == "order" {
			parts := testenv.Must(data.Source{Builtin: "mackey-glass", Split: data.Split{Train: 0.1}}.Load(context.Background()))
			d = parts.Train
		}
		r := testenv.Must(Search(t.Context(), d, base, o))
		for _, trial := range append(r.Trials, r.Chosen) {
			values := map[string]any{}
			if err := json.Unmarshal(testenv.Must(json.Marshal(trial.Settings)), &values); err != nil {
				t.Fatal(err)
			}
			got[name] = append(got[name], values)
		}
	}
	text := testenv.Must(json.MarshalIndent(got, "", " "))
	if *updateChoices {
		if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := testenv.Must(os.ReadFile(path))
	if string(want) != string(text)+"\n" {
		t.Errorf("the searches chose\n%s", text)
	}
}
