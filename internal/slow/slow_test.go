package slow

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/racedetector"
)

func TestCases(t *testing.T) {
	every := 100
	if racedetector.Enabled {
		every = 3
	}
	for ci, want := range map[string]int{"": 3, "false": 3, "true": every} {
		t.Setenv("CI", ci)
		if got := Cases(3, 100); got != want {
			t.Errorf("CI=%s: %d cases, want %d", ci, got, want)
		}
	}
}

// TestShare checks that the shares of all starts together contain each case once.
func TestShare(t *testing.T) {
	cases := []int{0, 1, 2, 3, 4, 5, 6}
	t.Setenv("CI", "")
	var union []int
	for start := range 3 {
		union = append(union, Share(cases, 3, start)...)
	}
	slices.Sort(union)
	if first := Share(cases, 3, 3); !slices.Equal(first, []int{0, 3, 6}) || !slices.Equal(union, cases) {
		t.Errorf("the first share is %v, all together are %v", first, union)
	}
	t.Setenv("CI", "true")
	if got := Share(cases, 3, 1); !racedetector.Enabled && !slices.Equal(got, cases) {
		t.Errorf("under CI=true: %v", got)
	}
}
