package recipe_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// candidates returns the text of a key in each candidate of a race on many samples.
func candidates(t *testing.T, r recipe.Recipe, text func(recipe.Recipe) string) []string {
	t.Helper()
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range r.Candidates(1_000_000, false) {
		if len(c.Train.Race) > 0 {
			t.Error("a candidate has a race")
		}
		all = append(all, text(c))
	}
	return all
}

func iterations(r recipe.Recipe) string { return fmt.Sprint(r.Train.Iterations) }

// TestCallerHolds: what the caller sets, as a field or by Set, holds in every candidate of
// the preset's race; a race that the caller gives does not change.
func TestCallerHolds(t *testing.T) {
	preset := "4000 4000 4000 8000 4000 8000 4000 4000 4000 4000 4000 4000 4000 4000 8000 10000 8000"
	all := func(text string) string { return strings.TrimSpace(strings.Repeat(text+" ", 17)) }
	set := func(key, text string) func(*recipe.Recipe) error {
		return func(r *recipe.Recipe) error { return r.Set(key, text) }
	}
	for name, c := range map[string]struct {
		change func(*recipe.Recipe) error
		want   string
	}{
		"nothing":      {func(*recipe.Recipe) error { return nil }, preset},
		"a field":      {func(r *recipe.Recipe) error { r.Train.Iterations = 20; return nil }, all("20")},
		"Set":          {set("train.iterations", "20"), all("20")},
		"the preset's": {set("train.iterations", "4000"), all("4000")},
		"Set, then a field": {func(r *recipe.Recipe) error {
			err := r.Set("train.l2", "0.5")
			r.Train.Iterations = 20
			return err
		}, all("20")},
		"a part of the race": {func(r *recipe.Recipe) error {
			r.Train.Race = r.Train.Race[:2]
			r.Train.Iterations = 20
			return nil
		}, "20 20"},
		"another key": {set("train.l2", "0.5"), preset},
		"a race of one's own": {func(r *recipe.Recipe) error {
			r.Train.Race = []recipe.Setting{{"iterations": 5}, {"l2": 0.1}}
			r.Train.Iterations = 20
			return nil
		}, "5 20"},
		"a race as text": {set("train.race", `[{"iterations": 7}, {"iterations": 9}]`), "7 9"},
		"values of the preset in a race as text": {func(r *recipe.Recipe) error {
			err := r.Set("train.race", `[{"iterations": 4000}, {"iterations": 8000}]`)
			r.Train.Iterations = 20
			return err
		}, "4000 8000"},
		"no race": {set("train.race", "[]"), "4000"},
	} {
		r := recipe.Robust()
		if err := c.change(&r); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(candidates(t, r, iterations), " "); got != c.want {
			t.Errorf("%s: iterations of the candidates are %s, want %s", name, got, c.want)
		}
	}
	r := recipe.Robust()
	for _, k := range recipe.RaceKeys() {
		text := cmp.Or(map[string]string{"model.init": "fcm", "model.membership": "laplace"}[k.Name], "1")
		if err := r.Set(k.Name, text); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range r.Settings() {
		delete(s, recipe.LeastSamples)
		if delete(s, recipe.Classes); len(s) > 0 {
			t.Errorf("every key is set, but a setting has %v", s)
		}
	}
}

// TestPresetsAreIndependent: changing one recipe does not change another.
func TestPresetsAreIndependent(t *testing.T) {
	a, b := recipe.Robust(), recipe.Robust()
	copied := a
	if err := a.Set("train.learning_rate", "0.5"); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]recipe.Recipe{"another": b, "a copy": copied} {
		if got := strings.Join(candidates(t, r, func(r recipe.Recipe) string { return fmt.Sprint(r.Train.Solver["learning_rate"]) }),
			" "); got != "0.06 0.03 0.06 0.06 0.06 0.06 0.06 0.06 0.06 0.06 0.06 0.06 0.06 0.03 0.06 0.03 0.06" {
			t.Errorf("learning rates of %s: %s", name, got)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for key, text := range map[string]string{
		"train.steps": "5", "train.iterations": "many", "train.l2": "", "model.membership": "round", "train.log_spreads": "perhaps",
		"model.range": "0", "train.race": "fast", "train.learning_rate": "quick",
	} {
		r := recipe.Robust()
		var fault *recipe.Error
		if err := r.Set(key, text); !errors.As(err, &fault) || fault.Key != key {
			t.Errorf("%s = %q: %v", key, text, err)
		}
	}
}

// TestFaultsHaveFields: the fields of an error name its keys.
func TestFaultsHaveFields(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*recipe.Recipe)
		want   recipe.Error
	}{
		"limits": {func(r *recipe.Recipe) { r.Train.Batch = -1 }, recipe.Error{Key: "train.batch"}},
		"together": {func(r *recipe.Recipe) { r.Train.Optimizer, r.Train.Race = "anfis", nil },
			recipe.Error{Key: "train.batch", With: []string{"train.optimizer"}}},
		"race": {func(r *recipe.Recipe) { r.Train.Race = []recipe.Setting{{"l2": 1.0}, {"droprule": 2.0}} },
			recipe.Error{Key: "train.race", With: []string{"train.droprule"}, Setting: 2, Part: "droprule"}},
		"race, unknown key": {func(r *recipe.Recipe) { r.Train.Race = []recipe.Setting{{"seed": 1}} },
			recipe.Error{Key: "train.race", Setting: 1, Part: "seed"}},
		"race, no number": {func(r *recipe.Recipe) { r.Train.Race = []recipe.Setting{{"iterations": 2.5}} },
			recipe.Error{Key: "train.race", Setting: 1, Part: "iterations"}},
	} {
		r := recipe.Robust()
		c.change(&r)
		found := recipe.Parts(r.Validate())
		if len(found) == 0 {
			t.Errorf("%s: no fault", name)
			continue
		}
		var got *recipe.Error
		if !errors.As(found[0], &got) || got.Key != c.want.Key || got.Setting != c.want.Setting || got.Part != c.want.Part ||
			strings.Join(got.With, " ") != strings.Join(c.want.With, " ") || got.Message == "" {
			t.Errorf("%s: %+v", name, found[0])
		}
	}
}

