package ensemble_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

func committee(members, iterations int) recipe.Recipe {
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.Members = 8, iterations, members
	return o
}

// The mean of the members has a lower error than the members on average. Each has a seed of its own.
func TestCommitteeBeatsItsMembers(t *testing.T) {
	parts := friedman(data.Split{})
	r := train(t, parts.Train, nil, committee(5, 400))
	mean, seeds := 0.0, map[uint64]bool{}
	for k, member := range r.Members {
		mean += rmse(t, member.Model, parts.Test) / 5
		seeds[member.Model.Training.Seed] = true
		if member.Model != r.Model.Members[k] || member.Model.Training.Samples != 630 { // nine tenths of 700
			t.Errorf("member %d saw %d samples, or is not in the model", k+1, member.Model.Training.Samples)
		}
	}
	if got := rmse(t, r.Model, parts.Test); !(got < 0.98*mean) {
		t.Errorf("committee %v, members %v on average", got, mean)
	}
	if len(r.Members) != 5 || len(r.Model.Members) != 5 || len(seeds) != 5 || r.Training.Iterations != 2000 ||
		r.Training.Stopped != optim.StoppedCompleted {
		t.Errorf("%d results, %d members, %d seeds, %+v", len(r.Members), len(r.Model.Members), len(seeds), r.Training)
	}
}

// A callback that fails ends all members; those that had started form the committee.
func TestCommitteeCutShort(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	d, stop := table(200), errors.New("enough")
	o := quick()
	o.Train.Members, o.Train.Iterations = 4, 10_000
	ctx, cancel := context.WithCancel(context.Background())
	two := func(then func() error) ensemble.Run { // once two members have trained
		seen := map[int]int{} // iterations by member
		return ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error {
			if seen[m.Member]++; len(seen) == 2 && seen[1] > 5 && seen[2] > 5 {
				return then()
			}
			return nil
		}}
	}
	r, err := two(func() error { return stop }).Train(context.Background(), d, nil)
	if !errors.Is(err, stop) || !strings.Contains(err.Error(), "member 1: ") || r.Training.Stopped != optim.StoppedFailed ||
		len(r.Members) < 2 {
		t.Errorf("%v: %+v", err, r)
	}
	run := two(func() error { cancel(); return nil })
	if r, err = run.Train(ctx, d, nil); !errors.Is(err, context.Canceled) || r == nil || len(r.Members) != 2 {
		t.Errorf("interrupted while two members train: %v, %+v", err, r)
	}
	if r, err = run.Train(ctx, d, nil); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("interrupted before the start: %v, %+v", err, r)
	}
}

// A feature that varies in a few rows only is constant in some bags.
func TestCommitteeOfRareValues(t *testing.T) {
	d := table(60)
	for _, row := range d.X {
		row[2] = 0
	}
	d.X[7][2] = 1
	o := quick()
	o.Train.Members = 12
	r := train(t, d, nil, o)
	without := 0
	for _, m := range r.Model.Members {
		without += len(m.Dropped())
	}
	if without == 0 || without == 12 || len(r.Model.Dropped()) != 0 {
		t.Fatalf("%d of 12 members lack the feature; want some, not all", without)
	}
	encoded(t, r.Model)
	if _, err := r.Model.Predict(d.X); err != nil {
		t.Error(err)
	}
}

// 90% intervals cover the test part about nine times in ten: over eight splits,
// each with 300 test samples, for a single model and for a committee.
func TestIntervalCoverage(t *testing.T) {
	testenv.SkipRace(t)
	for _, members := range []int{1, 3} {
		sum := 0.0
		for seed := range uint64(8) {
			parts := friedman(data.Split{Seed: seed, Calibration: 0.3})
			m := train(t, parts.Train, nil, committee(members, 200)).Model
			if err := m.Calibrate(t.Context(), parts.Calibration, nil); err != nil {
				t.Fatal(err)
			}
			coverage, _, err := m.Coverage(t.Context(), parts.Test, 0.9, model.BothSides)
			if err != nil {
				t.Fatal(err)
			}
			sum += coverage / 8
		}
		if sum < 0.88 || sum > 0.92 {
			t.Errorf("%d members: mean coverage %v", members, sum)
		}
	}
}

// TestCommitteesAreRefusedBeforeTheRace: a start of a single model, and the rules of a saved one.
func TestCommitteesAreRefusedBeforeTheRace(t *testing.T) {
	for key, change := range map[string]func(run *ensemble.Run){
		"Run.Start":     func(run *ensemble.Run) { run.Start = new(rules.Clusters) },
		"a saved model": func(run *ensemble.Run) { run.Recipe.Model.Init, run.Recipe.Model.Rules = "model.json", 0 },
	} {
		run := ensemble.Run{Recipe: racing(), OnRace: func(int, int) { t.Errorf("%s: a race", key) }}
		run.Recipe.Train.Members = 2
		change(&run)
		if _, err := run.Train(t.Context(), table(100), nil); err == nil || !strings.Contains(err.Error(), key) ||
			!errors.As(err, new(*recipe.Error)) {
			t.Errorf("error %v, want one about %s", err, key)
		}
	}
}
