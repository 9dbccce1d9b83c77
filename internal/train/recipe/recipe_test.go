package recipe_test

import (
	"cmp"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
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
	set := func(key, text string) func(*recipe.Recipe) error {
		return func(r *recipe.Recipe) error { return r.Set(key, text) }
	}
	for name, c := range map[string]struct {
		change func(*recipe.Recipe) error
		want   string
	}{
		"nothing":      {func(*recipe.Recipe) error { return nil }, "4000 4000 4000 4000 8000 4000 4000 8000 4000 4000 8000 10000 10000"},
		"a field":      {func(r *recipe.Recipe) error { r.Train.Iterations = 20; return nil }, "20 20 20 20 20 20 20 20 20 20 20 20 20"},
		"Set":          {set("train.iterations", "20"), "20 20 20 20 20 20 20 20 20 20 20 20 20"},
		"the preset's": {set("train.iterations", "4000"), "4000 4000 4000 4000 4000 4000 4000 4000 4000 4000 4000 4000 4000"},
		"Set, then a field": {func(r *recipe.Recipe) error {
			err := r.Set("train.l2", "0.5")
			r.Train.Iterations = 20
			return err
		}, "20 20 20 20 20 20 20 20 20 20 20 20 20"},
		"a part of the race": {func(r *recipe.Recipe) error {
			r.Train.Race = r.Train.Race[:2]
			r.Train.Iterations = 20
			return nil
		}, "20 20"},
		"another key": {set("train.l2", "0.5"), "4000 4000 4000 4000 8000 4000 4000 8000 4000 4000 8000 10000 10000"},
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
			" "); got != "0.06 0.06 0.03 0.03 0.03 0.06 0.03 0.06 0.06 0.06 0.06 0.03 0.03" {
			t.Errorf("learning rates of %s: %s", name, got)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for key, text := range map[string]string{
		"train.steps": "5", "train.iterations": "many", "train.l2": "", "model.membership": "round", "train.log_spreads": "perhaps",
		"model.bounds": "0", "train.race": "fast", "train.learning_rate": "quick",
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
	// kmeans none 500 0.7
	// tree none 500 0.7
	// tree none 500 0.4
	// one-feature none 500 0.4
	// kmeans shared 500 0.7
	// tree shared 500 0.7
	// kmeans own 500 0.5
	// kmeans own 500 0.8
}

// TestOptimizerOfPreset: another optimizer than the preset's starts from its own options, also in a race, and a bound that
// it would ignore is refused.
func TestOptimizerOfPreset(t *testing.T) {
	for _, preset := range recipe.Presets() {
		for _, optimizer := range []string{"adabound", "adam", "rmsprop", "sgd"} {
			r, err := recipe.Preset(preset)
			if err != nil {
				t.Fatal(err)
			}
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
