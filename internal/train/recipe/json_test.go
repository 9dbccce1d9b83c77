package recipe_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

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
		"bounds":  func(r *recipe.Recipe) { r.Model.Bounds, r.Model.Margin = &recipe.Bounds{0, math.Inf(1)}, 0 },
		"formula": func(r *recipe.Recipe) { r.Model.Membership, r.Train.Seed = own, math.MaxUint64 },
		"signs": func(r *recipe.Recipe) {
			r.Model.Signs = recipe.Signs{"b": {recipe.AllTargets: 1}, "a": {"y": -1, "z": 1}}
		},
		"solver": func(r *recipe.Recipe) { r.Train.Solver.Set("beta1", 0.8) },
	} {
		r := recipe.Robust()
		change(&r)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var read recipe.Recipe
		if err := json.Unmarshal(text, &read); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := json.Marshal(read)
		if err != nil || string(again) != string(text) {
			t.Errorf("%s: written again: %v\n%s\nwant\n%s", name, err, again, text)
		}
		want, err := r.Identity()
		if err != nil {
			t.Fatal(err)
		}
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
		`{"model.signs":{"a":{"*":"up"}}}`:             "model.signs",
		`{"model.signs":{"a":"+"}}`:                    "model.signs",
	} {
		var r recipe.Recipe
		var fault *recipe.Error
		if err := json.Unmarshal([]byte(text), &r); !errors.As(err, &fault) || fault.Key != key {
			t.Errorf("%s: %v", text, err)
		}
	}
}
