package sql

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/postgrestest"
)

// key is the column of row numbers, from 1.
const key = `row "no"; --`

// database runs a query on a table, whose columns of numbers are of a kind, and returns the rows
// of the result as texts, "" for NULL.
type database func(t *testing.T, table *exporttest.Table, kind, query string) [][]string

// databases returns all databases, with one server for the test.
func databases(t *testing.T) map[string]database {
	url := ""
	all := map[string]database{
		"sqlite": sqlite,
		"duckdb": duckdb,
		"postgres": func(t *testing.T, table *exporttest.Table, kind, query string) [][]string {
			return postgres(t, url, table, kind, query)
		},
	}
	url = postgrestest.Start(t)
	return all
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

func sqlite(t *testing.T, table *exporttest.Table, kind, query string) [][]string {
	file := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(file, []byte(numbered(table)), 0o600); err != nil {
		t.Fatal(err)
	}
	names := strings.Split(resultNames(table.Form), ", ")
	for i, name := range names[1:] {
		names[i+1] = fmt.Sprintf("CASE typeof(%s) WHEN 'real' THEN printf('%%!.17g', %[1]s) ELSE %[1]s END", name)
	}
	script := "CREATE TABLE rows " + columns(table, kind) + ";\n.mode csv\n.import " + file + " rows\nCREATE TABLE result AS\n" + query + "SELECT " + strings.Join(names, ", ") + " FROM result;\n"
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
	script := "SET client_min_messages TO warning; SET jit = off; DROP TABLE IF EXISTS rows; CREATE TABLE rows " + columns(table, kind) + ";\nCOPY rows FROM STDIN (FORMAT csv);\n" + numbered(table) + "\\.\n" + query
	return run(t, script, exporttest.Tool(t, "psql"), "-X", "-q", "-t", "--csv", "-v", "ON_ERROR_STOP=1", url)
}

func duckdb(t *testing.T, table *exporttest.Table, kind, query string) [][]string {
	file := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(file, []byte(numbered(table)), 0o600); err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(map[string]any{
		"modules": exporttest.NodeModules(t, "@duckdb/node-api"), "columns": columns(table, kind), "query": query,
		"copy": "COPY rows FROM " + text(file) + " (FORMAT csv, HEADER false, AUTO_DETECT false, QUOTE '\"', ESCAPE '\"', DELIMITER ',')",
	})
	if err != nil {
		t.Fatal(err)
	}
	return run(t, string(input), exporttest.Tool(t, "node"), "testdata/duckdb.mjs")
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
