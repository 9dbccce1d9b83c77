package model

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// Predictions are limited to the range of the target plus a margin and to fixed bounds.
func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		margin    float64
		bounds    *[2]float64
		low, high float64
	}{
		{inf, nil, -inf, inf},
		{0, nil, 1, 8},
		{0.5, nil, -2.5, 11.5},
		{inf, &[2]float64{0, inf}, 0, inf},
		{0.5, &[2]float64{0, inf}, 0, 11.5},
		{0.5, &[2]float64{-inf, 9}, -2.5, 9},
		{0, &[2]float64{0, 7}, 1, 7},
	} {
		m := small()
		if err := m.Target.Limit(c.margin, c.bounds); err != nil {
			t.Fatal(err)
		}
		if low, high := m.Target.Limits(); low != c.low || high != c.high {
			t.Errorf("margin %v, bounds %v: from %v to %v, want %v to %v", c.margin, c.bounds, low, high, c.low, c.high)
		}
		free := small()
		x := [][]float64{{-40}, {8}, {10}, {60}}
		want, got := predict(t, free, x), predict(t, m, x)
		for i, v := range want.Values {
			if kept := max(c.low, min(c.high, v)); got.Values[i] != kept {
				t.Errorf("margin %v, bounds %v: %v, want %v", c.margin, c.bounds, got.Values[i], kept)
			}
			if e, err := m.Explain(x[i]); err != nil || e.Prediction != got.Values[i] || (e.Limit != 0) != (v != got.Values[i]) {
				t.Errorf("margin %v, bounds %v: explained %+v, %v", c.margin, c.bounds, e, err)
			}
		}
		var b bytes.Buffer
		if err := m.Encode(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if low, high := again.Target.Limits(); low != c.low || high != c.high {
			t.Errorf("loaded: from %v to %v", low, high)
		}
	}
	target := small().Target // its mean is 5
	if err := target.Limit(inf, &[2]float64{6, inf}); !errors.As(err, new(*data.Error)) {
		t.Errorf("bounds without the training mean: %v", err)
	}
	for path, value := range map[string]float64{"target.low": 5.5, "target.high": 4.5} {
		content := tree(t, small())
		put(t, content, path, value)
		refused(t, path, sealAs(t, 2, content), path[:6]+": "+path[7:])
	}
}