func Example() {
	r := recipe.Robust()
	if err := r.Set("train.iterations", "500"); err != nil {
		log.Fatal(err)
	}
	for _, c := range r.Candidates(400, false) {
		fmt.Println(c.Model.Init, c.Model.Curves, c.Train.Iterations, c.Train.DropRule)
	}
	// Output:
	// kmeans none 500 1
	// tree none 500 0.4
	// kmeans shared 500 0.7
	// kmeans shared 500 0.9
	// kmeans own 500 0.5
	// kmeans own 500 0.9
	// kmeans none 500 0.5
	// kmeans own 500 0.5
	// kmeans shared 500 1
	// kmeans none 500 0.9
	// kmeans own 500 0.9
	// kmeans own 500 0.8
	// tree none 500 0.9
	// tree own 500 0.9
	// kmeans own 500 0.9
}

// TestOptimizerOfPreset: another optimizer than the preset's starts from its own options, also in a race, and a bound that
// it would ignore is refused.
func TestOptimizerOfPreset(t *testing.T) {
	for _, preset := range recipe.Presets() {
		for _, optimizer := range []string{"adabound", "adam", "rmsprop", "sgd"} {
			r := testenv.Must(recipe.Preset(preset))
			r.Train.Optimizer = optimizer
			used, err := r.Resolve()
			if err != nil {
				t.Errorf("%s with %s: %v", preset, optimizer, err)
				continue
			}
			if got, want := used.Train.Solver["final_relative"], 1.0; optimizer == "adabound" && preset != "paper" && got != want {
				t.Errorf("%s: final_relative is %g, want %g", preset, got, want)
			}
			r.Train.Solver.Set("final_lr", 0.3)
			var fault *recipe.Error
			if err := r.Validate(); optimizer != "adabound" && (!errors.As(err, &fault) || fault.Key != "train.final_lr") {
				t.Errorf("%s with %s and final_lr: %v", preset, optimizer, err)
			}
		}
	}
}

// TestByClassNeedsClasses checks that rules start class by class only where the target has classes.
func TestByClassNeedsClasses(t *testing.T) {
	r := recipe.Robust()
	r.Model.Init = recipe.ByClass
	d := &data.Dataset{Schema: data.Schema{Target: "y"}, X: [][]float64{{1}, {2}}, Y: []float64{0, 1}}
	if err := recipe.CheckTarget(r, d); err == nil || !strings.Contains(err.Error(), "by-class") {
		t.Errorf("numbers: %v", err)
	}
	d.Schema.Classes = []string{"a", "b"}
	if err := recipe.CheckTarget(r, d); err != nil {
		t.Errorf("classes: %v", err)
	}
}

