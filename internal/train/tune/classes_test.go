package tune

import (
	"context"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// TestSearchOfClasses: trials for a target of classes are compared by log loss, on folds with the shares of the classes.
func TestSearchOfClasses(t *testing.T) {
	d, _, err := data.Builtin("iris")
	if err != nil {
		t.Fatal(err)
	}
	base := recipe.Paper()
	base.Model.Rules, base.Train.Iterations = 3, 20
	r, err := Search(context.Background(), d, base, Options{Trials: 3, Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if r.Metric != "log loss" || r.Best.Loss <= 0 || r.Best.Loss > math.Log(3) || r.Best.Metric != r.Metric {
		t.Errorf("%s %v, %s", r.Metric, r.Best.Loss, r.Best.Metric)
	}
}

// TestRaceOfClassesStays: where nothing better is found, the options keep the settings of the
// race for classes, and a race of them alone is valid.
func TestRaceOfClassesStays(t *testing.T) {
	d, _, err := data.Builtin("iris")
	if err != nil {
		t.Fatal(err)
	}
	base := recipe.Robust()
	want := len(base.Entrants(d.Len(), true))
	r, err := Search(context.Background(), d, base, Options{Trials: want, Folds: 2, Space: Space{"iterations": {10}, "rules": {3}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Options.Validate(); err != nil || r.Found || len(r.Options.Entrants(d.Len(), true)) != want {
		t.Errorf("found %t, race %v, %v", r.Found, r.Options.Train.Race, err)
	}
}
