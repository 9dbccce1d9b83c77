package sql

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

const double = "DOUBLE PRECISION"

// write returns the query of a form on the table rows.
func write(t *testing.T, f *export.Form) string {
	t.Helper()
	result, err := Write(f, export.Options{Table: "rows", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Files[0].Data)
}

// Tests with one server or process of each database.
func TestInDatabases(t *testing.T) {
	all := databases(t)
	t.Run("Predict", func(t *testing.T) { testPredict(t, all) })
	t.Run("Cells", func(t *testing.T) { testCells(t, all) })
	t.Run("Limits", func(t *testing.T) { testLimits(t, all) })
}

// check runs the query of a form in a database on a table whose columns of numbers are of a kind.
func (d database) check(t *testing.T, table *exporttest.Table, kind string) {
	t.Helper()
	if d.name == "sqlite" && kind == double {
		kind = "TEXT" // its import reads no infinite numbers
	}
	got, prediction := outputs(t, table, d.run(t, table, kind, write(t, table.Form)))
	table.Compare(t, got, exporttest.Tolerance)
	table.CompareChoices(t, got, prediction)
}

// All databases predict what the model predicts, from columns of numbers and of text; by default one of them for each case, under
// CI=true one or two.
func testPredict(t *testing.T, all []database) {
	i := 0
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, _ *model.Model, table *exporttest.Table) {
		i++
		for _, d := range testenv.Draw(all, len(all), 2, i) {
			t.Run(d.name, func(t *testing.T) { d.check(t, table, double) })
		}
	})
}

// tableOf returns a table of rows, in which the cells of numbers are given and the others are the
// first levels.
func tableOf(f *export.Form, numbers []string) *exporttest.Table {
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
	table.SetWant()
	return table
}

// Cells of every kind: a text that is not a number has no prediction, infinite and far numbers neither, and
// numbers near the limits of the type raise no error. Each database has a third of the cases and kinds, by default a sixth of that.
func testCells(t *testing.T, all []database) {
	kinds := []struct {
		name    string
		numbers []string
	}{
		{"TEXT", []string{"12", " 12 ", "+12.5", "-12", "1e1", "1.25E-1", "1e+2", ".5", "5.", "", " ", "abc", "1,5", "12x", "--5", "1-2", "e5",
			"+", ".", "1e", "nan", "NaN", "inf", "-Infinity", "1234567890123456789012345678901234567890"}},
		{double, []string{"0", "5e-324", "1e-310", "-1e-200", "1e-150", "1e-16", "1e20", "-1e50", "1e90", "-1e99", "1e150", "1e308",
			"-1.7976931348623157e308", "inf", "-inf", "nan", ""}},
		{"INTEGER", []string{"0", "1", "-3", "7", "20", "", "2147483647"}},
	}
	odd := exporttest.NewCells(t)
	for _, d := range all {
		t.Run("odd/"+d.name, func(t *testing.T) { d.check(t, odd.Table, "TEXT") })
	}
	cases := []exporttest.Case{
		{Shape: "gaussian", Response: "number"}, {Shape: "gaussian", Response: "classes", Transform: true}, {Shape: "gbell", Response: "count"},
		{Shape: "trapezoid", Response: "targets", Curves: "shared"}, {Shape: "sigmoid", Response: "quantiles", Components: true},
		{Shape: "cauchy", Response: "number", Defuzz: "logtsk"},
	}
	parts := testenv.CaseNumber(18, 3, 1)
	for i, c := range cases {
		f := c.Form(t)
		for k, kind := range kinds {
			for j, d := range all {
				if (7*i+k+j)%parts == 0 {
					t.Run(c.Name()+"/"+d.name+"/"+kind.name, func(t *testing.T) { d.check(t, tableOf(f, kind.numbers), kind.name) })
				}
			}
		}
	}
}

// A model of many rules and inputs meets the limits of all databases.
func testLimits(t *testing.T, all []database) {
	testenv.OnlyCI(t)
	f := exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
	enlarge(&f.Members[0], testenv.CaseNumber(100, 100, 200), 30)
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) { d.check(t, tableOf(f, []string{"-3", "0", "2.5", "9"}), double) })
	}
}

// Shapes and t-norms that need many intermediate values stay within the limits as well.
func TestLimitsOfShapes(t *testing.T) {
	testenv.OnlyCI(t)
	for _, c := range testenv.Draw([]exporttest.Case{
		{Shape: "psigmoid", Response: "number"}, {Shape: "trapezoid", Response: "number"},
		{Shape: "gaussian", Response: "classes", TNorm: "minimum"},
		{Shape: "triangular", Response: "number", TNorm: "lukasiewicz", Defuzz: "htsk"},
	}, 4, 2, 0) {
		f := c.Form(t)
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
	f := exporttest.Case{Shape: "gaussian", Response: "classes"}.Form(t)
	for _, c := range []struct {
		table, key, option string
	}{
		{"", "id", "table"}, {"rows", "", "key"}, {"a..b", "id", "table"}, {`"a`, "id", "table"}, {"rows", "prediction", "key"},
		{"rows", "Prediction", "key"}, {"rows", "probability_maïs", "key"},
	} {
		_, err := Write(f, export.Options{Table: c.table, Key: c.key})
		var faulty *export.OptionError
		if !errors.As(err, &faulty) || faulty.Option != c.option {
			t.Errorf("table %q, key %q: error %v", c.table, c.key, err)
		}
	}
	enlarge(&f.Members[0], 1700, 2)
	_, err := Write(f, export.Options{Table: "rows", Key: "id"})
	var refusal *export.Refusal
	if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "1664") {
		t.Errorf("error %v", err)
	}
}

