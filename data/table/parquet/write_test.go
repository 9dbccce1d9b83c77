package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// delimited is delimited text with numbers, words, booleans, dates and missing cells.
func delimited(rows int) string {
	var b strings.Builder
	b.WriteString("id,x,kind,on,day,y\n")
	for i := range rows {
		x, kind := fmt.Sprint(math.Sqrt(float64(i))), []string{"red", "green", "dark blue", ""}[i%4]
		if i%7 == 3 {
			x = ""
		}
		fmt.Fprintf(&b, "%d,%s,%s,%v,2021-03-%02d,%v\n", i, x, kind, i%3 == 0, 1+i%28, float64(i)/3)
	}
	return b.String()
}

// A table as CSV and as Parquet is the same data set, to the bit: numbers, categories, booleans, texts and missing cells.
func TestSameTable(t *testing.T) {
	text := delimited(70_000) // two row groups
	dir := t.TempDir()
	csv, packed := filepath.Join(dir, "t.csv"), filepath.Join(dir, "t.parquet")
	var b bytes.Buffer
	if err := table.Convert(&b, table.Writable(packed), table.Input{Name: csv, Reader: strings.NewReader(text)},
		table.Conversion{Numbers: []string{"id", "x", "y"}}); err != nil {
		t.Fatal(err)
	}
	testenv.OK(t, errors.Join(os.WriteFile(csv, []byte(text), 0o666), os.WriteFile(packed, b.Bytes(), 0o666)))
	for _, o := range []table.Options{
		{Target: "y", Ignore: []string{"day"}, Missing: "mean"},
		{Target: "on", Ignore: []string{"id"}, Missing: "drop", Categorical: map[string]table.Coding{"day": {Encoding: table.Ordinal}}},
	} {
		want := testenv.Must(data.Read(csv, o))
		got := testenv.Must(data.Read(packed, o))
		same := reflect.DeepEqual(got.Schema, want.Schema) && slices.Equal(got.Y, want.Y) && got.Missing.Cells == want.Missing.Cells &&
			got.Len() == want.Len() && got.Fingerprint() == want.Fingerprint()
		if !same {
			t.Errorf("%+v is not %+v", got.Schema, want.Schema)
		}
	}
}

// The other reader of the format reads what is written.
func TestWritten(t *testing.T) {
	var b bytes.Buffer
	text := "a,w\n1.5,x\n,\n-2,\"y,z\"\n"
	if err := table.Convert(&b, table.Writable("T.PARQUET"), table.Input{Name: "t.csv", Reader: strings.NewReader(text)},
		table.Conversion{Numbers: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	type row struct {
		A *float64 `parquet:"a"`
		W *string  `parquet:"w"`
	}
	rows, err := pq.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(rows) != 3 || *rows[0].A != 1.5 || *rows[0].W != "x" || rows[1].A != nil || rows[1].W != nil || *rows[2].A != -2 ||
		*rows[2].W != "y,z" {
		t.Errorf("%+v, %v", rows, err)
	}
	if table.Writable("t.csv") != nil {
		t.Error("a format writes delimited text")
	}
}

// A cell that is no number, and a writer that fails, end the conversion.
func TestConvertFaults(t *testing.T) {
	to := table.Writable(".parquet")
	err := table.Convert(io.Discard, to, table.Input{Name: "t.csv", Reader: strings.NewReader("a\n1\nx\n")},
		table.Conversion{Numbers: []string{"a"}})
	if err == nil || !strings.HasPrefix(err.Error(), `t.csv:3:1: column "a": "x" is not a plain decimal number`) {
		t.Error(err)
	}
	full := errors.New("no space")
	for room := range 3 {
		err := table.Convert(&limited{room, full}, to, table.Input{Name: "t.csv", Reader: strings.NewReader("a\n1\n2\n")}, table.Conversion{})
		if !errors.Is(err, full) {
			t.Errorf("write %d fails: %v", room, err)
		}
	}
}

// limited fails after so many writes.
type limited struct {
	left int
	err  error
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left--; l.left < 0 {
		return 0, l.err
	}
	return len(p), nil
}
