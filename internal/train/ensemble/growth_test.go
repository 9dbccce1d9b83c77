package ensemble_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// BenchmarkGrowth shows how the costs of a training run (clustering, 500 updates, the RMSE) and of evaluating the
// model grow with N, at M=9.
func BenchmarkGrowth(b *testing.B) {
	for _, N := range []int{1000, 2000, 4000, 8000, 16000, 32000, 64000} {
		d := wavy(b, N)
		for _, shape := range []string{"gaussian", "trapezoid"} {
			o := recipe.Paper()
			o.Model.Membership = shapeNamed(b, shape)
			var result *ensemble.Result
			b.Run(fmt.Sprintf("N/train/%s/N=%d", shape, N), func(b *testing.B) {
				for b.Loop() {
					var err error
					if result, err = runOf(o).Train(context.Background(), d, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("N/evaluate/%s/N=%d", shape, N), func(b *testing.B) {
				if result == nil {
					b.Skip("needs the model that N/train makes")
				}
				for b.Loop() {
					if _, err := result.Model.Evaluate(b.Context(), d); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// wavy returns N samples of nine features.
func wavy(t testing.TB, N int) *data.Dataset {
	t.Helper()
	const M = 9
	rng := rand.New(rand.NewPCG(3, 4))
	var names []string
	for m := range M {
		names = append(names, fmt.Sprintf("x%d", m+1))
	}
	x, y := make([][]float64, N), make([]float64, N)
	for n := range x {
		x[n] = make([]float64, M)
		for m := range x[n] {
			x[n][m] = rng.NormFloat64()
		}
		y[n] = math.Sin(2*x[n][0]) + x[n][1]*x[n][2] + 0.1*rng.NormFloat64()
	}
	d, err := data.New(names, "y", x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