func TestTableName(t *testing.T) {
	for name, want := range map[string]string{"rows": `"rows"`, "a.Rows": `"a"."Rows"`, `"a.b"`: `"a.b"`,
		`main."x ""y"""`: `"main"."x ""y"""`} {
		if got, err := tableName(name); err != nil || got != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if got := stagePrefix("main.TSK_0"); got != "tsk__" {
		t.Errorf("prefix %s", got)
	}
}

// key is the column of row numbers, from 1.
const key = `row "no"; --`

// database runs a query on a table, whose columns of numbers are of a kind, and returns the rows
// of the result as texts, "" for NULL.
type database struct {
	name string
	run  func(t *testing.T, table *exporttest.Table, kind, query string) [][]string
}

// databases returns all databases, with one server or process for the test.
func databases(t *testing.T) []database {
	worker := exporttest.Start(t, exporttest.Tool(t, "node"), "testdata/duckdb.mjs", exporttest.NodeModules(t, "@duckdb/node-api"))
	url := testenv.StartPostgres(t)
	return []database{{"sqlite", sqlite},
		{"duckdb", func(t *testing.T, table *exporttest.Table, kind, query string) [][]string {
			return duckdb(t, worker, table, kind, query)
		}},
		{"postgres", func(t *testing.T, table *exporttest.Table, kind, query string) [][]string {
			return postgres(t, url, table, kind, query)
		}}}
}

// columns returns the definitions of the columns of a table.
func columns(table *exporttest.Table, kind string) string {
	all := []string{identifier(key) + " INTEGER"}
	for _, c := range table.Form.Columns {
		of := "TEXT"
		if c.Encoding == data.Numeric {
			of = kind
		}
		all = append(all, identifier(c.Name)+" "+of)
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// numbered returns the cells of a table as CSV, the number of the row first.
func numbered(table *exporttest.Table) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for n, cells := range table.Cells {
		_ = w.Write(append([]string{strconv.Itoa(n + 1)}, cells...)) // a strings.Builder does not fail
	}
	w.Flush()
	return b.String()
}

// written writes the rows of a table to a file.
func written(t *testing.T, table *exporttest.Table) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(file, []byte(numbered(table)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func sqlite(t *testing.T, table *exporttest.Table, kind, query string) [][]string {
	names := strings.Split(resultNames(table.Form), ", ")
	for i, name := range names[1:] {
		names[i+1] = fmt.Sprintf("CASE typeof(%s) WHEN 'real' THEN printf('%%!.17g', %[1]s) ELSE %[1]s END", name)
	}
	script := "CREATE TABLE rows " + columns(table, kind) + ";\n.mode csv\n.import " + written(t, table) +
		" rows\nCREATE TABLE result AS\n" + query +
		"SELECT " + strings.Join(names, ", ") + " FROM result;\n"
	return run(t, script, exporttest.Tool(t, "sqlite3"), "-batch", "-bail", ":memory:")
}

// resultNames returns the columns of the result.
func resultNames(f *export.Form) string {
	names := []string{identifier(key)}
	if f.Kind == export.Classes || f.Kind == export.Quantiles && len(f.Outputs) > 1 {
		names = append(names, "prediction")
	}
	for _, name := range results(f) {
		names = append(names, identifier(name))
	}
	return strings.Join(names, ", ")
}

func postgres(t *testing.T, url string, table *exporttest.Table, kind, query string) [][]string {
	script := "SET client_min_messages TO warning; SET jit = off; DROP TABLE IF EXISTS rows; CREATE TABLE rows " + columns(table, kind) +
		";\nCOPY rows FROM STDIN (FORMAT csv);\n" + numbered(table) + "\\.\n" + query
	return run(t, script, exporttest.Tool(t, "psql"), "-X", "-q", "-t", "--csv", "-v", "ON_ERROR_STOP=1", url)
}

func duckdb(t *testing.T, worker *exporttest.Worker, table *exporttest.Table, kind, query string) [][]string {
	var answer struct {
		Rows  [][]string
		Error string
	}
	if worker.Ask(t, map[string]any{"columns": columns(table, kind), "query": query, "copy": "COPY rows FROM " + text(written(t, table)) +
		" (FORMAT csv, HEADER false, AUTO_DETECT false, QUOTE '\"', ESCAPE '\"', DELIMITER ',')"}, &answer); answer.Error != "" {
		t.Fatal(answer.Error)
	}
	return answer.Rows
}

// run returns the records that a program prints for its standard input.
func run(t *testing.T, input string, program string, arguments ...string) [][]string {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), program, arguments...)
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("%s: %v\n%.3000s", program, err, errs.String())
	}
	records, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// outputs returns the outputs [N][J] of the records of a result, NaN for NULL, and the values of its
// other column, if it has one.
func outputs(t *testing.T, table *exporttest.Table, records [][]string) (got [][]float64, prediction []string) {
	t.Helper()
	J := len(table.Form.Outputs)
	got, prediction = make([][]float64, len(table.Cells)), make([]string, len(table.Cells))
	for _, r := range records {
		n, err := strconv.Atoi(r[0])
		if err != nil || got[n-1] != nil {
			t.Fatalf("row %q again, or no number: %v", r, err)
		}
		prediction[n-1] = r[1]
		for _, cell := range r[len(r)-J:] {
			v := math.NaN()
			if cell != "" {
				if v, err = strconv.ParseFloat(cell, 64); err != nil {
					t.Fatal(err)
				}
			}
			got[n-1] = append(got[n-1], v)
		}
	}
	return got, prediction
}
