package prediction_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// watched is a model with its reference and rows that neither has seen.
type watched struct {
	*drift.Reference
	rest *data.Dataset
}

func watchedOn(t *testing.T, file, target string) watched {
	t.Helper()
	ctx := context.Background()
	d := testenv.Must(data.Read(filepath.Join(testenv.Data(t), file), data.Options{Target: target}))
	rows := rand.New(rand.NewPCG(1, 1)).Perm(d.Len())
	part := func(from, to float64) *data.Dataset {
		return d.Subset(rows[int(from*float64(d.Len())):int(to*float64(d.Len()))])
	}
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations = 4, 200
	m := testenv.Must(tskgraph.Run{Recipe: o}.Train(ctx, part(0, 0.5), nil)).Model
	return watched{testenv.Must(drift.New(m, part(0, 0.5), part(0.5, 0.75))), part(0.75, 1)}
}

// compare compares n random ones of the rest, changed, in two blocks.
func (w watched) compare(t *testing.T, n int, rng *rand.Rand, change func(x []float64, y *float64)) *drift.Report {
	t.Helper()
	counts := w.Count()
	rows := rng.Perm(w.rest.Len())[:n]
	for _, of := range [][]int{rows[:n/3], rows[n/3:]} {
		d, block := w.rest.Subset(of), w.Count()
		x, y := make([][]float64, d.Len()), append([]float64{}, d.Y...)
		for i := range x {
			x[i] = append([]float64{}, d.X[i]...)
			change(x[i], &y[i])
		}
		d.X, d.Y = x, y
		if err := block.Add(d.X, nil); err != nil {
			t.Fatal(err)
		}
		if err := block.AddErrors(d); err != nil {
			t.Fatal(err)
		}
		counts.Merge(block)
	}
	return testenv.Must(w.Compare(counts, drift.Level))
}

// TestWatch: each of ten shifts of 600 rows is found, and rows like those of training are left alone.
func TestWatch(t *testing.T) {
	abalone, plant := watchedOn(t, "abalone.csv", "rings"), watchedOn(t, "powerplant.csv", "power_output")
	rng := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		name string
		of   watched
		do   func(x []float64, y *float64)
		says string
	}{
		{"mean", abalone, func(x []float64, _ *float64) { x[3] += 0.03 }, "the values of length have moved"},
		{"scale", abalone, func(x []float64, _ *float64) { x[4] *= 1.2 }, "the values of diameter have moved"},
		{"missing", abalone, func(x []float64, _ *float64) { blank(x, 5, rng, 0.05) }, "height is missing in"},
		{"another category", abalone, func(x []float64, _ *float64) { x[0], x[1], x[2] = 0, 1, 0 }, "the values of sex have moved"},
		{"another relation", abalone, func(_ []float64, y *float64) { *y *= 1.15 }, "predictions of rings are"},
		{"mean", plant, func(x []float64, _ *float64) { x[0] += 2.5 }, "the values of temperature have moved"},
		{"scale", plant, func(x []float64, _ *float64) { x[1] = 54 + 1.3*(x[1]-54) }, "the values of exhaust_vacuum have moved"},
		{"missing", plant, func(x []float64, _ *float64) { blank(x, 3, rng, 0.05) }, "relative_humidity is missing in"},
		{"outside", plant, func(x []float64, _ *float64) {
			if rng.Float64() < 0.02 {
				x[2] = 1100
			}
		}, "ambient_pressure is outside its training range"},
		{"another relation for a rule", plant, func(x []float64, y *float64) {
			if x[0] > 25 {
				*y += 3
			}
		}, "predictions of rule"},
	} {
		if r := c.of.compare(t, 600, rng, c.do); !strings.Contains(strings.Join(r.Changes, "\n"), c.says) {
			t.Errorf("%s of %s: %q is not in %q", c.name, c.of.Model().Schema.Target, c.says, r.Changes)
		}
	}
	alarms, draws := 0, 60
	for range draws / 2 {
		for _, w := range []watched{abalone, plant} {
			if r := w.compare(t, 200, rng, func([]float64, *float64) {}); len(r.Changes) > 0 {
				alarms++
				t.Log(r.Changes)
			}
		}
	}
	if alarms > draws/20 {
		t.Errorf("%d of %d tables like the training part have changes", alarms, draws)
	}
}

func blank(x []float64, at int, rng *rand.Rand, share float64) {
	if rng.Float64() < share {
		x[at] = math.NaN()
	}
}
