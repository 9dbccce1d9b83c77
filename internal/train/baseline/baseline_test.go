package baseline_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

// plain returns a model without rules for one target of numbers.
func plain(t *testing.T, d *data.Dataset) *model.Model {
	t.Helper()
	prep, err := model.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return &model.Model{Preprocessing: prep}
}

// TestWeights: a sample of weight 2 counts as two, in the fit and in the errors.
func TestWeights(t *testing.T) {
	x, y := [][]float64{{0}, {1}, {2}, {4}}, []float64{1, 3, 4, 9}
	weighted, err := data.New([]string{"a"}, "y", x, y)
	if err != nil {
		t.Fatal(err)
	}
	weighted.Weights = []float64{1, 2, 1, 1}
	repeated, err := data.New([]string{"a"}, "y", append(x, x[1]), append(y, y[1]))
	if err != nil {
		t.Fatal(err)
	}
	got, err := baseline.Measure(t.Context(), plain(t, weighted), weighted, weighted)
	if err != nil {
		t.Fatal(err)
	}
	want, err := baseline.Measure(t.Context(), plain(t, repeated), repeated, repeated)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Linear.RMSE-want.Linear.RMSE) > 1e-12 || math.Abs(got.Constant.RMSE-want.Constant.RMSE) > 1e-12 {
		t.Errorf("weighted %+v, repeated %+v", got, want)
	}
}

func TestMissingPart(t *testing.T) {
	var fault *data.Error
	if _, err := baseline.Measure(t.Context(), &model.Model{}, nil, nil); !errors.As(err, &fault) {
		t.Errorf("no parts: %v, want a *data.Error", err)
	}
}

func Example() {
	d, err := data.New([]string{"a"}, "y", [][]float64{{0}, {1}, {2}, {3}}, []float64{1, 3, 5, 7})
	if err != nil {
		log.Fatal(err)
	}
	prep, err := model.Fit(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	e, err := baseline.Measure(context.Background(), &model.Model{Preprocessing: prep}, d, d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean %.3f, least squares %.3f\n", e.Constant.RMSE, e.Linear.RMSE)
	// Output: mean 2.236, least squares 0.000
}
