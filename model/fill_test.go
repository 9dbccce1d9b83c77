package model

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// strangeModel has a numeric, a one-hot and an ordinal column; the mean of a is 3, the most
// frequent category v, the median level M.
func strangeModel(t *testing.T) *Model {
	t.Helper()
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "a", Encoding: data.Numeric}, {Name: "c", Encoding: data.OneHot, Levels: []string{"u", "v"}}, {Name: "size", Encoding: data.Ordinal, Levels: []string{"S", "M", "L"}},
	}}, X: [][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {6, 0, 1, 3}}, Y: []float64{1, 2, 4}}
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, SpreadFloor: 0.1, Parameters: rules.Parameters{
		Antecedents: [][][]float64{{{0, 0, 0, 0}}, {{2, 2, 2, 2}}}, Consequents: [][]float64{{0, 1, 2, 3, 4}},
	}}
	m, err := New(context.Background(), fit(t, d), rb, d.X, nil, Training{Samples: 3})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Missing values are replaced by the mean, the most frequent category, the median level.
func TestFill(t *testing.T) {
	nan := math.NaN()
	m := strangeModel(t)
	d := &data.Dataset{Schema: m.Schema, Missing: data.Missing{Policy: "mean"}, X: [][]float64{{nan, nan, nan, nan}, {5, 1, 0, 3}}, Y: []float64{1, 2}}
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
	var out strings.Builder
	counts, err := m.PredictTable(context.Background(), data.Input{Name: "t.csv", Reader: strings.NewReader(table)}, TableOptions{}, &out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := strings.TrimPrefix(lines[1], "3,v,M,")
	for _, line := range lines[2:6] {
		if !strings.HasSuffix(line, ","+want) {
			t.Errorf("%s, want the prediction %s of 3,v,M", line, want)
		}
	}
	if p := predict(t, m, [][]float64{{3, 0, 0, 2}}); len(lines) != 7 || !strings.HasPrefix(lines[6], "3,w,M,") || strings.HasSuffix(lines[6], want) || p.Values[0] == 0 {
		t.Errorf("unknown category: %q", lines)
	}
	first := `t.csv:3:1: column "a": the cell is blank: give it a value`
	if missing := (data.Missing{Policy: "mean", Cells: 3, Imputed: 3, Columns: map[string]int{"a": 1, "c": 1, "size": 1}, Unknown: map[string]int{"size": 1, "c": 1}, First: first}); counts.Rows != 6 || !reflect.DeepEqual(counts.Missing, missing) {
		t.Errorf("%+v, want %+v", counts, missing)
	}
	for _, impute := range []bool{false, true} {
		m.ImputeMeans = impute
		if counts, err := m.PredictTable(context.Background(), data.Input{Name: "t.csv", Reader: strings.NewReader(table)}, TableOptions{Strict: true}, new(strings.Builder)); err == nil || err.Error() != first || counts.Rows != 1 {
			t.Errorf("strict: %d rows, %v", counts.Rows, err)
		}
	}
}
