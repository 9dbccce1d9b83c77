package rules

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// stepData returns samples of three features and, as y, the sign of the second.
func stepData(n int) (x [][]float64, y []float64) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		x, y = append(x, row), append(y, math.Copysign(1, row[1]))
	}
	return x, y
}

func TestOneFeature(t *testing.T) {
	x, y := stepData(400)
	c, err := OneFeature(t.Context(), Samples{X: x, Y: y}, 7, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	narrow := make([]int, 3) // rules by the feature they are narrow on
	for r, row := range c.Spreads {
		var on []int
		for m, s := range row {
			if s < 3 {
				on = append(on, m)
			} else if s > 5 {
				t.Errorf("rule %d: spread %v of feature %d is not nearly flat", r, s, m)
			}
		}
		if len(on) != 1 {
			t.Fatalf("rule %d is narrow on features %v, want one", r, on)
		}
		narrow[on[0]]++
		if want := math.Copysign(1, c.Centers[r][1]); on[0] == 1 && math.Abs(c.Centers[r][1]) > 0.5 && c.Targets[r]*want < 0.3 {
			t.Errorf("rule %d at %v has target %v", r, c.Centers[r][1], c.Targets[r])
		}
	}
	if narrow[1] != 3 || narrow[0]+narrow[2] != 4 {
		t.Errorf("rules by feature: %v; the second feature, the most relevant, has the extra rule", narrow)
	}
	few, err := OneFeature(t.Context(), Samples{X: x, Y: y}, 1, rand.New(rand.NewPCG(1, 2)))
	column := make([]float64, len(x))
	for n, row := range x {
		column[n] = row[1]
	}
	if width := 0.6 * (slices.Max(column) - slices.Min(column)); err != nil || math.Abs(few.Spreads[0][1]-width) > 1e-12 || math.Abs(few.Centers[0][1]) > 0.2 {
		t.Errorf("one rule: %v, %v: want it on the second feature, spread %v", few, err, width)
	}
	if _, err := OneFeature(t.Context(), Samples{}, 2, nil); err == nil {
		t.Error("no samples: want an error")
	}
}

func TestOneFeatureOfTwoValues(t *testing.T) {
	x := [][]float64{{-1, 0.5}, {1, 0.5}, {1, 0.5}, {-1, 0.5}}
	c, err := OneFeature(t.Context(), Samples{X: x, Y: []float64{0, 1, 1, 0}}, 4, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	for r, row := range c.Spreads {
		for m, s := range row {
			if !(s > 0) || math.IsInf(s, 0) || math.IsNaN(c.Centers[r][m]+c.Targets[r]) {
				t.Errorf("rule %d, feature %d: center %v, spread %v, target %v", r, m, c.Centers[r][m], s, c.Targets[r])
			}
		}
	}
}

func TestCorrelationRatio(t *testing.T) {
	x, y := stepData(400)
	var by [3]float64
	column := make([]float64, len(x))
	for m := range by {
		for n, row := range x {
			column[n] = row[m]
		}
		by[m] = correlationRatio(column, y, weighted.Each(nil, len(y)))
	}
	if by[1] < 0.85 || by[1] > 1 || by[0] > 0.1 || by[2] > 0.1 {
		t.Errorf("correlation ratios %v: want the second near one, the others near zero", by)
	}
	if got := correlationRatio(column, make([]float64, len(x)), weighted.Each(nil, len(x))); got != 0 {
		t.Errorf("constant y: %v", got)
	}
}
