package tskgraph_test

import (
	"errors"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
)

// TestFace: the short names train, prune and find the path as the packages below do; presets are found by name.
func TestFace(t *testing.T) {
	parts, err := data.Source{Builtin: "sinc"}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []func() tskgraph.Recipe{tskgraph.Paper, tskgraph.Robust, tskgraph.Readable} {
		if r, err := tskgraph.Preset(of().Preset); err != nil || r.Train.Iterations != of().Train.Iterations {
			t.Errorf("preset %q: %v", of().Preset, err)
		}
	}
	var fault *tskgraph.RecipeError
	if _, err := tskgraph.Preset("best"); !errors.As(err, &fault) {
		t.Errorf("an unknown preset: %v", err)
	}
	r := tskgraph.Paper()
	r.Model.Rules, r.Train.Iterations = 4, 20
	trained, err := tskgraph.Train(t.Context(), parts.Train, nil, r)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = tskgraph.RecipeOf(trained.Model); err != nil {
		t.Fatal(err)
	}
	r.Train.Iterations, r.Prune.Rounds, r.Prune.Theta = 2, 1, 0.1
	pruned, err := tskgraph.Prune(t.Context(), trained.Model, parts.Train, nil, r)
	if err != nil || pruned.Model.RuleBase.Rules() >= 4 {
		t.Errorf("pruned: %v", err)
	}
	path, err := tskgraph.PrunePath(t.Context(), trained.Model, parts.Train, nil, r, 3)
	if err != nil || len(path.Steps) != 2 || path.Steps[1].Rules != 3 {
		t.Errorf("path: %v", err)
	}
}
