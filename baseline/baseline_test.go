package baseline_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/baseline"
	"github.com/tskgraph/tskgraph/data"
)

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
	got, err := baseline.Measure(weighted, weighted)
	if err != nil {
		t.Fatal(err)
	}
	want, err := baseline.Measure(repeated, repeated)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.OLS.RMSE-want.OLS.RMSE) > 1e-12 || math.Abs(got.Mean.RMSE-want.Mean.RMSE) > 1e-12 {
		t.Errorf("weighted %+v, repeated %+v", got, want)
	}
}

func TestMissingPart(t *testing.T) {
	var fault *data.Error
	if _, err := baseline.Measure(nil, nil); !errors.As(err, &fault) {
		t.Errorf("no parts: %v, want a *data.Error", err)
	}
}

func Example() {
	d, err := data.New([]string{"a"}, "y", [][]float64{{0}, {1}, {2}, {3}}, []float64{1, 3, 5, 7})
	if err != nil {
		log.Fatal(err)
	}
	e, err := baseline.Measure(d, d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean %.3f, least squares %.3f\n", e.Mean.RMSE, e.OLS.RMSE)
	// Output: mean 2.236, least squares 0.000
}
