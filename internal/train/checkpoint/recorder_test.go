package checkpoint

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// TestCheckpointClock: checkpoints are delivered at their interval, and immediately after
// the clock jumps forward or back.
func TestCheckpointClock(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	received := 0
	r := &Recorder{receive: func(*Checkpoint) { received++ }, every: 5 * time.Second, clock: func() time.Time { return now }}
	slots := testenv.Must(r.Models(1))
	r.Record()
	var at []int
	for i, step := range []time.Duration{
		time.Second, 3 * time.Second, time.Second, // due
		4 * time.Second, -24 * time.Hour, // back: due
		4 * time.Second, time.Second, // due
		365 * 24 * time.Hour, // ahead: due
		0, -time.Nanosecond,  // due
		5*time.Second - 1, 1, // due
	} {
		now = now.Add(step)
		if slots[0].Due() {
			slots[0].Put(&State{}, false)
			at = append(at, i)
		}
	}
	if want := []int{2, 4, 6, 7, 9, 11}; !slices.Equal(at, want) || received != 1+len(want) {
		t.Errorf("due at %v, want %v; received %d checkpoints", at, want, received)
	}
	now = now.Add(-time.Hour)
	slots[0].Put(&State{}, true)
	now = now.Add(time.Second)
	slots[0].Put(&State{}, true)
	if received != 9 {
		t.Errorf("received %d checkpoints, want one at the end of each stage", received)
	}
}

// TestResumeOfAnotherBuild: a checkpoint of a program that may compute other bits is
// refused; that of a program with another GOAMD64 level is not.
func TestResumeOfAnotherBuild(t *testing.T) {
	d := testenv.Must(data.New([]string{"a"}, "y", [][]float64{{1}, {2}, {3}}, []float64{1, 2, 4}))
	identity := func() (Identity, error) {
		return Of(recipe.Paper(), map[string]*data.Dataset{"training part": d})
	}
	of := testenv.Must(identity())
	for name, refused := range map[string]bool{
		"version of tskgraph": true, "revision of tskgraph": true, "arithmetic": true, "GOAMD64": false,
	} {
		was := maps.Clone(of)
		if _, ok := was[name]; !ok {
			t.Errorf("a checkpoint does not record %s", name)
		}
		was[name] = "another"
		_, err := NewRecorder(Options{Resume: &Checkpoint{content{Of: was}}}, identity)
		var changed *ChangedError
		if got := errors.As(err, &changed); got != refused || got && (len(changed.Changes) != 1 || changed.Changes[0].Name != name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHash: two identities have the same hash if and only if they do not differ.
func TestHash(t *testing.T) {
	id := Identity{"train.seed": "1", "data set": "x", goamd64: "v1"}
	for _, c := range []struct {
		what  string
		other Identity
		same  bool
	}{
		{"the same", Identity{"data set": "x", "train.seed": "1", goamd64: "v1"}, true},
		{"another level of processor", Identity{"train.seed": "1", "data set": "x", goamd64: "v3"}, true},
		{"another seed", Identity{"train.seed": "2", "data set": "x", goamd64: "v1"}, false},
		{"a part more", Identity{"train.seed": "1", "data set": "x", "curve": "true"}, false},
		{"a part less", Identity{"train.seed": "1"}, false},
		{"exchanged", Identity{"train.seed": "x", "data set": "1"}, false},
	} {
		if got := id.Hash() == c.other.Hash(); got != c.same {
			t.Errorf("%s: the same hash: %v, want %v", c.what, got, c.same)
		}
		if got := len(id.Differences(c.other)) == 0; got != c.same {
			t.Errorf("%s: no differences: %v, want %v", c.what, got, c.same)
		}
	}
	if len(id.Hash()) != 32 {
		t.Errorf("the hash is %q", id.Hash())
	}
}
