package model

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// An indicator of missing numbers is used where a target depends on it beyond chance, of numbers and of classes.
func TestDropChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, classes := range [][]string{nil, {"no", "yes"}} {
		d := &data.Dataset{Missing: data.Missing{Policy: "mean"}, Schema: data.Schema{Target: "y", Classes: classes, Columns: []data.Column{
			{Name: "random", Encoding: data.Numeric, Missing: true}, {Name: "telling", Encoding: data.Numeric, Missing: true},
			{Name: "once", Encoding: data.Numeric, Missing: true}}}}
		for i := range 400 {
			y := 1e6 + rng.NormFloat64()
			if classes != nil {
				y = float64(rng.IntN(2))
			}
			row := []float64{rng.NormFloat64(), 0, rng.NormFloat64(), 0, rng.NormFloat64(), 0}
			if i == 7 {
				row[4], row[5] = math.NaN(), 1
			}
			if rng.IntN(3) == 0 {
				row[0], row[1] = math.NaN(), 1
			}
			if rng.IntN(4) == 0 == (y == 1 || y > 1e6+0.3) {
				row[2], row[3] = math.NaN(), 1
			}
			d.X, d.Y = append(d.X, row), append(d.Y, y)
		}
		p := testenv.Must(Fit(context.Background(), d))
		for m, unused := range []bool{false, true, false, false, false, true} {
			testenv.Equal(t, p.Features[m].Constant, unused, p.Features[m].Name)
		}
		testenv.Equal(t, len(p.Dropped()), 0, "features that are said to be constant")
		p.ImputeMeans = false
		testenv.FailsWith(t, CheckPreprocessing(p), "must be mean")
	}
}
