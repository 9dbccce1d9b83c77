package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestEffectsByHand: for a single rule, a linear formula, the effect of a column is its slope times the distance
// from its training mean, whatever the other columns; the effect of a level is its term minus the weighted mean of
// all levels' terms. Both agree with the mean over the training values.
func TestEffectsByHand(t *testing.T) {
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "a", Encoding: data.Numeric}, {Name: "flat", Encoding: data.Numeric}, {Name: "kind", Encoding: data.OneHot, Levels: []string{"p", "q", "r"}},
	}}}
	for n := range 101 {
		row := []float64{float64(n), 7, 0, 0, 0}
		row[2+min(2, n%5)] = 1 // p, q in a fifth of the rows each, r in the others
		d.X, d.Y = append(d.X, row), append(d.Y, float64(n%3))
	}
	p := fit(t, d)
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, SpreadFloor: 1e-3, Parameters: rules.NewParameters(2, 1, 4)}
	rb.Consequents[0][0] = 1
	for i, slope := range []float64{3, 10, 20, 60} {
		rb.Antecedents[1][0][i] = 1
		rb.Consequents[0][1+i] = slope * p.Used()[i].SD
	}
	m, err := New(p, rb, d.X, nil, Training{Samples: d.Len()})
	if err != nil {
		t.Fatal(err)
	}
	e := explain(t, m, []float64{80, 7, 0, 1, 0})
	shares := []float64{p.Features[2].Mean, p.Features[3].Mean, p.Features[4].Mean}
	kind := 20 - (10*shares[0] + 20*shares[1] + 60*shares[2])
	if len(e.Inputs) != 2 || e.Inputs[0].Name != "a" || e.Inputs[1].Name != "kind" {
		t.Fatalf("%+v", e.Inputs)
	}
	if got := e.Inputs[0].Change; math.Abs(got-3*(80-50)) > 1e-9 {
		t.Errorf("a changes the prediction by %v, want 90", got)
	}
	if got := e.Inputs[1].Change; math.Abs(got-kind) > 1e-9 {
		t.Errorf("kind changes the prediction by %v, want %v", got, kind)
	}
}

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
