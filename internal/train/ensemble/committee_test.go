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
)

func friedman(t testing.TB, split data.Split) *data.Parts {
	t.Helper()
	parts := must(data.Source{Builtin: "friedman1", Split: split}.Load(context.Background()))
	return parts
}

func committee(members int) recipe.Recipe {
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.Members = 8, 1000, members
	return o
}

func rmse(t testing.TB, m *model.Model, d *data.Dataset) float64 {
	t.Helper()
	e := must(m.Evaluate(t.Context(), d))
	return e.RMSE
}

// The mean of the members has a lower error than the members on average.
func TestCommitteeBeatsItsMembers(t *testing.T) {
	parts := friedman(t, data.Split{})
	r := train(t, parts.Train, nil, committee(5))
	if len(r.Members) != 5 || len(r.Model.Members) != 5 {
		t.Fatalf("%d results, %d members", len(r.Members), len(r.Model.Members))
	}
	mean := 0.0
	for k, member := range r.Members {
		mean += rmse(t, member.Model, parts.Test) / 5
		if member.Model != r.Model.Members[k] {
			t.Errorf("member %d is not in the model", k+1)
		}
		if n := member.Model.Training.Samples; n != 630 { // nine tenths of 700
			t.Errorf("member %d saw %d samples", k+1, n)
		}
	}
	if got := rmse(t, r.Model, parts.Test); !(got < 0.98*mean) {
		t.Errorf("committee %v, members %v on average", got, mean)
	}
	if r.Training.Iterations != 5000 || r.Training.Stopped != optim.StoppedCompleted {
		t.Errorf("%+v", r.Training)
	}
}

// The same seed gives the same committee, to the bit, on any number of processors; another
// seed gives other members.
func TestCommitteeIsReproducible(t *testing.T) {
	d := table(t, 200)
	o := quick()
	o.Train.Members = 3
	first := encoded(t, train(t, d, nil, o).Model)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := train(t, d, nil, o)
	if encoded(t, one.Model) != first {
		t.Error("one processor gives a different committee")
	}
	seeds := map[uint64]bool{}
	for range 2 {
		for _, m := range train(t, d, nil, o).Model.Members {
			seeds[m.Training.Seed] = true
		}
		o.Train.Seed++
	}
	if len(seeds) != 6 {
		t.Errorf("6 members have %d seeds", len(seeds))
	}
}

// A callback that fails ends all members; those that had started form the committee.
func TestCommitteeCutShort(t *testing.T) {
	var run ensemble.Run
	d := table(t, 200)
	o := quick()
	o.Train.Members, o.Train.Iterations = 4, 10_000
	stop := errors.New("enough")
	seen := map[int]int{} // iterations by member
	run.OnIteration = func(m optim.Metrics) error {
		seen[m.Member]++
		if len(seen) == 2 && seen[1] > 5 && seen[2] > 5 {
			return stop
		}
		return nil
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	r, err := with(run, o).Train(context.Background(), d, nil)
	if !errors.Is(err, stop) || !strings.Contains(err.Error(), "member 1: ") {
		t.Fatal(err)
	}
	if r.Training.Stopped != optim.StoppedFailed || len(r.Members) < 2 || seen[0] != 0 {
		t.Errorf("%+v, %d members, %v", r.Training, len(r.Members), seen)
	}

	ctx, cancel := context.WithCancel(context.Background())
	clear(seen)
	run.OnIteration = func(m optim.Metrics) error {
		if seen[m.Member]++; seen[1] > 5 && seen[2] > 5 {
			cancel()
		}
		return nil
	}
	r, err = with(run, o).Train(ctx, d, nil)
	if !errors.Is(err, context.Canceled) || r == nil || len(r.Members) != 2 {
		t.Errorf("interrupted while two members train: %v, %+v", err, r)
	}
	if r, err = with(run, o).Train(ctx, d, nil); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("interrupted before the start: %v, %+v", err, r)
	}
}

// A feature that varies in a few rows only is constant in some bags.
func TestCommitteeOfRareValues(t *testing.T) {
	d := table(t, 60)
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
		o := committee(members)
		o.Train.Iterations = 200
		sum := 0.0
		for seed := range uint64(8) {
			parts := friedman(t, data.Split{Seed: seed, Calibration: 0.3})
			m := train(t, parts.Train, nil, o).Model
			if err := m.Calibrate(t.Context(), parts.Calibration); err != nil {
				t.Fatal(err)
			}
			coverage, _, err := m.Coverage(t.Context(), parts.Test, 0.9)
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
