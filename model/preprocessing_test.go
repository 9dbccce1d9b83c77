package model

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// columns returns a numeric data set with the given columns and the target 1, 2, ...
func columns(missing string, names []string, x ...[]float64) *data.Dataset {
	d := &data.Dataset{Schema: data.Schema{Target: "y"}, Missing: data.Missing{Policy: missing}}
	for _, name := range names {
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: name, Encoding: data.Numeric})
	}
	for n := range x[0] {
		row := make([]float64, len(x))
		for m := range x {
			row[m] = x[m][n]
		}
		d.X, d.Y = append(d.X, row), append(d.Y, float64(n+1))
	}
	return d
}

func fit(t testing.TB, d *data.Dataset) Preprocessing {
	t.Helper()
	return testenv.Must(Fit(context.Background(), d))
}

func TestFitByHand(t *testing.T) {
	// (2, 4, 9): mean 5, deviations (-3, -1, 4), sd = sqrt(26/2) with divisor n-1.
	d := columns("error", []string{"a", "flat", "b"}, []float64{2, 4, 9}, []float64{7, 7, 7}, []float64{1, 2, 3})
	p := fit(t, d)
	want := []Feature{
		{Name: "a", Mean: 5, SD: math.Sqrt(13), Min: 2, Max: 9},
		{Name: "flat", Mean: 7, SD: 1, Min: 7, Max: 7, Constant: true},
		{Name: "b", Mean: 2, SD: 1, Min: 1, Max: 3},
	}
	for m, f := range p.Features {
		if math.Abs(f.SD-want[m].SD) > 1e-15 {
			t.Errorf("%s: sd %v, want %v", f.Name, f.SD, want[m].SD)
		}
		want[m].SD = f.SD
	}
	ten := func(v float64) []float64 { return slices.Repeat([]float64{v}, 10) }
	want[0].Quantiles = slices.Concat(ten(2), ten(4), []float64{9})
	want[2].Quantiles = slices.Concat(ten(1), ten(2), []float64{3})
	if !reflect.DeepEqual(p.Features, want) || p.Target != (Target{Mean: 2, Min: 1, Max: 3}) {
		t.Errorf("features %v, target %v", p.Features, p.Target)
	}
	if got := p.Dropped(); !slices.Equal(got, []string{"flat"}) {
		t.Errorf("dropped %v", got)
	}
	if !p.Schema.Columns[1].Unused || p.Schema.Columns[0].Unused || d.Schema.Columns[1].Unused {
		t.Errorf("unused: %v; in the data set: %v", p.Schema.Columns, d.Schema.Columns)
	}
	z, err := p.Scale([][]float64{{9, -1, 1}, {5, math.NaN(), 2}}) // a constant feature is ignored
	if err != nil || len(z[0]) != 2 || math.Abs(z[0][0]-4/math.Sqrt(13)) > 1e-15 || z[0][1] != -1 || z[1][0] != 0 || z[1][1] != 0 {
		t.Errorf("z = %v, %v", z, err)
	}
	if got := p.Targets(&data.Dataset{Y: []float64{2, 5}}); !slices.Equal(got, []float64{0, 3}) {
		t.Errorf("centred %v", got)
	}
}

func TestFitLevels(t *testing.T) {
	// Features: sex=F, sex=M, sex=I, size, flat=u. No sample is I; none varies in flat.
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "sex", Encoding: data.OneHot, Levels: []string{"F", "M", "I"}},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"small", "large"}},
		{Name: "flat", Encoding: data.OneHot, Levels: []string{"u"}},
	}}}
	d.X, d.Y = [][]float64{{1, 0, 0, 1, 1}, {0, 1, 0, 2, 1}, {1, 0, 0, 2, 1}, {0, 1, 0, 1, 1}}, []float64{1, 2, 3, 4}
	p := fit(t, d)
	var used []string
	for _, f := range p.Used() {
		used = append(used, f.Name)
	}
	if !slices.Equal(used, []string{"sex=F", "sex=M", "size"}) || !slices.Equal(p.Dropped(), []string{"sex=I", "flat=u"}) {
		t.Errorf("used %v, dropped %v", used, p.Dropped())
	}
	for i, unused := range []bool{false, false, true} { // a column is unused if all its features are
		if p.Schema.Columns[i].Unused != unused {
			t.Errorf("column %d: unused %v", i, !unused)
		}
	}
	if f := p.Used()[1]; f.Mean != 0.5 || math.Abs(f.SD-math.Sqrt(1.0/3)) > 1e-15 {
		t.Errorf("sex=M: %v", f)
	}
}

