package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bent is a curve with a knot at 11, around the feature of small.
func bent() *Curve { return &Curve{From: []float64{7, 11, 13}, To: []float64{-2, 0, 3}} }

// smallBent is small with a curve, a target in its own unit and limits.
func smallBent() *Model {
	m := small()
	m.Features[0].Curve = bent()
	m.Target.SD, m.Target.Margin = 2, 0.05
	return m
}

func TestCurveByHand(t *testing.T) {
	c := bent()
	for _, p := range [][2]float64{{7, -2}, {9, -1}, {11, 0}, {12, 1.5}, {13, 3}, {14, 4.5}, {5, -3}} {
		if got := c.Value(p[0]); math.Abs(got-p[1]) > 1e-15 {
			t.Errorf("value at %v is %v, want %v", p[0], got, p[1])
		}
		if got := c.Inverse(p[1]); math.Abs(got-p[0]) > 1e-15 {
			t.Errorf("inverse of %v is %v, want %v", p[1], got, p[0])
		}
	}
	if low, high := c.Value(-1e9), c.Value(1e9); low != -8 || high != 8 {
		t.Errorf("limits: %v, %v", low, high)
	}
}

func TestFitCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	values := make([]float64, 2000)
	for i := range values {
		values[i] = math.Exp(2 * rng.NormFloat64())
	}
	mean, sd, low, high := moments(values)
	c := fitCurve(values, mean, sd)
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	if len(c.From) != 65 || c.From[0] != low || c.From[64] != high {
		t.Errorf("%d knots from %v to %v, want 65 from %v to %v", len(c.From), c.From[0], c.From[64], low, high)
	}
	u := c.over(values)
	if m, s, _, _ := moments(u); math.Abs(m) > 1e-12 || math.Abs(s-1) > 1e-12 {
		t.Errorf("values have mean %v and standard deviation %v, want 0 and 1", m, s)
	}
	slices.Sort(values)
	slices.Sort(u)
	z := func(i int) float64 { return (values[i] - mean) / sd }
	if straight, curved := z(1000)-z(500), u[1000]-u[500]; curved < 3*straight {
		t.Errorf("the quarter below the median is %v wide, as z-scores %v: the tail still crowds it", curved, straight)
	}
}

func TestFitCurveOfTwoValues(t *testing.T) {
	values := []float64{0, 1, 0, 0, 1, 0}
	mean, sd, _, _ := moments(values)
	c := fitCurve(values, mean, sd)
	for _, v := range []float64{0, 0.5, 1, 2} {
		if got, want := c.Value(v), (v-mean)/sd; math.Abs(got-want) > 1e-14 {
			t.Errorf("value at %v is %v, want the z-score %v", v, got, want)
		}
	}
}

func TestStraightenedModel(t *testing.T) {
	m := smallBent()
	rows, err := m.Scale([][]float64{{9}, {12}})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]float64{{-1, -0.5}, {1.5, 1}}; !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("scaled rows %v, want %v: the curve's value, then the z-score", rows, want)
	}
	// At 11 the antecedents see 0, levels 1 and exp(-0.5); the consequents 0.5,
	// outputs 2 and -0.75.
	w := math.Exp(-0.5)
	want := 5 + 2*(2-0.75*w)/(1+w)
	p := predict(t, m, [][]float64{{11}, {13}, {30}})
	if math.Abs(p.Values[0]-want) > 1e-14 {
		t.Errorf("prediction %v, want %v", p.Values[0], want)
	}
	if p.Values[2] != 8.35 && p.Values[2] != 0.65 || p.Limited == 0 {
		t.Errorf("predictions %v, %d limited: want the last one at a limit, 0.65 or 8.35", p.Values, p.Limited)
	}
	back := decode(t, encode(t, m))
	if q := predict(t, back, [][]float64{{11}, {13}, {30}}); !sameBits(q.Values, p.Values) {
		t.Errorf("read back, it predicts %v, before %v", q.Values, p.Values)
	}
}

func TestStraightenMissing(t *testing.T) {
	d := columns("mean", []string{"a", "b"}, []float64{1, math.NaN(), 3, 9}, []float64{4, 4, 4, 4})
	p := fit(t, d)
	p.Straighten(d.X)
	if p.Features[0].Curve == nil || p.Features[1].Curve != nil {
		t.Fatalf("curves %v, %v: want one for the first alone, the second is constant", p.Features[0].Curve, p.Features[1].Curve)
	}
	rows, err := p.Scale(d.X)
	if err != nil {
		t.Fatal(err)
	}
	if at := p.Features[0].Curve.Value(p.Features[0].Mean); rows[1][0] != at || rows[1][1] != 0 {
		t.Errorf("a missing value is %v, want the curve at the mean, %v, and 0", rows[1], at)
	}
}

func TestDecodeRefusesCurves(t *testing.T) {
	for path, c := range map[string]struct {
		value any
		want  string
	}{
		"features.0.curve.from":  {[]any{7.0, 11.0}, "features[0].curve (a): 2 knots with 3 values"},
		"features.0.curve.to":    {[]any{-2.0, 3.0, 0.0}, "features[0].curve (a): knots 1 and 2: must ascend"},
		"features.0.curve.to.0":  {nil, "features[0].curve.to[0] is null"},
		"features.0.curve.knots": {3.0, "unknown field"},
		"target.sd":              {-1.0, "target: sd -1"},
		"target.margin":          {-0.1, "target: margin -0.1"},
	} {
		content := tree(t, smallBent())
		put(t, content, path, c.value)
		refused(t, path, sealAs(t, 2, content), c.want)
	}
}

func TestCurvesNeedVersion2(t *testing.T) {
	if v := smallBent().content().version(); v != 2 {
		t.Errorf("version %d, want 2: an older program would not read it", v)
	}
	if v := small().content().version(); v != 1 {
		t.Errorf("version %d of a model without curves, want 1", v)
	}
}