// TestEntrants checks which settings race for numbers and for classes, and that a race without entrants for
// either is refused.
func TestEntrants(t *testing.T) {
	r := recipe.Paper()
	r.Train.Race = []recipe.Setting{
		{"iterations": 1}, {"iterations": 2, "least_samples": 100}, {"iterations": 3, "classes": true},
		{"iterations": 4, "classes": true, "least_samples": 100},
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		samples int
		classes bool
		want    []string
	}{{50, false, []string{"1"}}, {100, false, []string{"1", "2"}}, {50, true, []string{"3"}}, {100, true, []string{"3", "4"}}} {
		var got []string
		for _, s := range r.Entrants(c.samples, c.classes) {
			got = append(got, s.Text("iterations"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d samples, classes %t: %v, want %v", c.samples, c.classes, got, c.want)
		}
	}
	r.Train.Race = r.Train.Race[:2]
	if got := r.Entrants(100, true); len(got) != 2 {
		t.Errorf("no setting for classes: %v", got)
	}
	for _, race := range [][]recipe.Setting{{{"iterations": 3, "classes": true}}, {{"iterations": 1}, {"classes": true, "least_samples": 9}}} {
		r.Train.Race = race
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), "least_samples") {
			t.Errorf("%v: %v", race, err)
		}
	}
}

// TestEntrantsDiffer checks that settings that train alike race once, such as those with and
// without curves where the caller excludes curves.
func TestEntrantsDiffer(t *testing.T) {
	r := recipe.Readable()
	r.Hold("model.curves")
	seen := map[string]bool{}
	for _, c := range r.Candidates(1000, false) {
		key := fmt.Sprint(c.Model.Membership.Name(), c.Model.Softness, c.Train.Iterations, c.Train.DropRule, c.Train.L2, c.Train.Agreement())
		if seen[key] {
			t.Errorf("%s trains twice", key)
		}
		seen[key] = true
	}
}

// TestPresetsHaveSettingsForClasses checks that the race of the default preset has settings for classes, with
// slopes shrunk to zero.
func TestPresetsHaveSettingsForClasses(t *testing.T) {
	for _, c := range recipe.Robust().Candidates(150, true) {
		if c.Train.Shrink != "zero" {
			t.Errorf("a candidate shrinks slopes to %s", c.Train.Shrink)
		}
	}
}

// TestJSON: a recipe that was written and read has the same JSON and the same identity.
func TestJSON(t *testing.T) {
	own, err := membership.Formula{Name: "mine", Expr: "1/(1+((x-c)/s)^2)",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}}.Shape()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*recipe.Recipe){
		"robust": func(*recipe.Recipe) {},
		"paper":  func(r *recipe.Recipe) { *r = recipe.Paper() },
		"no preset": func(r *recipe.Recipe) {
			*r = recipe.Paper()
			r.Preset = ""
		},
		"held":    func(r *recipe.Recipe) { r.Train.Iterations = 20 },
		"no race": func(r *recipe.Recipe) { r.Train.Race = nil },
		"bounds":  func(r *recipe.Recipe) { r.Model.Range, r.Model.Margin = &recipe.Range{0, math.Inf(1)}, 0 },
		"formula": func(r *recipe.Recipe) { r.Model.Membership, r.Train.Seed = own, math.MaxUint64 },
		"signs": func(r *recipe.Recipe) {
			r.Model.Monotone = recipe.Monotone{"b": {recipe.AllTargets: 1}, "a": {"y": -1, "z": 1}}
		},
		"solver": func(r *recipe.Recipe) { r.Train.Solver.Set("beta1", 0.8) },
	} {
		r := recipe.Robust()
		change(&r)
		text := testenv.Must(json.Marshal(r))
		var read recipe.Recipe
		if err := json.Unmarshal(text, &read); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := json.Marshal(read)
		if err != nil || string(again) != string(text) {
			t.Errorf("%s: written again: %v\n%s\nwant\n%s", name, err, again, text)
		}
		want := testenv.Must(r.Identity())
		if got, err := read.Identity(); err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: %v: identity %v, want %v", name, err, got, want)
		}
	}
}

