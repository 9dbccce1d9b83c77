package ensemble_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// generated returns n rows of Friedman's first function of ten features, with noise of a standard deviation.
func generated(b *testing.B, n int, noise float64, seed uint64) *data.Dataset {
	b.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = make([]float64, 10)
		for m := range x[i] {
			x[i][m] = rng.Float64()
		}
		y[i] = float64(10*math.Sin(math.Pi*x[i][0]*x[i][1])) + float64(20*(x[i][2]-0.5)*(x[i][2]-0.5)) + float64(10*x[i][3]) +
			float64(5*x[i][4]) + float64(noise*rng.NormFloat64())
	}
	d, err := data.New([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, "y", x, y)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// BenchmarkWhole trains on a million rows from buckets and in memory, from the same initial clusters with as many draws, with
// another seed each time, and reports the mean RMSE of both on fresh rows, with the noise and without it, as a ratio.
func BenchmarkWhole(b *testing.B) {
	const noise = 0.5
	all, fresh := generated(b, 1_000_000, noise, 1), generated(b, 100_000, 0, 2)
	robust := recipe.Robust()
	o, err := robust.With(robust.Train.Race[0])
	if err != nil {
		b.Fatal(err)
	}
	prepared := func(d *data.Dataset) *fit.TrainingSet {
		set, err := fit.Prepare(b.Context(), d, o)
		if err != nil {
			b.Fatal(err)
		}
		return set
	}
	sample, memory := prepared(all.Sampled(1)), prepared(all)
	var start *rules.Clusters
	square := func(set *fit.TrainingSet) float64 {
		r, err := fit.TrainOn(b.Context(), set, nil, fit.Job{Recipe: o, Start: start})
		if err != nil {
			b.Fatal(err)
		}
		start = r.Start
		e := rmse(b, r.Model, fresh)
		return e * e
	}
	var ofBuckets, inMemory, pairs float64
	for b.Loop() {
		o.Train.Seed++
		ofBuckets += square(sample)
		inMemory += square(memory)
		pairs++
	}
	b.ReportMetric(math.Sqrt(ofBuckets/inMemory), "without-noise")
	b.ReportMetric(math.Sqrt((ofBuckets+pairs*noise*noise)/(inMemory+pairs*noise*noise)), "with-noise")
}
