package model

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestQuantile(t *testing.T) {
	x := make([][]float64, 41) // 0, 2, ..., 80, shuffled, and a missing value
	for n, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(x)) {
		x[n] = []float64{2 * float64(i)}
	}
	p := Preprocessing{Features: []Feature{{Name: "a", SD: 1}}}
	p.MeasureQuantiles(append(x, []float64{math.NaN()}), nil)
	for share, want := range map[float64]float64{-1: 0, 0: 0, 0.05: 4, 0.5: 40, 0.525: 42, 0.99: 79.2, 1: 80, 2: 80} {
		if got := p.Features[0].Quantile(share); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %v: %v, want %v", share, got, want)
		}
	}
}

func TestTwoValued(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{3, 3, 3, 7}, true},
		{[]float64{0, 1}, true},
		{[]float64{0, 0, 0, 0, 0, 0, 0, 0.001, 1}, false},
		{[]float64{1, 2, 3}, false},
	} {
		p := fit(t, columns("error", []string{"a"}, c.values))
		if got := p.Features[0].TwoValued(len(c.values)); got != c.want {
			t.Errorf("%v: %v", c.values, got)
		}
	}
}

// TestQuantilesInFile: files of version 2 hold quantiles; reading checks them.
func TestQuantilesInFile(t *testing.T) {
	m := small()
	m.MeasureQuantiles([][]float64{{7}, {10}, {13}}, nil)
	file := encode(t, m)
	if got := decode(t, file); !reflect.DeepEqual(got.Features, m.Features) || !bytes.Contains(file, []byte(`"version": 2`)) {
		t.Errorf("%v of\n%s", got.Features, file)
	}
	for want, bad := range map[string]any{"3 values": []float64{1, 2, 3}, "must increase": make([]float64, QuantileSteps+1)} {
		content := tree(t, m)
		put(t, content, "features.0.quantiles", bad)
		refused(t, want, sealAs(t, 2, content), want)
	}
}

// TestOccurring: the values to draw include those that the quantiles miss, and none outside the training range; a
// feature of many values has none.
func TestOccurring(t *testing.T) {
	few, many := make([]float64, 200), make([]float64, 200)
	for i := range few {
		few[i], many[i] = float64(i%3), float64(i)
	}
	few[0], few[1] = 5, 4
	p := fit(t, columns("error", []string{"few", "many"}, few, many))
	for _, c := range []struct{ seen, want []float64 }{
		{[]float64{4, -1, 9, math.NaN()}, []float64{0, 1, 2, 4, 5}},
		{nil, []float64{0, 1, 2, 5}},
	} {
		if got := p.Features[0].Occurring(200, c.seen); !slices.Equal(got, c.want) {
			t.Errorf("%v, not %v", got, c.want)
		}
	}
	if got := p.Features[1].Occurring(200, many); got != nil {
		t.Errorf("200 values to draw: %v", got)
	}
	if got := (Feature{Min: 0, Max: 100, Mean: 40, SD: 10}).Occurring(200, nil); got != nil {
		t.Errorf("without quantiles: %v", got)
	}
}
