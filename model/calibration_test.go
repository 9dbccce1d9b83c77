package model

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
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
	if _, err := m.HalfWidth(0.9); err == nil || !strings.Contains(err.Error(),
		"needs at least 9 calibration samples; there were 8, enough for levels up to 0.8889") {
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
		if err := checkCalibration(thinned); err != nil {
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

func TestCalibrate(t *testing.T) {
	m := small()
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{9}, {10}, {11}}}
	p := predict(t, m, d.X)
	d.Y = []float64{p.Values[0] + 2, p.Values[1] - 0.5, p.Values[2]}
	noError(m.Calibrate(t.Context(), d, nil))
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
	if err := m.Calibrate(t.Context(), d, nil); err == nil {
		t.Error("a residual that overflows was accepted")
	}
}

// drawn returns n samples whose targets are drawn at random around the predictions of a model that is not right: wider, and shifted.
func drawn(t *testing.T, m *Model, rng *rand.Rand, n int) *data.Dataset {
	t.Helper()
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 7 + 6*rng.Float64()
	}
	d := samplesOf(m, x, y)
	p := predict(t, m, d.X)
	for range m.Schema.Others {
		d.Others = append(d.Others, make([]float64, n))
	}
	for i := range y {
		switch r := m.Response; {
		case r.Classes != nil:
			at, sum := rng.Float64(), 0.0
			for k, values := range p.Outputs {
				if sum += 0.7*values[i] + 0.3/float64(len(p.Outputs)); at <= sum {
					y[i] = float64(k)
					break
				}
			}
		case r.Link == "log":
			y[i] = p.Values[i] * rng.ExpFloat64()
		default:
			y[i] = p.Values[i] + 1 + 3*rng.NormFloat64()
		}
		for c := range d.Others {
			d.Others[c][i] = p.Outputs[c+1][i] + 20*rng.NormFloat64()
		}
	}
	return d
}

// TestConformalCoverage checks the coverage of intervals and sets on simulated tables: over many calibration parts of n samples, a level
// p is covered with probability ceil((n+1) p)/(n+1), 0.9 for n = 19.
func TestConformalCoverage(t *testing.T) {
	testenv.SkipRace(t)
	models := withResponses()
	models["one"] = small()
	for name, m := range models {
		rng := rand.New(rand.NewPCG(1, 2))
		sum := 0.0
		repeats := testenv.CaseNumber(400, 400, 4000)
		for range repeats {
			noError(m.Calibrate(t.Context(), drawn(t, m, rng, 19), nil))
			share, size, err := m.Coverage(t.Context(), drawn(t, m, rng, 50), 0.9, BothSides)
			if err != nil || !(size > 0) {
				t.Fatal(name, size, err)
			}
			sum += share / float64(repeats)
		}
		// The standard deviation of a mean over 400 parts is 0.0045. Sets can hold more: scores are of few classes.
		most := 4.5 * 0.0045 * math.Sqrt(400/float64(repeats))
		low, high := 0.9-most, 0.9+most
		if m.Schema.Classes != nil {
			high = 0.95
		}
		if sum < low || sum > high {
			t.Errorf("%s: coverage %.4f at the level 0.9", name, sum)
		}
	}
}

