package model

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// TestMeasureIsWeighted compares weighted metrics with values computed by hand and with
// those of repeated samples.
func TestMeasureIsWeighted(t *testing.T) {
	got := MeasureValues([]float64{1, 2, 5}, []float64{2, 2, 2}, []float64{0.5, 1, 1.5})
	if want := math.Sqrt((0.5*1 + 1.5*9) / 3); math.Abs(got.RMSE-want) > 1e-15 || math.Abs(got.MAE-5./3) > 1e-15 || !got.Weighted || got.Samples != 3 {
		t.Errorf("%+v, want RMSE %v and MAE 5/3", got, want)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var p, y, w, pp, yy []float64
	for i := range 50 {
		k := 1 + i%4
		p, y, w = append(p, rng.NormFloat64()), append(y, rng.NormFloat64()), append(w, float64(k))
		pp, yy = append(pp, slices.Repeat(p[i:], k)...), append(yy, slices.Repeat(y[i:], k)...)
	}
	got, want := MeasureValues(p, y, w), MeasureValues(pp, yy, nil)
	if math.Abs(got.RMSE-want.RMSE) > 1e-12 || math.Abs(got.MAE-want.MAE) > 1e-12 || math.Abs(got.R2-want.R2) > 1e-12 {
		t.Errorf("%+v, of repeated samples %+v", got, want)
	}
}

// weighted4 returns samples with weights 1 to 4, and the same samples repeated as often.
func weighted4(t *testing.T) (d, repeated *data.Dataset) {
	rng := rand.New(rand.NewPCG(2, 2))
	x, y := make([][]float64, 400), make([]float64, 400)
	var weights []float64
	var rows []int
	for i := range x {
		x[i] = []float64{rng.NormFloat64(), math.Exp(1.5 * rng.NormFloat64())}
		y[i] = x[i][0] + rng.NormFloat64()
		weights = append(weights, float64(1+i%4))
		rows = append(rows, slices.Repeat([]int{i}, 1+i%4)...)
	}
	d, err := data.New([]string{"a", "b"}, "y", x, y)
	if err != nil {
		t.Fatal(err)
	}
	repeated = d.Subset(rows)
	d.Weights = weights
	return d, repeated
}

// TestFitIsWeighted: means equal those of repeated samples, and so do standard deviations
// except for n, which counts samples; transforms and quantiles are close.
func TestFitIsWeighted(t *testing.T) {
	d, repeated := weighted4(t)
	got, want := fit(t, d), fit(t, repeated)
	d, err := d.Weighed()
	if err != nil {
		t.Fatal(err)
	}
	got.Straighten(context.Background(), d.X, d.Weights)
	want.Straighten(context.Background(), repeated.X, nil)
	got.Standardise(d)
	want.Standardise(repeated)
	n, nn := float64(d.Len()), float64(repeated.Len())
	divisor := math.Sqrt(n / (n - 1) * (nn - 1) / nn)
	near := func(what string, got, want, by float64) {
		t.Helper()
		if !(math.Abs(got-want) <= by) {
			t.Errorf("%s: %v, of repeated samples %v", what, got, want)
		}
	}
	for m, f := range want.Features {
		g := got.Features[m]
		near("mean", g.Mean, f.Mean, 1e-12)
		near("sd", g.SD, f.SD*divisor, 1e-12*f.SD)
		near("range", g.Max-g.Min, f.Max-f.Min, 0)
		for i, q := range f.Quantiles[1:20] {
			near("quantile", g.Quantiles[1+i], q, 0.02*f.SD)
		}
	}
	near("target mean", got.Target.Mean, want.Target.Mean, 1e-12)
	near("target sd", got.Target.SD, want.Target.SD*divisor, 1e-12)
	p, q := got.Features[1].Power, want.Features[1].Power
	if p == nil || q == nil {
		t.Fatal("the skewed feature was not straightened")
	}
	near("lambda", p.Lambda, q.Lambda, 5e-3)
	near("power mean", p.Mean, q.Mean, 5e-3)
}

// TestCalibrateIsWeighted: the half width of the interval is the weighted quantile of the
// residuals, and the coverage is weighted.
func TestCalibrateIsWeighted(t *testing.T) {
	m := smallTrapezoid() // predicts 5, the mean, where no rule fires
	far := slices.Repeat([][]float64{{1e6}}, 10)
	d := &data.Dataset{Schema: m.Schema, X: far, Y: make([]float64, 10), Weights: make([]float64, 10)}
	for i := range d.Y {
		d.Y[i], d.Weights[i] = 5+float64(i), 1 // residuals 0 to 9
	}
	d.Weights[2] = 6 // of 15: 1, 2, 8, 9, ... 15
	if err := m.Calibrate(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 2, 2, 2, 2, 3, 5, 6, 8, 9}; !slices.Equal(m.Calibration.Residuals, want) {
		t.Errorf("residuals %v, want %v", m.Calibration.Residuals, want)
	}
	if half, err := m.HalfWidth(0.5); err != nil || half != 3 {
		t.Errorf("half width %v, want 3, the sixth: 9 of 15; %v", half, err)
	}
	if c, _, err := m.Coverage(t.Context(), d, 0.5); err != nil || math.Abs(c-9./15) > 1e-12 {
		t.Errorf("coverage %v, want 9/15, %v", c, err)
	}
}
