package tune

import (
	"context"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/recipe"
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
