package sql

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

const double = "DOUBLE PRECISION"

// write returns the query of a form on the table rows.
func write(t *testing.T, f *export.Form) string {
	t.Helper()
	result, err := Target{}.Write(f, export.Options{Table: "rows", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Files[0].Data)
}

// All databases predict what the model predicts, from columns of numbers and of text.
func TestPredict(t *testing.T) {
	all := databases(t)
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		query := write(t, table.Form)
		for name, db := range all {
			t.Run(name, func(t *testing.T) {
				kind := double
				if name == "sqlite" && !c.Transform {
					kind = "TEXT"
				}
				got, prediction := outputs(t, table, db(t, table, kind, query))
				table.Compare(t, got, exporttest.Tolerance)
				comparePredictions(t, table.Form, got, prediction)
			})
		}
	})
}

// comparePredictions checks the column of the class, or of the quantile nearest to the median.
func comparePredictions(t *testing.T, f *export.Form, got [][]float64, prediction []string) {
	t.Helper()
	for n, p := range got {
		want := prediction[n]
		switch {
		case f.Kind == export.Classes:
			want = f.Outputs[slices.Index(p, slices.Max(p))].Name
		case f.Kind == export.Quantiles:
			if v, err := strconv.ParseFloat(prediction[n], 64); err != nil || v != p[len(p)/2] {
				want = strconv.FormatFloat(p[len(p)/2], 'g', -1, 64)
			}
		}
		if prediction[n] != want {
			t.Fatalf("row %d: prediction %q, want %q of %v", n+1, prediction[n], want, p)
		}
	}
}

// tableOf returns a table of rows, in which the cells of numbers are given and the others are the
// first levels.
func tableOf(t *testing.T, f *export.Form, numbers []string) *exporttest.Table {
	t.Helper()
	table := &exporttest.Table{Form: f}
	for i, c := range f.Columns {
		table.Header = append(table.Header, c.Name)
		if c.Encoding != data.Numeric {
			continue
		}
		for _, number := range numbers {
			var cells []string
			for k, other := range f.Columns {
				switch {
				case k == i:
					cells = append(cells, number)
				case other.Encoding == data.Numeric:
					cells = append(cells, "1")
				default:
					cells = append(cells, other.Levels[0])
				}
			}
			table.Cells = append(table.Cells, cells)
		}
	}
	for n := range table.Cells {
		table.Want = append(table.Want, f.Predict(table.Features(n)))
	}
	return table
}

