package tune

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

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
			base.Model.Membership, base.Train.L2, base.Train.Uniform, base.Train.ConsequentRate = membership.Trapezoid{}, 0, 0.2, 0.005
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
		d := friedman(t).Train
		if name == "order" {
			parts, err := data.Source{Builtin: "mackey-glass", Split: data.Split{Train: 0.1}}.Load(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			d = parts.Train
		}
		r := searched(t, d, base, o)
		for _, trial := range append(r.Trials, r.Chosen) {
			text, err := json.Marshal(trial.Settings)
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]any{}
			if err := json.Unmarshal(text, &values); err != nil {
				t.Fatal(err)
			}
			got[name] = append(got[name], values)
		}
	}
	text, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if *updateChoices {
		if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(text)+"\n" {
		t.Errorf("the searches chose\n%s", text)
	}
}