func TestJSONRefuses(t *testing.T) {
	for text, key := range map[string]string{
		`{"preset":"best"}`:                            "preset",
		`{"train.steps":5}`:                            "train.steps",
		`{"train.iterations":"many"}`:                  "train.iterations",
		`{"train.iterations":2.5}`:                     "train.iterations",
		`{"model.membership":"round"}`:                 "model.membership",
		`{"model.membership":{"name":"a","expr":"("}}`: "model.membership",
		`{"model.margin":0.5}`:                         "model.margin",
		`{"train.race":[1]}`:                           "train.race",
		`{"model.monotone":{"a":{"*":"up"}}}`:          "model.monotone",
		`{"model.monotone":{"a":"+"}}`:                 "model.monotone",
	} {
		var r recipe.Recipe
		var fault *recipe.Error
		if err := json.Unmarshal([]byte(text), &r); !errors.As(err, &fault) || fault.Key != key {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestRefuses: a value that cannot be trained is refused under its key, alone and among others.
func TestRefuses(t *testing.T) {
	squares := func(change func(*recipe.Recipe)) func(*recipe.Recipe) {
		return func(r *recipe.Recipe) {
			*r = recipe.Paper()
			r.Model.Init, r.Model.Consequents = "genfis", recipe.LeastSquares
			r.Train.Optimizer, r.Train.Batch, r.Train.DropRule, r.Train.L2 = "anfis", 0, 1, 0
			change(r)
		}
	}
	bounds := func(low, high float64) func(*recipe.Recipe) {
		return func(r *recipe.Recipe) { r.Model.Range = &recipe.Range{low, high} }
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		key    string
		change func(*recipe.Recipe)
	}{
		{"model.rules", func(r *recipe.Recipe) { *r = recipe.Recipe{} }},
		{"model.consequents", func(r *recipe.Recipe) { r.Model.Consequents = "both" }},
		{"data.pca", func(r *recipe.Recipe) { r.Model.PCA = -5 }},
		{"model.membership", func(r *recipe.Recipe) { r.Model.Membership = nil }},
		{"model.init", func(r *recipe.Recipe) { r.Model.Init = "luck" }},
		{"model.engine", func(r *recipe.Recipe) { r.Model.Engine = "steam" }},
		{"model.order", func(r *recipe.Recipe) { r.Model.Order = 2 }},
		{"model.antecedents", func(r *recipe.Recipe) { r.Model.Antecedents = -1 }},
		{"model.terms", func(r *recipe.Recipe) { r.Model.Terms = -1 }},
		{"model.terms", func(r *recipe.Recipe) { r.Model.Terms, r.Model.Order = 1.5, 0 }},
		{"model.terms", squares(func(r *recipe.Recipe) { r.Model.Terms = 2 })},
		{"model.curves", squares(func(r *recipe.Recipe) { r.Model.Curves = recipe.SharedCurves })},
		{"model.round", func(r *recipe.Recipe) { r.Model.Round = -1 }},
		{"model.round", func(r *recipe.Recipe) { r.Model.Round = 16 }},
		{"model.range", bounds(1, 1)}, {"model.range", bounds(2, 1)}, {"model.range", bounds(nan, 1)},
		{"model.spread_floor", func(r *recipe.Recipe) { r.Model.SpreadFloor = inf }},
		{"train.batch", func(r *recipe.Recipe) { r.Train.Batch = -1 }},
		{"train.iterations", func(r *recipe.Recipe) { r.Train.Iterations = -1 }},
		{"train.l2", func(r *recipe.Recipe) { r.Train.L2 = nan }},
		{"train.uniform", func(r *recipe.Recipe) { r.Train.Params.Set("uniform", nan) }},
		{"train.droprule", func(r *recipe.Recipe) { r.Train.DropRule = 1.5 }},
		{"train.droprule", func(r *recipe.Recipe) { r.Train.DropRule, r.Train.Members = 0, 3 }},
		{"train.validate_every", func(r *recipe.Recipe) { r.Train.ValidateEvery = 0 }},
		{"train.optimizer", func(r *recipe.Recipe) { r.Train.Optimizer = "newton" }},
		{"train.momentum", func(r *recipe.Recipe) { r.Train.Solver.Set("momentum", 0.9) }}, // adabound has none
		{"train.schedule", func(r *recipe.Recipe) { r.Train.Schedule = "linear" }},
		{"train.consequent_rate", func(r *recipe.Recipe) { r.Train.ConsequentRate = -1 }},
		{"train.members", func(r *recipe.Recipe) { r.Train.Members = math.MaxInt }},
		{"train.members", func(r *recipe.Recipe) { r.Train.Members = -1 }},
		{"train.race", func(r *recipe.Recipe) { r.Train.Race[1]["droprule"] = 2.0 }},
		{"train.race_splits", func(r *recipe.Recipe) { r.Train.RaceSplits = 0 }},
		{"prune.rounds", func(r *recipe.Recipe) { r.Prune.Rounds = math.MaxInt }},
	} {
		r := recipe.Robust()
		c.change(&r)
		var fault *recipe.Error
		if err := r.Validate(); !errors.As(err, &fault) || fault.Key != c.key {
			t.Errorf("%v: want an error about %s", err, c.key)
		}
	}
	r := recipe.Robust()
	r.Model.Rules, r.Train.RaceSplits, r.Train.Batch, r.Train.DropRule, r.Train.Loss, r.Prune.Theta = math.MaxInt, math.MaxInt, -1, 1e-9,
		"none", 2
	r.Train.Solver.Set("learning_rate", -2)
	for _, key := range []string{"model.rules", "train.batch", "train.droprule", "train.learning_rate", "train.loss", "prune.theta"} {
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), key+": ") {
			t.Errorf("several faults: %s is not among them: %v", key, err)
		}
	}
}
