package model

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

func TestWhole(t *testing.T) {
	for _, c := range []struct {
		quantiles []float64
		want      bool
	}{{[]float64{0, 1, 2}, true}, {[]float64{0, 0.5, 2}, false}, {[]float64{0, 0, 7}, false}, {[]float64{0, 0, 1, 7}, true}} {
		if got := (Feature{Quantiles: c.quantiles}).Whole(); got != c.want {
			t.Errorf("%v: %v", c.quantiles, got)
		}
	}
}

func TestFewValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, value func() float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = value()
		}
		return values
	}
	children := draw(1300, func() float64 { return min(5, math.Floor(rng.ExpFloat64()*1.6)) })
	for name, c := range map[string]struct {
		values []float64
		want   []float64
	}{
		"two rows": {[]float64{0, 1}, []float64{0, 1}}, "few rows of two": {[]float64{3, 3, 3, 7}, []float64{3, 7}},
		"nearly two": {[]float64{0, 0, 0, 0, 0, 0, 0, 0.001, 1}, nil}, "three rows": {[]float64{1, 2, 3}, nil},
		"two":   {draw(300, func() float64 { return float64(rng.IntN(2)) * 1.5 }), []float64{0, 1.5}},
		"whole": {children, []float64{0, 1, 2, 3, 4, 5}},
		"fractions": {draw(400, func() float64 { return []float64{31.7, 39.6, 55.5, 71.3}[rng.IntN(4)] }), []float64{31.7,
			39.6, 55.5, 71.3}},
		"few rows":           {[]float64{1, 1, 2, 2, 3}, nil},
		"continuous":         {draw(400, rng.Float64), nil},
		"many whole numbers": {draw(400, func() float64 { return float64(rng.IntN(24)) }), nil},
		"mostly zero":        {draw(900, func() float64 { return max(0, rng.NormFloat64()-1) }), nil},
		"nearly all zero":    {append([]float64{0.3, 4.1, 7}, make([]float64, 397)...), nil},
		"mostly zero, whole": {draw(900, func() float64 { return math.Round(1000 * max(0, rng.NormFloat64()-1)) }), nil},
	} {
		p := fit(t, columns("error", []string{"a"}, c.values))
		got := p.Features[0].FewValues(len(c.values))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for _, v := range got {
			if !slices.Contains(c.values, v) {
				t.Errorf("%s: %v does not occur", name, v)
			}
		}
	}
}

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

// strangeModel has a numeric, a one-hot and an ordinal column; the mean of a is 3, the most frequent category v, the median level M.
func strangeModel(t *testing.T) *Model {
	t.Helper()
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "a", Encoding: data.Numeric}, {Name: "c", Encoding: data.OneHot, Levels: []string{"u", "v"}}, {Name: "size",
			Encoding: data.Ordinal, Levels: []string{"S", "M", "L"}},
	}}, X: [][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {6, 0, 1, 3}}, Y: []float64{1, 2, 4}}
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, SpreadFloor: 0.1, Parameters: rules.Parameters{
		Antecedents: [][][]float64{{{0, 0, 0, 0}}, {{2, 2, 2, 2}}}, Consequents: [][]float64{{0, 1, 2, 3, 4}},
	}}
	return testenv.Must(New(context.Background(), fit(t, d), rb, d.X, nil, Training{Samples: 3}))
}

// Missing values are replaced by the mean, the most frequent category, the median level.
func TestFill(t *testing.T) {
	nan := math.NaN()
	m := strangeModel(t)
	d := &data.Dataset{Schema: m.Schema, Missing: data.Missing{Policy: "mean"}, X: [][]float64{{nan, nan, nan, nan}, {5, 1, 0,
		3}}, Y: []float64{1, 2}}
	filled := m.Fill(d)
	if want := [][]float64{{3, 0, 1, 2}, {5, 1, 0, 3}}; !reflect.DeepEqual(filled.X, want) || !math.IsNaN(d.X[0][0]) {
		t.Errorf("%v, want %v; the data set itself must not change: %v", filled.X, want, d.X)
	}
	got, err := m.Evaluate(t.Context(), d)
	want, _ := m.Evaluate(t.Context(), filled)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Evaluate: %v, %v, want %v", got, err, want)
	}
	old := *m
	old.Features = append([]Feature(nil), m.Features...)
	for i := range old.Features {
		old.Features[i].Quantiles = nil // as in older files
	}
	if got := old.Fill(d).X[0][3]; got != 2 {
		t.Errorf("level next to the mean: %v", got)
	}
	old.ImputeMeans = true
	if old.Fill(d) != d {
		t.Error("Fill changed the data of a model that imputes means itself")
	}
}

// Unknown and missing cells are filled in and counted; with Strict, the first is an error.
func TestPredictTableStrange(t *testing.T) {
	m := strangeModel(t)
	table := "a,c,size\n3,v,M\n,v,M\n3,,M\n3,v,\n3,v,XL\n3,w,M\n"
	out, counts, err := predictTable(m, strings.NewReader(table), TableOptions{})
	noError(err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	want := strings.TrimPrefix(lines[1], "3,v,M,")
	for _, line := range lines[2:6] {
		if !strings.HasSuffix(line, ","+want) {
			t.Errorf("%s, want the prediction %s of 3,v,M", line, want)
		}
	}
	if p := predict(t, m, [][]float64{{3, 0, 0, 2}}); len(lines) != 7 || !strings.HasPrefix(lines[6],
		"3,w,M,") || strings.HasSuffix(lines[6], want) || p.Values[0] == 0 {
		t.Errorf("unknown category: %q", lines)
	}
	first := `t.csv:3:1: column "a": the cell is blank: give it a value`
	if missing := (data.Missing{Policy: "mean", Cells: 3, Imputed: 3, Columns: map[string]int{"a": 1, "c": 1, "size": 1},
		Unknown: map[string]int{"size": 1, "c": 1}, First: first}); counts.Rows != 6 || !reflect.DeepEqual(counts.Missing, missing) {
		t.Errorf("%+v, want %+v", counts, missing)
	}
	for _, impute := range []bool{false, true} {
		m.ImputeMeans = impute
		_, counts, err := predictTable(m, strings.NewReader(table), TableOptions{Strict: true})
		if err == nil || err.Error() != first || counts.Rows != 1 {
			t.Errorf("strict: %d rows, %v", counts.Rows, err)
		}
	}
}
