package model

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
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

func fit(t *testing.T, d *data.Dataset) Preprocessing {
	t.Helper()
	p, err := Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
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
	if got := p.Center([]float64{2, 5}); !slices.Equal(got, []float64{0, 3}) {
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
