package study

import (
	"maps"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// TestIdentity: whatever determines a result changes its identity, and the directory of the
// data, the workers, the shard and what else the study runs do not.
func TestIdentity(t *testing.T) {
	type run struct {
		plan      Plan
		group     group
		algorithm Algorithm
		recipe    tskgraph.Recipe
	}
	of := func(change func(*run)) checkpoint.Identity {
		r := run{Plan{Seed: 1}, group{set: Set{Name: "one"}, shape: "gaussian", repeat: 1}, Algorithms()[1], tskgraph.Paper()}
		change(&r)
		id, err := identify(r.plan, &r.group, r.algorithm, r.recipe)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	same := of(func(*run) {})
	for what, change := range map[string]func(*run){
		"data set": func(r *run) { r.group.set.Name = "x" }, "data": func(r *run) { r.group.set.SHA256 = "x" },
		"target": func(r *run) { r.group.set.Target = "x" }, "repeat": func(r *run) { r.group.repeat, r.plan.Seed = 2, 0 },
		"seed": func(r *run) { r.plan.Seed = 2 }, "algorithm": func(r *run) { r.algorithm = Algorithms()[2] },
		"rules": func(r *run) { r.recipe.Model.Rules++ }, "penalty": func(r *run) { r.recipe.Train.L2 *= 2 },
		"curves": func(r *run) { r.plan.Curves = true },
	} {
		if id := of(change); id.Hash() == same.Hash() {
			t.Errorf("%s: the identity is the same: %v", what, id)
		}
	}
	elsewhere := of(func(r *run) {
		r.plan.Dir, r.plan.Workers, r.plan.Shard, r.plan.Repeats, r.group.set.Title = "x", 3, Shard{1, 2}, 9, "x"
	})
	if changes := same.Differences(elsewhere); len(changes) > 0 {
		t.Errorf("the directory, workers, shard, repeats or title count: %v", changes)
	}
	program, err := checkpoint.Of(tskgraph.Paper(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(program)) {
		if same[name] != program[name] {
			t.Errorf("%s is %q, want %q as in every training", name, same[name], program[name])
		}
	}
}
