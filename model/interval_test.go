package model

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// residuals returns a calibration of the residuals 1, 2, ..., n.
func residuals(n int) *Calibration {
	r := make([]float64, n)
	for i := range r {
		r[i] = float64(i + 1)
	}
	return &Calibration{Samples: n, Residuals: thin(r)}
}

// Half the width of the interval is the residual of rank ceil((n+1) p).
func TestHalfWidthRank(t *testing.T) {
	for _, c := range []struct {
		n     int
		level float64
		want  float64
	}{
		{9, 0.9, 9}, {19, 0.9, 18}, {10, 0.9, 10}, {99, 0.99, 99}, {99, 0.5, 50}, {1, 0.5, 1}, {9, 0.01, 1},
	} {
		m := &Model{Calibration: residuals(c.n)}
		if got, err := m.HalfWidth(c.level); err != nil || got != c.want {
			t.Errorf("n = %d, level %v: %v, %v; want %v", c.n, c.level, got, err, c.want)
		}
	}
}

func TestHalfWidthRefused(t *testing.T) {
	m := &Model{Calibration: residuals(8)}
	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		if _, err := m.HalfWidth(level); err == nil || !strings.Contains(err.Error(), "between 0 and 1") {
			t.Errorf("level %v: %v", level, err)
		}
	}
	if _, err := m.HalfWidth(0.9); err == nil || !strings.Contains(err.Error(), "needs at least 9 calibration samples; there were 8, enough for levels up to 0.8889") {
		t.Error(err)
	}
	if _, err := small().HalfWidth(0.9); !errors.Is(err, ErrNotCalibrated) {
		t.Error(err)
	}
}

// Omitted residuals widen intervals slightly, and never narrow them.
func TestThinnedResiduals(t *testing.T) {
	for _, n := range []int{1000, 1001, 1999, 12345} {
		thinned, whole := &Model{Calibration: residuals(n)}, &Model{Calibration: residuals(n)}
		whole.Calibration.Residuals = make([]float64, n)
		for i := range n {
			whole.Calibration.Residuals[i] = float64(i + 1)
		}
		if err := checkCalibration(thinned.Calibration, nil); err != nil {
			t.Error(err)
		}
		for level := 0.001; level < 0.9995; level += 0.001 {
			got, err := thinned.HalfWidth(level)
			want, werr := whole.HalfWidth(level)
			if (err == nil) != (werr == nil) {
				t.Fatalf("n = %d, level %v: %v, %v", n, level, err, werr)
			}
			if err == nil && (got < want || got > want+float64(n)/keptResiduals+1) {
				t.Fatalf("n = %d, level %v: %v, all residuals give %v", n, level, got, want)
			}
		}
	}
}

// On average over calibrations, the coverage of exchangeable samples is
// ceil((n+1) p)/(n+1): here 18/20.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) *data.Dataset {
		d := &data.Dataset{Schema: small().Schema}
		for range n {
			x := 7 + 6*rng.Float64()
			d.X, d.Y = append(d.X, []float64{x}), append(d.Y, x+rng.NormFloat64())
		}
		return d
	}
	sum := 0.0
	const repeats = 2000
	for range repeats {
		m := small()
		if err := m.Calibrate(t.Context(), draw(19)); err != nil {
			t.Fatal(err)
		}
		covered, _, err := m.Coverage(t.Context(), draw(50), 0.9)
		if err != nil {
			t.Fatal(err)
		}
		sum += covered
	}
	if mean := sum / repeats; math.Abs(mean-0.9) > 0.006 { // four standard errors
		t.Errorf("mean coverage %v, want 0.9", mean)
	}
}

func TestCalibrate(t *testing.T) {
	m := small()
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{9}, {10}, {11}}}
	p := predict(t, m, d.X)
	d.Y = []float64{p.Values[0] + 2, p.Values[1] - 0.5, p.Values[2]}
	if err := m.Calibrate(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	want := []float64{0, 0.5, 2}
	for i, r := range m.Calibration.Residuals {
		if math.Abs(r-want[i]) > 1e-12 {
			t.Errorf("residuals %v, want %v", m.Calibration.Residuals, want)
		}
	}
	if again := decode(t, encode(t, m)); !slices.Equal(again.Calibration.Residuals, m.Calibration.Residuals) {
		t.Error("the calibration was not saved")
	}
	d.Y[0] = math.MaxFloat64
	m.Target.Mean = -math.MaxFloat64
	if err := m.Calibrate(t.Context(), d); err == nil {
		t.Error("a residual that overflows was accepted")
	}
}