func TestFitRefuses(t *testing.T) {
	nan := math.NaN()
	wideTarget := columns("error", []string{"a"}, []float64{1, 2})
	wideTarget.Y = []float64{-1e308, 1e308}
	for _, c := range []struct {
		d    *data.Dataset
		want string
	}{
		{columns("error", []string{"a", "b"}, []float64{1, 1}, []float64{2, 2}), "every feature is constant"},
		{columns("error", []string{"a"}, []float64{1}), "every feature is constant"}, // one sample: divisor 0
		{columns("mean", []string{"a", "b"}, []float64{1, 2}, []float64{nan, nan}), `"b" has no value`},
		{columns("error", []string{"a"}, []float64{-1e308, 1e308}), `"a" ranges from -1e+308 to 1e+308`},
		{wideTarget, `"y" ranges from`},
	} {
		_, err := Fit(context.Background(), c.d)
		if !errors.As(err, new(*data.Error)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T %v, want a *data.Error with %q", err, err, c.want)
		}
	}
}

func TestMissing(t *testing.T) {
	x := []float64{0.1, 0.2, math.NaN(), 0.7}
	p := fit(t, columns("mean", []string{"a"}, x))
	if f := p.Features[0]; math.Abs(f.Mean-1.0/3) > 1e-16 || f.Min != 0.1 || f.Max != 0.7 {
		t.Errorf("a missing value counts: %v", f)
	}
	z, err := p.Scale([][]float64{{math.NaN()}})
	if err != nil || z[0][0] != 0 {
		t.Errorf("z = %v, %v; want exactly 0, the training mean", z, err)
	}
	for _, c := range []struct {
		impute bool
		x      float64
		want   string
	}{
		{false, math.NaN(), `sample 1: feature "a" is NaN`},
		{true, math.Inf(1), `sample 1: feature "a" is +Inf`},
		{false, math.Inf(-1), `sample 1: feature "a" is -Inf`},
	} {
		p.ImputeMeans = c.impute
		if _, err := p.Scale([][]float64{{0.1}, {c.x}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v (mean: %v): %v", c.x, c.impute, err)
		}
	}
}

// z-scores do not depend on the unit, even an extreme one.
func TestOddScales(t *testing.T) {
	for _, unit := range []float64{1e-300, 1e-150, 1, 1e150, 1e307} {
		p := fit(t, columns("error", []string{"a"}, []float64{2 * unit, 4 * unit, 9 * unit}))
		z, err := p.Scale([][]float64{{2 * unit}, {4 * unit}, {9 * unit}})
		if err != nil {
			t.Errorf("unit %v: %v", unit, err)
			continue
		}
		for n, want := range []float64{-3, -1, 4} {
			if want /= math.Sqrt(13); math.Abs(z[n][0]-want) > 1e-14 {
				t.Errorf("unit %v: z = %v, want %v", unit, z[n][0], want)
			}
		}
	}
}

func TestMomentsOfHugeValues(t *testing.T) {
	const huge = 1.7e308
	mean, sd, low, high := moments([]float64{huge, huge, 0, 0}, nil) // sd = huge/sqrt(3)
	if math.Abs(mean/huge-0.5) > 1e-15 || math.Abs(sd/huge-1/math.Sqrt(3)) > 1e-15 || low != 0 || high != huge {
		t.Errorf("mean %v, sd %v, range %v to %v", mean, sd, low, high)
	}
	if mean, sd, _, _ = moments([]float64{-huge, -huge, -huge}, nil); mean != -huge || sd != 0 {
		t.Errorf("constant: mean %v, sd %v", mean, sd)
	}
	// Rounding in the mean must not give a constant a positive deviation.
	if mean, sd, _, _ = moments(slices.Repeat([]float64{0.1}, 10), nil); mean != 0.1 || sd != 0 {
		t.Errorf("constant: mean %v, sd %v", mean, sd)
	}
}

func TestScaleKeepsInput(t *testing.T) {
	p := fit(t, columns("mean", []string{"a", "b"}, []float64{1, 2, 4}, []float64{3, 3, 5}))
	x := [][]float64{{1, 2}, {3, 4}}
	if z, err := p.Scale(x); err != nil || !reflect.DeepEqual(x, [][]float64{{1, 2}, {3, 4}}) {
		t.Errorf("x = %v, %v", x, err)
	} else if z[0] = append(z[0], 9); z[1][0] == 9 {
		t.Error("appending to one row writes to the next")
	}
}

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
		noError(m.Target.Limit(c.margin, c.bounds))
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
		noError(m.Encode(&b))
		again := testenv.Must(Decode(&b))
		if low, high := again.Target.Limits(); low != c.low || high != c.high {
			t.Errorf("loaded: from %v to %v", low, high)
		}
	}
	target := small().Target // its mean is 5
	if err := target.Limit(inf, &[2]float64{6, inf}); !errors.As(err, new(*data.Error)) {
		t.Errorf("bounds without the training mean: %v", err)
	}
	refusedEdits(t, small(), []edit{{"target.low", 5.5, "target: low"}, {"target.high", 4.5, "target: high"}})
}

