package baseline_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

// plain returns a model without rules for one target of numbers.
func plain(t *testing.T, d *data.Dataset) *model.Model {
	t.Helper()
	prep := testenv.Must(model.Fit(context.Background(), d))
	return &model.Model{Preprocessing: prep}
}

// TestWeights: a sample of weight 2 counts as two, in the fit and in the errors.
func TestWeights(t *testing.T) {
	x, y := [][]float64{{0}, {1}, {2}, {4}}, []float64{1, 3, 4, 9}
	weighted := testenv.Must(data.New([]string{"a"}, "y", x, y))
	weighted.Weights = []float64{1, 2, 1, 1}
	repeated := testenv.Must(data.New([]string{"a"}, "y", append(x, x[1]), append(y, y[1])))
	got := testenv.Must(baseline.Measure(t.Context(), plain(t, weighted), weighted, weighted))
	want := testenv.Must(baseline.Measure(t.Context(), plain(t, repeated), repeated, repeated))
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

// TestByHand: of collinear and constant features, and of more features than samples.
func TestByHand(t *testing.T) {
	d := testenv.Must(data.New([]string{"a", "twice a", "constant"}, "y", [][]float64{{0, 0, 1}, {1, 2, 1}, {2, 4, 1}, {3, 6, 1}},
		[]float64{1, 3, 5, 9}))
	b := testenv.Must(baseline.Measure(t.Context(), plain(t, d), d, d))
	// The line through the points is 0.6 + 2.6 a; residuals 0.4, -0.2, -0.8, 0.6. The mean is 4.5.
	if line, mean := math.Sqrt(1.2/4), math.Sqrt(35./4); math.Abs(b.Linear.RMSE-line) > 1e-12 || math.Abs(b.Constant.RMSE-mean) > 1e-12 {
		t.Errorf("RMSE %v and %v, want %v and %v", b.Linear.RMSE, b.Constant.RMSE, line, mean)
	}
	wide := testenv.Must(data.New([]string{"a", "b", "c", "d"}, "y", [][]float64{{1, 2, 3, 5}, {2, 1, 4, 4}}, []float64{1, 2}))
	if b := testenv.Must(baseline.Measure(t.Context(), plain(t, wide), wide, wide)); b.Linear.RMSE > 1e-9 {
		t.Errorf("more features than samples: %+v", b.Linear)
	}
}
