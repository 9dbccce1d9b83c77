package tskgraph

import (
	"slices"
	"testing"
	"time"
)

// TestCheckpointClock: checkpoints come at their interval; a clock that jumps ahead or
// back brings one at once, and none is kept waiting for good.
func TestCheckpointClock(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	told := 0
	s := &saver{tell: func(*Checkpoint) { told++ }, every: 5 * time.Second, clock: func() time.Time { return now }}
	places, err := s.models(1)
	if err != nil {
		t.Fatal(err)
	}
	s.write()
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
		if places[0].due() {
			places[0].put(&standing{}, false)
			at = append(at, i)
		}
	}
	if want := []int{2, 4, 6, 7, 9, 11}; !slices.Equal(at, want) || told != 1+len(want) {
		t.Errorf("due at %v, want %v; told %d times", at, want, told)
	}
	now = now.Add(-time.Hour)
	places[0].put(&standing{}, true)
	now = now.Add(time.Second)
	places[0].put(&standing{}, true)
	if told != 9 {
		t.Errorf("told %d times, want the end of a stage each time", told)
	}
}