// TestMeasureIsWeighted compares weighted metrics with values computed by hand and with those of repeated samples.
func TestMeasureIsWeighted(t *testing.T) {
	got := MeasureValues([]float64{1, 2, 5}, []float64{2, 2, 2}, []float64{0.5, 1, 1.5})
	if want := math.Sqrt((0.5*1 + 1.5*9) / 3); math.Abs(got.RMSE-want) > 1e-15 || math.Abs(got.MAE-5./3) > 1e-15 || !got.Weighted ||
		got.Samples != 3 {
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
	d = testenv.Must(data.New([]string{"a", "b"}, "y", x, y))
	repeated = d.Subset(rows)
	d.Weights = weights
	return d, repeated
}

// TestFitIsWeighted: means equal those of repeated samples, and so do standard deviations
// except for n, which counts samples; transforms and quantiles are close.
func TestFitIsWeighted(t *testing.T) {
	d, repeated := weighted4(t)
	got, want := fit(t, d), fit(t, repeated)
	d = testenv.Must(d.Weighed())
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

// TestCalibrateIsWeighted: the half width of the interval is the weighted quantile of the residuals, and the coverage is weighted.
func TestCalibrateIsWeighted(t *testing.T) {
	m := smallTrapezoid() // predicts 5, the mean, where no rule fires
	far := slices.Repeat([][]float64{{1e6}}, 10)
	d := &data.Dataset{Schema: m.Schema, X: far, Y: make([]float64, 10), Weights: make([]float64, 10)}
	for i := range d.Y {
		d.Y[i], d.Weights[i] = 5+float64(i), 1 // residuals 0 to 9
	}
	d.Weights[2] = 6 // of 15: 1, 2, 8, 9, ... 15
	noError(m.Calibrate(t.Context(), d, nil))
	if want := []float64{0, 2, 2, 2, 2, 3, 5, 6, 8, 9}; !slices.Equal(m.Calibration.Residuals, want) {
		t.Errorf("residuals %v, want %v", m.Calibration.Residuals, want)
	}
	if half, err := m.HalfWidth(0.5); err != nil || half != 3 {
		t.Errorf("half width %v, want 3, the sixth: 9 of 15; %v", half, err)
	}
	if c, _, err := m.Coverage(t.Context(), d, 0.5, BothSides); err != nil || math.Abs(c-9./15) > 1e-12 {
		t.Errorf("coverage %v, want 9/15, %v", c, err)
	}
}
