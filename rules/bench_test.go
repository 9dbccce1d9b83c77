package rules

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
	"github.com/tskgraph/tskgraph/membership"
)

// table returns n samples of m features in five overlapping groups.
func table(n, m int) (x [][]float64, y []float64) {
	r := rng(11)
	x, y = matrix(n, m), make([]float64, n)
	for i, row := range x {
		for j := range row {
			row[j] = float64((i*(j+3))%5) + r.NormFloat64()
		}
		y[i] = row[0] + r.NormFloat64()
	}
	return x, y
}

// protein returns the z-scores of the first 70% of the protein data, the size of
// the training part.
func protein(b *testing.B) (x [][]float64, y []float64) {
	d, err := data.Read(filepath.Join(realdata.Dir(b), "protein.csv"), data.Options{Target: "rmsd"})
	if err != nil {
		b.Fatal(err)
	}
	x, y = d.X[:32011], d.Y[:32011]
	for m := range x[0] {
		mean, sd := 0.0, 0.0
		for _, row := range x {
			mean += row[m] / float64(len(x))
		}
		for _, row := range x {
			sd += (row[m] - mean) * (row[m] - mean) / float64(len(x)-1)
		}
		for _, row := range x {
			row[m] = (row[m] - mean) / math.Sqrt(sd)
		}
	}
	return x, y
}

// benchmarkInitialiser places 32 rules on 32,011 samples of 9 features.
func benchmarkInitialiser(b *testing.B, initialise Initialiser) {
	run := func(b *testing.B, x [][]float64, y []float64) {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
				iterations := 0
				for b.Loop() {
					c, err := initialise(b.Context(), Samples{X: x, Y: y}, 32, rng(1))
					if err != nil {
						b.Fatal(err)
					}
					iterations = c.Iterations
				}
				b.ReportMetric(float64(iterations), "iterations")
			})
		}
	}
	b.Run("drawn", func(b *testing.B) {
		x, y := table(32011, 9)
		run(b, x, y)
	})
	b.Run("protein", func(b *testing.B) {
		x, y := protein(b)
		run(b, x, y)
	})
}

func BenchmarkFuzzyCMeans(b *testing.B) { benchmarkInitialiser(b, FuzzyCMeans) }

func BenchmarkKMeans(b *testing.B) { benchmarkInitialiser(b, KMeans) }

// BenchmarkActivity measures 100 rules on a million samples. Memory must not grow with
// the number of samples.
func BenchmarkActivity(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			x, y := table(n, 2)
			c, err := KMeans(b.Context(), Samples{X: x[:10_000], Y: y[:10_000]}, 100, rng(1))
			if err != nil {
				b.Fatal(err)
			}
			rb := New(membership.Gaussian{}, c)
			b.ReportAllocs()
			for b.Loop() {
				must(rb.Activity(context.Background(), x, nil))
			}
		})
	}
}
