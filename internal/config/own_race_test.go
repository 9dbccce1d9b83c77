package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestOwnRaceStays checks that a race that was set keeps its values, even those that a
// setting of the preset has, too.
func TestOwnRaceStays(t *testing.T) {
	c, err := load(t, "train: {iterations: 50, l2: 0.5, race: [{iterations: 4000}, {iterations: 8000, l2: 0.001}]}\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range c.Recipe.Candidates(1000, false) {
		got = append(got, fmt.Sprint(r.Train.Iterations, " ", r.Train.L2))
	}
	if want := "4000 0.5, 8000 0.001"; strings.Join(got, ", ") != want {
		t.Errorf("iterations and l2 of the candidates are %q, want %q", got, want)
	}
}
