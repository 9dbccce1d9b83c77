package xlsx

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	_ "github.com/tskgraph/tskgraph/data/table/csv"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// written returns the workbook of a table whose column x has numbers.
func written(text string) ([]byte, error) {
	var b bytes.Buffer
	err := table.Convert(&b, table.Writable("t.XLSX"), table.Input{Name: "t", Reader: strings.NewReader(text)},
		table.Conversion{Numbers: []string{"x"}})
	return b.Bytes(), err
}

// TestWrite reads a workbook by another library: numbers are numbers, and all else is text, whatever it looks like.
func TestWrite(t *testing.T) {
	got := testenv.Must(written("name,x\n=1+1,1.5\n\"<&> \"\"\nnext\",\n _x0041_\u00e9,-1e-9\n,300000000000000000000\n7,NA\na\x01'b,\n"))
	f := testenv.Must(excelize.OpenReader(bytes.NewReader(got)))
	defer f.Close()
	rows := testenv.Must(f.GetRows("table", excelize.Options{RawCellValue: true}))
	want := [][]string{{"name", "x"}, {"=1+1", "1.5"}, {"<&> \"\nnext"}, {" _x0041_\u00e9", "-1e-09"}, {"", "3e+20"}, {"7"}, {"a\ufffd'b"}}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("%q, want\n%q", rows, want)
	}
	for cell, kind := range map[string]excelize.CellType{"A2": excelize.CellTypeInlineString, "B2": excelize.CellTypeUnset,
		"A6": excelize.CellTypeInlineString} {
		testenv.Equal(t, testenv.Must(f.GetCellType("table", cell)), kind, cell)
	}
	again := testenv.Must(written("name,x\n=1+1,1.5\n\"<&> \"\"\nnext\",\n _x0041_\u00e9,-1e-9\n,300000000000000000000\n7,NA\na\x01'b,\n"))
	testenv.Equal(t, bytes.Equal(got, again), true, "the same bytes")
}

// TestLimits: what a sheet cannot hold is an error.
func TestLimits(t *testing.T) {
	_, err := written("name,x\n" + strings.Repeat("a", mostText+1) + ",1\n")
	testenv.FailsWith(t, err, "row 1: a cell of 32768 characters")
	_, err = create(&bytes.Buffer{}, make([]table.Field, mostColumns+1))
	testenv.FailsWith(t, err, "16385 columns")
	s := testenv.Must(create(&bytes.Buffer{}, make([]table.Field, 1)))
	s.(*sink).rows = mostRows
	testenv.FailsWith(t, s.Write(&table.Block{Rows: 1, Columns: []table.Values{{Cells: []string{"a"}}}}), "more than 1048575 rows")
}

// TestRead: a workbook is not read, and the error says what to do.
func TestRead(t *testing.T) {
	_, err := table.OpenTable(table.Input{Name: "t.xlsx", Reader: bytes.NewReader(testenv.Must(written("x\n1\n")))}, "auto")
	testenv.FailsWith(t, err, "save the sheet as CSV")
}