// formOf returns the form of a case.
func formOf(t *testing.T, c exporttest.Case) *export.Form {
	t.Helper()
	m, err := c.Model()
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// compareAll compares predictions, of which those that are NaN must be NaN.
func compareAll(t *testing.T, table *exporttest.Table, got [][]float64) {
	t.Helper()
	for n, want := range table.Want {
		for j, v := range want {
			if math.IsNaN(v) != math.IsNaN(got[n][j]) || math.Abs(v-got[n][j]) > 1e-10 {
				t.Errorf("row %d %q: %v, want %v", n+1, table.Cells[n], got[n], want)
			}
		}
	}
}

// Cells of every kind: a text that is not a number has no prediction, infinite and far numbers neither, and
// numbers near the limits of the type raise no error.
func TestCells(t *testing.T) {
	texts := []string{"12", " 12 ", "+12.5", "-12", "1e1", "1.25E-1", "1e+2", ".5", "5.", "", " ", "abc", "1,5", "12x", "--5", "1-2", "e5", "+", ".", "1e", "nan", "NaN", "inf", "-Infinity", "1234567890123456789012345678901234567890"}
	far := []string{"0", "5e-324", "1e-310", "-1e-200", "1e-150", "1e-16", "1e20", "-1e50", "1e90", "-1e99", "1e150", "1e308", "-1.7976931348623157e308", "inf", "-inf", "nan", ""}
	whole := []string{"0", "1", "-3", "7", "20", "", "2147483647"}
	all := databases(t)
	odd := exporttest.NewCells(t)
	for name, db := range all {
		t.Run("odd/"+name, func(t *testing.T) {
			got, _ := outputs(t, odd.Table, db(t, odd.Table, "TEXT", write(t, odd.Form)))
			odd.Compare(t, got, exporttest.Tolerance)
		})
	}
	for _, c := range []exporttest.Case{
		{Shape: "gaussian", Response: "number"}, {Shape: "gaussian", Response: "classes", Transform: true}, {Shape: "gbell", Response: "count"},
		{Shape: "trapezoid", Response: "targets", Curves: "shared"}, {Shape: "sigmoid", Response: "quantiles", Components: true}, {Shape: "cauchy", Response: "number", Defuzz: "logtsk"},
	} {
		f := formOf(t, c)
		for name, db := range all {
			for kind, numbers := range map[string][]string{"TEXT": texts, double: far, "INTEGER": whole} {
				if name == "sqlite" && kind == double {
					kind = "TEXT" // its import reads no infinite numbers
				}
				t.Run(c.Name()+"/"+name+"/"+kind, func(t *testing.T) {
					table := tableOf(t, f, numbers)
					got, _ := outputs(t, table, db(t, table, kind, write(t, f)))
					compareAll(t, table, got)
				})
			}
		}
	}
}

// A model of many rules and inputs meets the limits of all databases.
func TestLimits(t *testing.T) {
	all := databases(t)
	f := formOf(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	enlarge(&f.Members[0], 200, 30)
	table := tableOf(t, f, []string{"-3", "0", "2.5", "9"})
	query := write(t, f)
	for name, db := range all {
		t.Run(name, func(t *testing.T) {
			got, _ := outputs(t, table, db(t, table, double, query))
			table.Compare(t, got, exporttest.Tolerance)
		})
	}
}

// Shapes and t-norms that need many intermediate values stay within the limits as well.
func TestLimitsOfShapes(t *testing.T) {
	for _, c := range []exporttest.Case{
		{Shape: "psigmoid", Response: "number"}, {Shape: "trapezoid", Response: "number"}, {Shape: "gaussian", Response: "classes", TNorm: "minimum"},
		{Shape: "triangular", Response: "number", TNorm: "lukasiewicz", Defuzz: "htsk"},
	} {
		f := formOf(t, c)
		for k := range f.Members {
			enlarge(&f.Members[k], 200, 50)
		}
		write(t, f) // checks the number of columns
	}
}

// enlarge gives a member R rules of M inputs, of the features that it has.
func enlarge(m *export.Member, R, M int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range M - len(m.Inputs) { // features again, with other means
		in := m.Inputs[i]
		in.Mean += rng.NormFloat64()
		m.Inputs = append(m.Inputs, in)
	}
	like := m.Rules[0].Params[0]
	m.Rules = nil
	for range R {
		rule := export.Rule{Weights: make([][]float64, m.Outputs)}
		for c := range m.Outputs {
			for range M + 1 {
				rule.Weights[c] = append(rule.Weights[c], rng.NormFloat64())
			}
		}
		for i := range M {
			params := slices.Clone(like)
			shift := rng.NormFloat64()
			for k, p := range m.Shape.Params() {
				if p.Kind == membership.Position {
					params[k] += shift
				}
			}
			rule.If, rule.Params = append(rule.If, i), append(rule.Params, params)
		}
		m.Rules = append(m.Rules, rule)
	}
}

func TestRefusals(t *testing.T) {
	f := formOf(t, exporttest.Case{Shape: "gaussian", Response: "classes"})
	for _, c := range []struct {
		table, key, option string
	}{
		{"", "id", "table"}, {"rows", "", "key"}, {"a..b", "id", "table"}, {`"a`, "id", "table"}, {"rows", "prediction", "key"}, {"rows", "Prediction", "key"}, {"rows", "probability_maïs", "key"},
	} {
		_, err := Target{}.Write(f, export.Options{Table: c.table, Key: c.key})
		var faulty *export.OptionError
		if !errors.As(err, &faulty) || faulty.Option != c.option {
			t.Errorf("table %q, key %q: error %v", c.table, c.key, err)
		}
	}
	enlarge(&f.Members[0], 1700, 2)
	_, err := Target{}.Write(f, export.Options{Table: "rows", Key: "id"})
	var refusal *export.Refusal
	if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "1664") {
		t.Errorf("error %v", err)
	}
}

func TestTableName(t *testing.T) {
	for name, want := range map[string]string{"rows": `"rows"`, "a.Rows": `"a"."Rows"`, `"a.b"`: `"a.b"`, `main."x ""y"""`: `"main"."x ""y"""`} {
		if got, err := tableName(name); err != nil || got != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if got := stagePrefix("main.TSK_0"); got != "tsk__" {
		t.Errorf("prefix %s", got)
	}
}
