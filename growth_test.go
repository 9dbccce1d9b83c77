package tskgraph_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
)

// BenchmarkGrowth shows how the cost of a training step on the fused engine grows
// with B, R and M, one varied at a time from B=64, R=32, M=11; and how those of a
// training run (clustering, 500 updates, the RMSE) and of evaluating the model grow
// with N, at M=9.
func BenchmarkGrowth(b *testing.B) {
	for _, vary := range []struct {
		letter string
		values []int
	}{{"B", []int{16, 32, 64, 128, 256, 512, 1024}}, {"R", []int{4, 8, 16, 32, 64, 128}}, {"M", []int{2, 4, 8, 16, 32, 64}}} {
		for _, v := range vary.values {
			size := map[string]int{"B": 64, "R": 32, "M": 11}
			size[vary.letter] = v
			for _, shape := range []string{"gaussian", "trapezoid"} {
				b.Run(fmt.Sprintf("%s/%s/B=%d/R=%d/M=%d", vary.letter, shape, size["B"], size["R"], size["M"]), func(b *testing.B) {
					s := newTrainStep(b, "fused", shape, size["B"], size["R"], size["M"])
					s.run(b)
					for b.Loop() {
						s.run(b)
					}
				})
			}
		}
	}
	for _, N := range []int{1000, 2000, 4000, 8000, 16000, 32000, 64000} {
		d := wavy(b, N)
		for _, shape := range []string{"gaussian", "trapezoid"} {
			o := tskgraph.Paper()
			o.Model.Membership = shapeNamed(b, shape)
			var result *tskgraph.Result
			b.Run(fmt.Sprintf("N/train/%s/N=%d", shape, N), func(b *testing.B) {
				for b.Loop() {
					var err error
					if result, err = tskgraph.Train(context.Background(), d, nil, o); err != nil {
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
