package shard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// row is a row as a reader finds it: its record and its line.
type row struct {
	record string
	line   int
}

// schema has a column that every table of the tests has.
var schema = data.Schema{Target: "y", Columns: []data.Column{{Name: "x", Encoding: data.OneHot, Levels: []string{"1", "2"}}}}

// rowsOf reads a table, with its fault.
func rowsOf(in data.Input) (rows []row, fault string) {
	r, err := data.NewReader(in, schema, data.ReaderOptions{Lenient: true})
	if err != nil {
		return nil, err.Error()
	}
	defer r.Close()
	var b data.Batch
	for {
		err := r.Next(&b)
		if err == io.EOF {
			return rows, ""
		}
		if err == nil {
			err = b.Parse()
			for i, record := range b.Records {
				rows = append(rows, row{record, b.Lines[i]})
			}
		}
		if err != nil {
			return rows, err.Error()
		}
	}
}

// infos are files with their sizes.
func infos(t interface{ Fatal(...any) }, paths ...string) (in []files.Info) {
	for _, path := range paths {
		at, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, files.Info{Path: path, Size: at.Size()})
	}
	return in
}

// rowsOfShards reads shards, one after the other, up to the first fault.
func rowsOfShards(ctx context.Context, t interface{ Fatalf(string, ...any) }, shards []Shard) (rows []row, fault string) {
	for _, s := range shards {
		in, file, err := s.Open(ctx)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		some, fault := rowsOf(in)
		if err := file.Close(); err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		if s.FirstRow >= 0 && (int64(len(rows)) != s.FirstRow || fault == "" && int64(len(some)) != s.Rows) {
			t.Fatalf("%v: %d rows after %d, planned are %d after %d", s, len(some), len(rows), s.Rows, s.FirstRow)
		}
		if rows = append(rows, some...); fault != "" {
			return rows, fault
		}
	}
	return rows, ""
}

// cells are what the tables of the tests consist of; some make them faulty.
var cells = []string{"1", "2", "", `"1"`, "\"a\nb\"", "\"a\r\nb\"", "\"a\rb\"", `"a""b"`, `"""\n"""`, "é", ` "1" `, `a"b`, `"`, "long " +
	strings.Repeat("w", 90)}

var lineEnds = []string{"\n", "\r\n", "\r"}

// drawTable draws a table.
func drawTable(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("\xef\xbb\xbf", rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "marks")))
	end := rapid.SampledFrom(lineEnds).Draw(t, "line end")
	b.WriteString(rapid.SampledFrom([]string{"", "", end, "sep=;" + end, "sep=;" + end + end}).Draw(t, "before"))
	delimiter := ","
	if strings.Contains(b.String(), "sep") {
		delimiter = ";"
	}
	b.WriteString(rapid.SampledFrom([]string{"x" + delimiter + "y", `"x"` + delimiter + "\"y" + end + "z\""}).Draw(t, "header"))
	some := cells
	if rapid.IntRange(0, 9).Draw(t, "faulty") > 0 {
		some = slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return c == `a"b` || c == `"` })
	}
	for range rapid.IntRange(0, 40).Draw(t, "rows") {
		b.WriteString(end)
		b.WriteString(rapid.SampledFrom([]string{"", "", "", "", end, "\n", "\r\n"}).Draw(t, "empty"))
		b.WriteString(rapid.SampledFrom(some).Draw(t, "x") + delimiter + rapid.SampledFrom(some).Draw(t, "y"))
	}
	b.WriteString(rapid.SampledFrom([]string{"", end, end + end}).Draw(t, "end"))
	return b.String()
}

