package study

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// TestClassifiers runs the trainings of preset paper on one split of iris: all are far better
// than guessing, and they differ.
func TestClassifiers(t *testing.T) {
	racedetector.Skip(t)
	iris, _, err := data.Builtin("iris")
	if err != nil {
		t.Fatal(err)
	}
	c, seen := Classifiers{Tables: []ClassTable{{"iris", iris}}, Repeats: 2, Seed: 1}, map[float64]string{}
	for _, training := range classTrainings()[:5] {
		r, err := c.measure(context.Background(), c.Tables[0], training)
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Accuracy > 0.85) || !(r.LogLoss < 0.6) || r.AccuracySD == nil || r.Training != training.name {
			t.Errorf("%+v", r)
		}
		if other, same := seen[r.LogLoss]; same {
			t.Errorf("%s and %s are the same training", other, r.Training)
		}
		seen[r.LogLoss] = r.Training
	}
	if last := classTrainings()[5].recipe(7); last.Preset != "robust" || last.Train.Seed != 7 {
		t.Errorf("default: %+v", last)
	}
}

func TestClassifiersRefuse(t *testing.T) {
	friedman, _, err := data.Builtin("friedman1")
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]Classifiers{
		"has no classes":     {Tables: []ClassTable{{"friedman1", friedman}}, Repeats: 1},
		"must be at least 1": {},
	} {
		fault := new(tskgraph.RecipeError)
		if _, err := c.Run(context.Background()); !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
}
