package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWhole(t *testing.T) {
	for _, c := range []struct {
		quantiles []float64
		want      bool
	}{{[]float64{0, 1, 2}, true}, {[]float64{0, 0.5, 2}, false}, {[]float64{0, 0, 7}, false}, {[]float64{0, 0, 1, 7}, true}} {
		if got := (Feature{Quantiles: c.quantiles}).Whole(); got != c.want {
			t.Errorf("%v: %v", c.quantiles, got)
		}
	}
}

func TestFewValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, value func() float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = value()
		}
		return values
	}
	children := draw(1300, func() float64 { return min(5, math.Floor(rng.ExpFloat64()*1.6)) })
	for name, c := range map[string]struct {
		values []float64
		want   []float64
	}{
		"two":                {draw(300, func() float64 { return float64(rng.IntN(2)) * 1.5 }), []float64{0, 1.5}},
		"whole":              {children, []float64{0, 1, 2, 3, 4, 5}},
		"fractions":          {draw(400, func() float64 { return []float64{31.7, 39.6, 55.5, 71.3}[rng.IntN(4)] }), []float64{31.7, 39.6, 55.5, 71.3}},
		"few rows":           {[]float64{1, 1, 2, 2, 3}, nil},
		"continuous":         {draw(400, rng.Float64), nil},
		"many whole numbers": {draw(400, func() float64 { return float64(rng.IntN(24)) }), nil},
		"mostly zero":        {draw(900, func() float64 { return max(0, rng.NormFloat64()-1) }), nil},
		"nearly all zero":    {append([]float64{0.3, 4.1, 7}, make([]float64, 397)...), nil},
		"mostly zero, whole": {draw(900, func() float64 { return math.Round(1000 * max(0, rng.NormFloat64()-1)) }), nil},
	} {
		p := fit(t, columns("error", []string{"a"}, c.values))
		got := p.Features[0].FewValues(len(c.values))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for _, v := range got {
			if !slices.Contains(c.values, v) {
				t.Errorf("%s: %v does not occur", name, v)
			}
		}
	}
}
