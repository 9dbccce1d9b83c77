package xlsx

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// rowsOfCase is the number of rows that each case is tested on: a workbook each.
var rowsOfCase = testenv.CaseNumber(2, 2, 8)

// filled writes the workbook of a form to a file with the cells of a row as inputs, as a person types them: TRUE is no text.
func filled(t *testing.T, f *export.Form, cells []string, path string) {
	t.Helper()
	result, err := Write(f, export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := excelize.OpenReader(bytes.NewReader(result.Files[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i, c := range f.Columns {
		at := cell(2, firstInput+i)
		switch v, number := table.ParseNumber(cells[i]); {
		case cells[i] == "":
		case cells[i] == "TRUE":
			err = file.SetCellBool(predictionSheet, at, true)
		case number && c.Numbers():
			err = file.SetCellFloat(predictionSheet, at, v, -1, 64)
		default:
			err = file.SetCellStr(predictionSheet, at, cells[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := file.SaveAs(path); err != nil {
		t.Fatal(err)
	}
}

// converted returns the first sheet of each workbook in a directory as LibreOffice calculates it.
func converted(t *testing.T, dir string) map[string][][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"-env:UserInstallation=file://" + dir + "/profile", "--headless", "--convert-to",
		`csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false`, "--outdir", dir}
	out, err := exec.CommandContext(context.Background(), exporttest.Tool(t, "soffice"), append(arguments, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	all := map[string][][]string{}
	for _, file := range files {
		name := file[:len(file)-len(".xlsx")]
		content, err := os.ReadFile(name + ".csv")
		if err != nil {
			t.Fatalf("%v\n%.2000s", err, out)
		}
		r := csv.NewReader(bytes.NewReader(content))
		r.FieldsPerRecord = -1
		if all[filepath.Base(name)], err = r.ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// LibreOffice predicts what the model predicts. By default the workbooks are only written.
func TestPredict(t *testing.T) {
	dir := t.TempDir()
	tables := map[string]*exporttest.Table{}
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		table.Cells, table.Want = table.Cells[:rowsOfCase], table.Want[:rowsOfCase]
		if c.Shape != "waves" { // sheets compute no cosine of such a number
			table.Cells[1][0] = "-1e99"
			table.Want[1] = table.Form.Predict(table.Features(1))
		}
		tables[c.Name()] = table
		for n, cells := range table.Cells {
			filled(t, table.Form, cells, filepath.Join(dir, fmt.Sprintf("%s-%d.xlsx", c.Name(), n)))
		}
	})
	f := exporttest.Case{Shape: "gaussian", Response: "classes"}.Form(t)
	filled(t, f, []string{"abc", "1", "=wed", "small", "2"}, filepath.Join(dir, "text.xlsx"))
	filled(t, f, []string{"TRUE", "1", "TRUE", "small", "2"}, filepath.Join(dir, "logical.xlsx"))
	own := exporttest.Case{Shape: "gaussian", Response: "number", ImputeMeans: true, Own: true}.Form(t)
	own.Members[0].Inputs[0].Feature = 1 // only whether the number is missing matters
	filled(t, own, []string{"abc", "1", "=wed", "small", "2"}, filepath.Join(dir, "own.xlsx"))
	filled(t, f, []string{"1e9", "1", "=wed", "none", "2"}, filepath.Join(dir, "far.xlsx"))
	tables["cells"] = oddCells(t)
	for n, cells := range tables["cells"].Cells {
		filled(t, tables["cells"].Form, cells, filepath.Join(dir, fmt.Sprintf("cells-%d.xlsx", n)))
	}
	testenv.OnlyCI(t) // LibreOffice starts slowly
	sheets := converted(t, dir)
	t.Run("inputs", func(t *testing.T) { testInputs(t, sheets) })
	for name, table := range tables {
		t.Run(name, func(t *testing.T) {
			var got [][]float64
			for n := range table.Cells {
				got = append(got, predicted(table.Form, sheets[fmt.Sprintf("%s-%d", name, n)]))
			}
			table.Compare(t, got, exporttest.Tolerance)
		})
	}
}

// oddCells returns the matrix of cells, by default every twelfth row, under CI=true every eighth, and those about spaces.
func oddCells(t *testing.T) *exporttest.Table {
	t.Helper()
	all := exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming, exporttest.NoNumbers)
	some := &exporttest.Table{Form: all.Form}
	step := testenv.CaseNumber(12, 8, 1)
	for n, cells := range all.Cells {
		if strings.ContainsAny(strings.Join(cells, ""), "\u001c\v\f") || n%step != 0 && !strings.Contains(cells[2], "  ") {
			continue // XML has no such characters
		}
		some.Cells, some.Want = append(some.Cells, cells), append(some.Want, all.Want[n])
	}
	return some
}

// predicted returns the outputs [J] on a sheet, NaN for those that are no numbers.
func predicted(f *export.Form, sheet [][]string) []float64 {
	row := firstInput + len(f.Columns) + 1
	if f.Kind == export.Classes {
		row++
	}
	var y []float64
	for j := range f.Outputs {
		v, err := strconv.ParseFloat(sheet[row+j][1], 64)
		if err != nil {
			v = math.NaN()
		}
		y = append(y, v)
	}
	return y
}

// A text in place of a number has a remark and no prediction; texts of a table are no formulas.
func testInputs(t *testing.T, sheets map[string][][]string) {
	for _, c := range []struct {
		sheet       string
		row, column int
		want        string
	}{
		{"text", firstInput, 6, "not a number: no prediction"}, {"text", firstInput + 6 + 1, 2, "no prediction"},
		{"text", firstInput + 2, 2, "=wed"}, {"text", firstInput + 2, 6, ""},
		{"own", firstInput, 6, "not a number: no prediction"}, {"own", firstInput + 6 + 1, 2, "no prediction"},
		{"logical", firstInput, 6, "not a number: no prediction"}, {"logical", firstInput + 6 + 1, 2, "no prediction"},
		{"logical", firstInput + 2, 6, "unknown category"},
		{"far", firstInput, 6, "outside the range of training"}, {"far", firstInput + 3, 6, "unknown category: counts as missing"},
	} {
		if got := sheets[c.sheet][c.row-1][c.column-1]; got != c.want {
			t.Errorf("%s, row %d, column %d: %q, want %q", c.sheet, c.row, c.column, got, c.want)
		}
	}
}

func TestRefusal(t *testing.T) {
	f := exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
	rules := f.Members[0].Rules
	for _, n := range []int{mostColumns + 1, mostColumns} {
		f.Members[0].Rules = nil
		for range n {
			f.Members[0].Rules = append(f.Members[0].Rules, rules[0])
		}
		_, err := Write(f, export.Options{})
		var refusal *export.Refusal
		if !errors.As(err, &refusal) {
			t.Errorf("%d rules: error %v", n, err)
		}
	}
}
