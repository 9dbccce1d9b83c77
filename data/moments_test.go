package data

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Moments of blocks that are merged are those of all values, to rounding, near the largest numbers too.
func TestMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ shift, scale float64 }{{0, 1}, {1e9, 1e-3}, {0, 1e307}, {0, 1e-300}, {-3, 0}} {
		values, weights := make([]float64, 2000), make([]float64, 2000)
		for i := range values {
			values[i], weights[i] = c.shift+c.scale*rng.NormFloat64(), float64(rng.IntN(3)+1)
			if i%10 == 3 {
				values[i] = math.NaN()
			}
		}
		for _, w := range [][]float64{nil, weights} {
			var merged spread
			for i := 0; i < len(values); i += 256 {
				end := min(i+256, len(values))
				if w == nil {
					merged.merge(spreadOf(values[i:end], nil))
				} else {
					merged.merge(spreadOf(values[i:end], w[i:end]))
				}
			}
			got, want := merged.moments(), twoPass(values, w, c.shift, c.scale)
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(math.Abs(b)+c.scale) }
			if got.N != want.N || got.Weight != want.Weight || !near(got.Mean, want.Mean) || math.Abs(got.SD-want.SD) > 1e-9*want.SD || got.Min != want.Min || got.Max != want.Max {
				t.Errorf("%+v: %+v, want %+v", c, got, want)
			}
		}
	}
	if m := (spread{}).moments(); m != (Moments{}) {
		t.Errorf("no values: %+v", m)
	}
}

// twoPass computes moments by their definition of deviations from shift in units of scale.
func twoPass(values, weights []float64, shift, scale float64) Moments {
	m := Moments{Min: math.Inf(1), Max: math.Inf(-1)}
	unit := scale
	if unit == 0 {
		unit = 1
	}
	for i, v := range values {
		if !math.IsNaN(v) {
			m.N++
			m.Weight += at(weights, i)
			m.Min, m.Max = min(m.Min, v), max(m.Max, v)
			m.Mean += (v - shift) / unit * at(weights, i)
		}
	}
	m.Mean /= m.Weight
	for i, v := range values {
		if d := (v-shift)/unit - m.Mean; !math.IsNaN(v) {
			m.SD += d * d * at(weights, i)
		}
	}
	m.SD = unit * math.Sqrt(m.SD*float64(m.N)/m.Weight/float64(m.N-1))
	m.Mean = shift + unit*m.Mean
	if m.Min == m.Max {
		m.Mean, m.SD = m.Min, 0
	}
	return m
}