// The rows of the shards are those of the file, with their lines and numbers, whatever the table and the size of the shards; so is a
// fault.
func TestShardsHaveTheRowsOfTheFile(t *testing.T) {
	dir := t.TempDir()
	divided, faulty := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		path := filepath.Join(dir, "t.csv")
		if err := os.WriteFile(path, []byte(drawTable(rt)), 0o666); err != nil {
			rt.Fatal(err)
		}
		want, wantFault := rowsOf(data.Input{Name: path})
		o := Options{Split: int64(rapid.SampledFrom([]int{1, 2, 3, 7, 20, 50, 200, 1000}).Draw(rt, "split")),
			Rows: rapid.Bool().Draw(rt, "number")}
		shards, err := Plan(t.Context(), infos(rt, path), o)
		if err != nil {
			if len(want) > 0 || err.Error() != wantFault {
				rt.Fatalf("%v, want %d rows and %q", err, len(want), wantFault)
			}
			return
		}
		got, fault := rowsOfShards(t.Context(), rt, shards)
		if fault != wantFault || !slices.Equal(got, want) {
			rt.Fatalf("%d shards: %+v, %s\nwant %+v, %s", len(shards), got, fault, want, wantFault)
		}
		if len(shards) > 2 {
			divided++
		}
		if fault != "" {
			faulty++
		}
	})
	if divided < 20 || faulty < 1 {
		t.Errorf("%d tables were divided, %d have a fault", divided, faulty)
	}
}

// A file that cannot be divided is one shard, and its rows are counted if they should be.
func TestWhole(t *testing.T) {
	dir := t.TempDir()
	text := "\xef\xbb\xbfx,y\r1,2\r\r\"1\r\",2\r"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	paths := []string{filepath.Join(dir, "a.csv.gz"), filepath.Join(dir, "b.csv"), filepath.Join(dir, "c.csv")}
	for i, content := range []string{packed.String(), "x,y\n1,2\n", text} {
		if err := os.WriteFile(paths[i], []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	shards, err := Plan(t.Context(), infos(t, paths...), Options{Split: 1 << 20, Rows: true})
	if err != nil || len(shards) != 3 {
		t.Fatal(shards, err)
	}
	for i, want := range [][2]int64{{2, 0}, {1, 2}, {2, 3}} {
		if s := shards[i]; !s.Whole() || s.Rows != want[0] || s.FirstRow != want[1] || s.Order != i || s.String() != paths[i] {
			t.Errorf("%+v, want rows and first row %v", s, want)
		}
	}
	if _, fault := rowsOfShards(t.Context(), t, shards); fault != "" {
		t.Error(fault)
	}
	if shards, err = Plan(t.Context(), infos(t, paths...), Options{Split: 1}); err != nil || !shards[0].Whole() || shards[0].Rows != -1 ||
		shards[1].Whole() {
		t.Errorf("%+v, %v", shards, err)
	}
}

// The row groups of a Parquet file are gathered up to the size of a shard.
func TestRowGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	var text, out bytes.Buffer
	text.WriteString("x,n\n")
	for i := range 300_000 { // five row groups
		fmt.Fprintf(&text, "%d,%d\n", 1+i%2, i)
	}
	if err := table.Convert(&out, table.Writable(path), data.Input{Name: "t.csv", Reader: &text},
		table.Conversion{Numbers: []string{"n"}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	want, _ := rowsOf(data.Input{Name: path})
	for split, count := range map[int64]int{1: 5, int64(out.Len() / 2): 3, int64(out.Len()): 1} {
		shards, err := Plan(t.Context(), infos(t, path), Options{Split: split, Rows: true})
		if err != nil || len(shards) != count {
			t.Fatalf("split %d: %+v, %v", split, shards, err)
		}
		got, fault := rowsOfShards(t.Context(), t, shards)
		if fault != "" || !slices.Equal(got, want) {
			t.Errorf("split %d: %d rows, want %d; %s", split, len(got), len(want), fault)
		}
	}
}

// A file that has changed since it was planned, or is gone, is an error that names it.
func TestChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	write := func(rows int) {
		if err := os.WriteFile(path, []byte("x,y\n"+strings.Repeat("1,2\n", rows)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(10)
	in := infos(t, path)
	shards, err := Plan(t.Context(), in, Options{Split: 20})
	if err != nil || len(shards) != 3 {
		t.Fatal(shards, err)
	}
	write(8)
	var table *data.Error
	if _, _, err := shards[1].Open(t.Context()); !errors.As(err, &table) || table.File != path ||
		!strings.Contains(table.Message, "it has 36 bytes, and had 44 when the job began") {
		t.Error(err)
	}
	if _, err := Plan(t.Context(), in, Options{Split: 20}); !errors.As(err, &table) || !strings.Contains(err.Error(), "shorter") {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := shards[1].Open(t.Context()); !errors.As(err, &table) || !errors.Is(err, os.ErrNotExist) || table.File != path {
		t.Error(err)
	}
}
