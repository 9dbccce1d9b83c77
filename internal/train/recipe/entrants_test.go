package recipe_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// TestEntrants checks which settings race for numbers and for classes, and that a race without entrants for
// either is refused.
func TestEntrants(t *testing.T) {
	r := recipe.Paper()
	r.Train.Race = []recipe.Setting{
		{"iterations": 1}, {"iterations": 2, "least_samples": 100}, {"iterations": 3, "classes": true},
		{"iterations": 4, "classes": true, "least_samples": 100},
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		samples int
		classes bool
		want    []string
	}{{50, false, []string{"1"}}, {100, false, []string{"1", "2"}}, {50, true, []string{"3"}}, {100, true, []string{"3", "4"}}} {
		var got []string
		for _, s := range r.Entrants(c.samples, c.classes) {
			got = append(got, s.Text("iterations"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d samples, classes %t: %v, want %v", c.samples, c.classes, got, c.want)
		}
	}
	r.Train.Race = r.Train.Race[:2]
	if got := r.Entrants(100, true); len(got) != 2 {
		t.Errorf("no setting for classes: %v", got)
	}
	for _, race := range [][]recipe.Setting{{{"iterations": 3, "classes": true}}, {{"iterations": 1}, {"classes": true, "least_samples": 9}}} {
		r.Train.Race = race
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), "least_samples") {
			t.Errorf("%v: %v", race, err)
		}
	}
}

// TestEntrantsDiffer checks that settings that train alike race once, such as those with and
// without curves where the caller excludes curves.
func TestEntrantsDiffer(t *testing.T) {
	r := recipe.Readable()
	r.Hold("model.curves")
	seen := map[string]bool{}
	for _, c := range r.Candidates(1000, false) {
		key := fmt.Sprint(c.Model.Membership.Name(), c.Model.Softness, c.Train.Iterations, c.Train.DropRule, c.Train.L2, c.Train.Agreement)
		if seen[key] {
			t.Errorf("%s trains twice", key)
		}
		seen[key] = true
	}
}

// TestPresetsHaveSettingsForClasses checks that the race of the default preset has settings for classes, with
// slopes shrunk to zero.
func TestPresetsHaveSettingsForClasses(t *testing.T) {
	for _, c := range recipe.Robust().Candidates(150, true) {
		if c.Train.Shrink != "zero" {
			t.Errorf("a candidate shrinks slopes to %s", c.Train.Shrink)
		}
	}
}
