package words

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// addCurves adds random curves over at most k pieces to the rules of a model: shared, or own of each rule.
func addCurves(t *testing.T, m *model.Model, x [][]float64, k int, own bool, rng *rand.Rand) {
	t.Helper()
	scaled := testenv.Must(m.Scale(x))
	z := make([][]float64, len(scaled))
	for n, row := range scaled {
		z[n] = m.RuleBase.ThenPart(row)
	}
	rules.AddCurves(m.RuleBase, testenv.Must(rules.SortColumns(context.Background(), z, nil)).Knots(k), own)
	for _, values := range m.RuleBase.Curves {
		for q := range values {
			values[q] = rng.NormFloat64()
		}
	}
	rules.CentreCurves(m.RuleBase, z, nil)
	if err := m.RuleBase.Validate(); err != nil {
		t.Fatal(err)
	}
}

// between returns the value of a curve by its definition.
func between(x, y []float64, v float64) float64 {
	last := len(x) - 1
	switch {
	case v <= x[0]:
		return y[0]
	case v >= x[last]:
		return y[last]
	}
	q := slices.IndexFunc(x, func(k float64) bool { return k > v }) - 1
	return y[q] + (v-x[q])/(x[q+1]-x[q])*(y[q+1]-y[q])
}

// TestShapeOfMadeCurves: the words of curves of known forms.
func TestShapeOfMadeCurves(t *testing.T) {
	plain := func(v float64) string { return numeric.Show(v, 4) + " days" }
	for _, c := range []struct {
		name string
		x, y []float64
		want string
	}{
		{"rising", []float64{0, 1, 2, 3}, []float64{-3, -1, 1, 3}, "rises (+6.0)"},
		{"falling", []float64{0, 1, 2, 3}, []float64{3, 1, -1, -3}, "falls (-6.0)"},
		{"flat", []float64{0, 1, 2}, []float64{0, 0, 0}, "is constant"},
		{"saturating", []float64{1, 7, 14, 28, 90, 365}, []float64{-8, -5.5, -2.5, 4, 4.4, 4.8},
			"rises steeply until 28 days (+12.0), then is nearly constant (+0.8)"},
		{"bump", []float64{0, 1, 2, 3, 4}, []float64{-2, 0, 2, 0, -2}, "rises until 2 days (+4.0), then falls (-4.0)"},
		{"late", []float64{0, 8, 9, 10}, []float64{0, 0.05, 0.1, 1}, "is nearly constant until 9 days (+0.10), then rises steeply (+0.90)"},
		{"bending", []float64{0, 2, 4, 10}, []float64{0, 5, 7, 10}, "rises steeply until 2 days (+5.0), then less steeply (+5.0)"},
		{"slow, then faster", []float64{0, 5, 10}, []float64{0, 1.5, 10}, "rises slowly until 5 days (+1.5), then more steeply (+8.5)"},
		{"hardly, then no word of steepness", []float64{0, 1, 10}, []float64{0, 1, 10}, "rises (+10.0)"},
		{"after a short step", []float64{0, 0.1, 1, 10}, []float64{0, 0.9, 0.5, 10}, "rises (+10.0)"},
		{"one step in two pieces", []float64{0, 1, 2, 20}, []float64{0, 2, 8, 8},
			"rises steeply until 2 days (+8.0), then is nearly constant (+0.0)"},
		{"wiggly", []float64{0, 1, 2, 3, 4, 5}, []float64{0, 4, 0, 4, 0, 5},
			"has no simple form: lowest at 0 days (+0.0), highest at 5 days (+5.0)"},
		{"overflow", []float64{0, 1, 2}, []float64{0, math.MaxFloat64, -math.MaxFloat64},
			"has no simple form: lowest at 2 days (-1.798e+308), highest at 1 days (+1.798e+308)"},
	} {
		if got := shapeInWords(c.x, c.y, plain); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCorners: the lines stay within the distance of every point, and no fewer do.
func TestCorners(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	several := 0
	for range 300 {
		n := 3 + rng.IntN(6)
		x, y := make([]float64, n), make([]float64, n)
		for q := range x {
			x[q], y[q] = float64(q)+0.5*rng.Float64(), rng.NormFloat64()
		}
		const distance = 0.6
		ends := corners(x, y, distance)
		off := func(ends []int) float64 {
			most := 0.0
			on := func(values []float64) (at []float64) {
				for _, i := range ends {
					at = append(at, values[i])
				}
				return at
			}
			for q, v := range x {
				most = max(most, math.Abs(y[q]-between(on(x), on(y), v)))
			}
			return most
		}
		if ends[0] != 0 || ends[len(ends)-1] != n-1 || off(ends) > distance+1e-12 {
			t.Fatalf("corners %v of %v, %v lie %v off", ends, x, y, off(ends))
		}
		for set := range 1 << (n - 2) {
			other := []int{0}
			for q := 1; q < n-1; q++ {
				if set&(1<<(q-1)) != 0 {
					other = append(other, q)
				}
			}
			if other = append(other, n-1); len(other) < len(ends) && off(other) <= distance-1e-12 {
				t.Fatalf("corners %v of %v, %v: %v suffice", ends, x, y, other)
			}
		}
		if len(ends) > 2 && len(ends) < n {
			several++
		}
	}
	if several < 50 {
		t.Errorf("only %d curves have corners and points between them", several)
	}
}

// curved returns a model in which a adds a curve, shared or own, to the rules of wordModel.
func curved(t *testing.T, own bool, y ...[]float64) *model.Model {
	t.Helper()
	m, d := wordModel(t, membership.Gaussian{}, 2)
	knots := make([][]float64, m.RuleBase.Features())
	for _, v := range []float64{0, 25, 50, 100} {
		knots[0] = append(knots[0], (v-m.Features[0].Mean)/m.Features[0].SD)
	}
	rules.AddCurves(m.RuleBase, knots, own)
	for c, values := range y {
		copy(m.RuleBase.Curves[c], values)
	}
	m = testenv.Must(model.New(context.Background(), m.Preprocessing, m.RuleBase, d.X, nil,
		model.Training{Samples: d.Len(), Metrics: map[string]float64{"rmse_train": 1}}))
	return m
}

// TestCurvesInWords: a curve is described alone and with the mean slope of the rules, and a small one only named.
func TestCurvesInWords(t *testing.T) {
	m := curved(t, false, []float64{-5, 1, 2, 2})
	sd := m.Features[0].SD
	m.RuleBase.Consequents[0][1], m.RuleBase.Consequents[1][1] = 0.02*sd, 0.08*sd
	d := Model(m)
	want := `The curve that every rule adds to its formula, with changes in kg:
  a rises steeply until 25 mm (+6.0), then slowly (+1.0)
    with the mean slope of the rules it rises steeply until 25 mm (+7.2), then less steeply (+4.8)
`
	if got := d.curvesInWords()[0].String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(d.ruleInWords(d.Rules[0]).Then.lines(), "|"); !strings.HasSuffix(got, "mm)|  + the curve") {
		t.Errorf("THEN part %q", got)
	}
	if got := d.Interpretability.String(); !strings.HasPrefix(got, "2 rules of 0.0 conditions on average, and 1 curve.") {
		t.Errorf("%q", got)
	}
	if got := Model(curved(t, true)).Interpretability.Curves; got != 2 {
		t.Errorf("%d own curves of two rules", got)
	}
	for q := range m.RuleBase.Curves[0] {
		m.RuleBase.Curves[0][q] /= 100
	}
	if got := Model(m).curvesInWords()[0]; len(got.Each) != 0 || got.Small != "hardly matter: a" {
		t.Errorf("a small curve: %+v", got)
	}
	if m, _ := wordModel(t, membership.Gaussian{}, 2); Model(m).curvesInWords() != nil || strings.Contains(legend(Model(m)), "curve") {
		t.Error("a model without curves has words for them")
	}
}

// TestCurvesWithoutSlopes: rules with constants and curves have a formula, and no other words.
func TestCurvesWithoutSlopes(t *testing.T) {
	d := Model(curved(t, false, []float64{-5, 1, 2, 2}))
	text := d.ruleInWords(d.Rules[0]).Then
	if len(text.Formula) != 2 || text.Formula[1].Product != "+ the curve" {
		t.Errorf("%+v", text)
	}
	if c := d.Curves.Of[0]; c.Slope != 0 || c.WithSlope != "" {
		t.Errorf("%+v", c)
	}
}

// TestOwnCurvesInWords: the deviations of rules from their mean are factors only if they are so all over.
func TestOwnCurvesInWords(t *testing.T) {
	said := func(y ...[]float64) []string {
		d := Model(curved(t, true, y...))
		var all []string
		for _, r := range d.Rules {
			all = append(all, d.of[0].deviations(r.Then))
		}
		return all
	}
	begin := "Its curves differ most from the means over the rules by "
	for _, c := range []struct {
		y    [][]float64
		want []string
	}{
		{[][]float64{{-8, 0, 4, 4}, {-4, 0, 2, 2}}, []string{begin + "a factor of 1.3 for a (up to -2.000 kg at 0 mm)", begin +
			"a factor of 0.67 for a (up to +2.000 kg at 0 mm)"}},
		{[][]float64{{-8, 0, 4, 4}, {-8, 0, 4, 1}}, []string{begin + "+1.500 kg at a 100 mm", begin + "-1.500 kg at a 100 mm"}},
		{[][]float64{{-8, 0, 4, 4}, {-8, 0, 4, 4.1}}, []string{"Its curves hardly differ from the means over the rules",
			"Its curves hardly differ from the means over the rules"}},
	} {
		if got := said(c.y...); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.y, got, c.want)
		}
	}
}
