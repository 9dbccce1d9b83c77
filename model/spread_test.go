package model

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// scattered draws samples whose targets scatter about the predictions by noise(x).
func scattered(t *testing.T, m *Model, rng *rand.Rand, n int, noise func(x float64) float64) *data.Dataset {
	d := drawn(t, m, rng, n)
	p := predict(t, m, d.X)
	for i, x := range d.X {
		d.Y[i] = p.Values[i] + float64(noise(x[0])*rng.NormFloat64())
	}
	return d
}

func rising(x float64) float64 { return math.Exp((x - 7) / 3) } // 1 to 7.4

// TestSpread: intervals and bounds that follow the samples hold the level, also where the target scatters most, are narrower than
// constant ones, and are constant for constant noise.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	m := small()
	train, test := scattered(t, m, rng, 600, rising), scattered(t, m, rng, 2000, rising)
	var wide []int
	for n, x := range test.X {
		if x[0] > 11.5 {
			wide = append(wide, n)
		}
	}
	far := test.Subset(wide)
	const repeats = 20
	type figures struct{ share, far, size, constant float64 }
	means := map[Side]*figures{BothSides: {}, LowerSide: {}, UpperSide: {}}
	measure := func(d *data.Dataset, side Side) (share, size float64) {
		share, size, err := m.Coverage(t.Context(), d, 0.9, side)
		noError(err)
		return share / repeats, size / repeats
	}
	for range repeats {
		d := scattered(t, m, rng, 99, rising)
		noError(m.Calibrate(t.Context(), d, nil))
		for side, f := range means {
			_, size := measure(test, side)
			f.constant += size
		}
		if noError(m.Calibrate(t.Context(), d, train)); m.Calibration.Spread == nil {
			t.Fatal("constant intervals")
		}
		for side, f := range means {
			share, size := measure(test, side)
			most, _ := measure(far, side)
			f.share, f.size, f.far = f.share+share, f.size+size, f.far+most
		}
	}
	for side, f := range means {
		// The standard deviation of a mean over 20 calibration parts of 99 is 0.0067.
		if math.Abs(f.share-0.9) > 0.025 || f.far < 0.82 || f.size > 0.98*f.constant {
			t.Errorf("%s: coverage and sizes %+v", side, *f)
		}
	}
	even := scattered(t, m, rng, 600, func(float64) float64 { return 2 })
	noError(m.Calibrate(t.Context(), even, even))
	if m.Calibration.Spread != nil {
		t.Errorf("constant noise: %+v", m.Calibration.Spread)
	}
}

// TestRuleCalibration: the distance of a rule is the conformal quantile of the samples that it decides.
func TestRuleCalibration(t *testing.T) {
	m, rng := small(), rand.New(rand.NewPCG(1, 1))
	d := scattered(t, m, rng, 40, rising)
	noError(m.Calibrate(t.Context(), d, nil))
	p, decides := predict(t, m, d.X), testenv.Must(m.Decides(d.X))
	for r, c := range m.Calibration.Rules {
		inside, of := 0, 0
		for n, y := range d.Y {
			if decides[0][n] == r {
				if of++; c.Within != nil && math.Abs(y-p.Values[n]) <= *c.Within {
					inside++
				}
			}
		}
		if of != c.Samples || of >= 9 && inside != rankOf(0.9, of) || (c.Within == nil) != (of < 9) {
			t.Errorf("rule %d: %+v; %d of %d samples inside", r+1, c, inside, of)
		}
	}
}

// TestSpreadFile: a calibration is read as it was written, and a faulty one is refused by the name of its field.
func TestSpreadFile(t *testing.T) {
	m, rng := small(), rand.New(rand.NewPCG(2, 3))
	d := scattered(t, m, rng, 300, rising)
	noError(m.Calibrate(t.Context(), d, d))
	x := [][]float64{{7.5}, {12}}
	low, high, err := m.Intervals(predict(t, m, x), 0.8, BothSides)
	testenv.OK(t, err)
	again := decode(t, encode(t, m))
	low2, high2, err := again.Intervals(predict(t, again, x), 0.8, BothSides)
	if testenv.OK(t, err); low[0][0] != low2[0][0] || high[0][1] != high2[0][1] {
		t.Errorf("%v to %v, of the file %v to %v", low, high, low2, high2)
	}
	if _, _, err := m.Intervals(Predictions{Values: []float64{1}}, 0.8, BothSides); err == nil {
		t.Error("predictions without the scales of the model have intervals")
	}
	for _, c := range []struct {
		path  string
		value any
		want  string
	}{
		{"calibration.spread.level", 800, "spread: the logarithm"},
		{"calibration.spread.curves.0.feature", 2, "spread.curves[0]"},
		{"calibration.spread.curves.1.feature", 0, "spread.curves[1]"},
		{"calibration.spread.curves.0.knots", []float64{1, 1}, "as many values"},
		{"calibration.spread.curves.0.knots.1", -1e300, "knots[1]"},
		{"calibration.spread.curves.0.values.1", 1e9, "spread: the logarithm"},
		{"calibration.above.0", 1e9, "calibration.above[1]"},
		{"calibration.below", []float64{1}, "1 below of 300 samples"},
		{"calibration.rules", []any{map[string]any{"samples": 1}}, "calibration.rules: 1 of 2"},
		{"calibration.rules.0.samples", 1, "calibration.rules[0]"},
		{"calibration.rules.0.within", -1, "calibration.rules[0]"},
	} {
		content := tree(t, m)
		put(t, content, c.path, c.value)
		if _, err := Decode(bytes.NewReader(seal(t, content))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v: %v; want %q", c.path, c.value, err, c.want)
		}
	}
	old := tree(t, m)
	calibration := old["calibration"].(map[string]any)
	delete(calibration, "below")
	delete(calibration, "above")
	before := decode(t, seal(t, old))
	if _, err := before.Score(0.9, UpperSide); err == nil || !strings.Contains(err.Error(), "older version") {
		t.Error(err)
	}
	if _, err := m.Score(0.9, "left"); err == nil || !strings.Contains(err.Error(), "both, lower or upper") {
		t.Error(err)
	}
}

// TestAdapt: a level that follows the rows covers them at the level after the noise has doubled, and a fixed one does not.
func TestAdapt(t *testing.T) {
	m, rng := small(), rand.New(rand.NewPCG(6, 7))
	noError(m.Calibrate(t.Context(), scattered(t, m, rng, 500, func(float64) float64 { return 1 }), nil))
	d := scattered(t, m, rng, 4000, func(float64) float64 { return 2 })
	p := predict(t, m, d.X)
	a, err := m.Adapt(p, d, 0.9, BothSides, 0.02)
	testenv.OK(t, err)
	fixed, _, err := m.Coverage(t.Context(), d, 0.9, BothSides)
	testenv.OK(t, err)
	if math.Abs(a.Coverage-0.9) > 0.01 || fixed > 0.7 || a.Unlimited == 0 || a.Level <= 0.9 || a.MeanSize == nil {
		t.Errorf("%+v; with a fixed level %.3f", a, fixed)
	}
	for _, rate := range []float64{0, 1, math.NaN()} {
		if _, err := m.Adapt(p, d, 0.9, BothSides, rate); err == nil {
			t.Errorf("rate %v is accepted", rate)
		}
	}
}