// TestIntervalsByHand checks the bounds of each kind of interval.
func TestIntervalsByHand(t *testing.T) {
	at := func(m *Model, p Predictions) (low, high [][]float64) {
		m.Calibration = &Calibration{Samples: 1, Residuals: []float64{2}}
		if m.Response.Quantiles != nil {
			m.Calibration.Residuals[0] = -2
		}
		low, high, err := m.Intervals(p, 0.5, BothSides)
		if err != nil {
			t.Fatal(err)
		}
		return low, high
	}
	low, high := at(smallTargets(), Predictions{Values: []float64{1}, Outputs: [][]float64{{1}, {50}}})
	if low[0][0] != -3 || high[0][0] != 5 || low[1][0] != 30 || high[1][0] != 70 {
		t.Errorf("targets: %v to %v", low, high)
	}
	low, high = at(smallCounts(), Predictions{Values: []float64{4, 0.25}})
	if low[0][0] != 0 || high[0][0] != 8 || low[0][1] != 0 || high[0][1] != 1.25 {
		t.Errorf("counts: %v to %v", low, high)
	}
	costs := smallCounts()
	costs.Training.Options["train.loss"] = "gamma"
	if low, high = at(costs, Predictions{Values: []float64{4}}); low[0][0] != 0 || high[0][0] != 12 {
		t.Errorf("costs: %v to %v", low, high)
	}
	amounts := smallCounts()
	amounts.Response.Power = 1.5
	if low, high = at(amounts, Predictions{Values: []float64{16}}); low[0][0] != 0 || high[0][0] != 32 {
		t.Errorf("amounts: %v to %v", low, high)
	}
	low, high = at(smallQuantiles(), Predictions{Values: []float64{5, 2}, Outputs: [][]float64{{1, 1}, {5, 2}, {9, 4}}})
	if low[0][0] != 3 || high[0][0] != 7 || low[0][1] != 2.5 || high[0][1] != 2.5 {
		t.Errorf("quantiles: %v to %v; the second would cross", low, high)
	}
	m := smallClasses()
	m.Calibration = &Calibration{Samples: 1, Residuals: []float64{0.7}}
	sets, err := m.Sets(Predictions{Values: []float64{0, 1}, Outputs: [][]float64{{0.5, 0.2}, {0.35, 0.25}, {0.15, 0.25}}}, 0.5)
	if err != nil || !sets[0][0] || !sets[1][0] || sets[2][0] || sets[0][1] || !sets[1][1] || sets[2][1] {
		t.Errorf("sets %v, %v: want 1 and 2, and the most probable of an empty one", sets, err)
	}
}

// TestIntervalsAndSetsApply checks who has intervals, who sets, and at which levels.
func TestIntervalsAndSetsApply(t *testing.T) {
	for name, m := range withResponses() {
		p := predict(t, m, [][]float64{{9}})
		_, _, none := m.Intervals(p, 0.9, BothSides)
		if m.Schema.Classes != nil {
			_, none = m.Sets(p, 0.9)
		}
		if !errors.Is(none, ErrNotCalibrated) {
			t.Errorf("%s: without a calibration: %v", name, none)
		}
		noError(m.Calibrate(t.Context(), drawn(t, m, rand.New(rand.NewPCG(3, 3)), 19), nil))
		_, _, intervals := m.Intervals(p, 0.9, BothSides)
		_, sets := m.Sets(p, 0.9)
		if (intervals == nil) == (sets == nil) || (sets == nil) != (m.Schema.Classes != nil) {
			t.Errorf("%s: intervals %v, sets %v", name, intervals, sets)
		}
		score, err := m.Score(0.9, BothSides)
		_, above := m.Score(0.96, BothSides)
		_, one := m.Score(1, BothSides)
		if err != nil || !slices.Contains(m.Calibration.Residuals, score) || above == nil || one == nil {
			t.Errorf("%s: score %v, errors %v, %v, %v", name, score, err, above, one)
		}
		if _, err := m.HalfWidth(0.9); err == nil {
			t.Errorf("%s: a constant width", name)
		}
		if _, _, err := m.Intervals(Predictions{Values: []float64{math.Pi}}, 0.9, BothSides); len(m.Values()) > 1 && err == nil {
			t.Errorf("%s: intervals of another model's predictions", name)
		}
		file := encode(t, m)
		if got := decode(t, file).Calibration; got.Samples != 19 {
			t.Errorf("%s: %+v", name, got)
		}
		content := tree(t, m)
		put(t, content, "calibration.residuals.0", -100)
		if _, err := Decode(bytes.NewReader(seal(t, content))); (err == nil) != (name == "quantiles") {
			t.Errorf("%s: a residual below zero: %v", name, err)
		}
	}
}

// TestIntervalsInRange: the bounds of Target.Limit hold for intervals, the margin does not.
func TestIntervalsInRange(t *testing.T) {
	m := small()
	m.Calibration = residuals(9)
	testenv.OK(t, m.Limit(0, nil))
	p := Predictions{Values: []float64{m.Target.Mean}}
	low, high, err := m.Intervals(p, 0.5, BothSides)
	if testenv.OK(t, err); high[0][0]-low[0][0] != 10 {
		t.Errorf("from %v to %v with a margin of 0", low, high)
	}
	testenv.OK(t, m.Limit(0.05, &[2]float64{m.Target.Mean - 1, math.Inf(1)}))
	if low, high, err = m.Intervals(p, 0.5, BothSides); err != nil || low[0][0] != m.Target.Mean-1 || high[0][0] != m.Target.Mean+5 {
		t.Errorf("from %v to %v, %v", low, high, err)
	}
	*m.Target.Least = m.Target.Mean + 1
	testenv.FailsWith(t, m.Target.check(), "target: least and most: must be finite, with the mean")
}
