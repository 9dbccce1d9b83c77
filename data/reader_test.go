package data

import (
	"errors"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

var readerSchema = Schema{
	Columns: []Column{
		{Name: "a", Encoding: Numeric},
		{Name: "gone", Encoding: OneHot, Levels: []string{"p", "q"}, Unused: true},
		{Name: "c", Encoding: Ordinal, Levels: []string{"low", "high"}},
	},
	Target: "y",
}

func TestReader(t *testing.T) {
	r, err := NewReader(strings.NewReader("id;c; a \n\"x;\"\"1\"; high;1\n  y ;low; 2\n"), "t.csv", readerSchema, ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Header(); !reflect.DeepEqual(got, []string{"id", "c", "a"}) || r.Delimiter() != ';' {
		t.Errorf("header %q, delimiter %q", got, r.Delimiter())
	}
	want := []struct {
		record []string
		x      []float64
	}{{[]string{`x;"1`, " high", "1"}, []float64{1, 0, 0, 2}}, {[]string{"  y ", "low", " 2"}, []float64{2, 0, 0, 1}}}
	x := []float64{9, 9, 9, 9}
	for i, w := range want {
		record, err := r.Next(x)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(record, w.record) || !reflect.DeepEqual(x, w.x) || r.Row() != i+1 {
			t.Errorf("row %d: %q %v, want %q %v", r.Row(), record, x, w.record, w.x)
		}
	}
	if _, err := r.Next(x); err != io.EOF {
		t.Errorf("%v, want EOF", err)
	}
	if _, err := r.Next(x[:1]); err == nil || err == io.EOF {
		t.Errorf("x too short: %v", err)
	}
}

func TestReaderMissing(t *testing.T) {
	table := "a,c\n1,low\n,low\n3,NA\n4,high\n"
	for _, test := range []struct {
		policy string
		x      []float64 // a and c of each row
		want   Missing
	}{
		{"drop", []float64{1, 1, 4, 2}, Missing{"drop", 2, 2, 0, map[string]int{"a": 1, "c": 1}}},
		{"mean", []float64{1, 1, math.NaN(), 1, 3, math.NaN(), 4, 2}, Missing{"mean", 2, 0, 2, map[string]int{"a": 1, "c": 1}}},
	} {
		r, err := NewReader(strings.NewReader(table), "t.csv", readerSchema, ReaderOptions{Missing: test.policy})
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		x := make([]float64, 4)
		for {
			if _, err := r.Next(x); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			got = append(got, x[0], x[3])
		}
		if !same([][]float64{got}, [][]float64{test.x}) || !reflect.DeepEqual(r.Missing(), test.want) {
			t.Errorf("%s: %v %+v, want %v %+v", test.policy, got, r.Missing(), test.x, test.want)
		}
	}
}

func TestReaderFaults(t *testing.T) {
	for _, test := range []struct{ table, want string }{
		{"a,b\n1,low\n", `t.csv:1: a feature: the table has no column "c" (its columns: "a", "b")`},
		{"a,c\n1,low\n,low\n", `t.csv:3:1: column "a": the cell is blank: fill it in, or set data.missing to drop or mean`},
		{"a,c\n1,mid\n", `t.csv:2:3: column "c": "mid" is none of its levels ("low", "high")`},
		{"a,c\n1\n", `t.csv:2:2: the row has 1 cells, the header 2: is the row cut off?`},
	} {
		r, err := NewReader(strings.NewReader(test.table), "t.csv", readerSchema, ReaderOptions{})
		for x := make([]float64, 4); err == nil; {
			_, err = r.Next(x)
		}
		if err.Error() != test.want || !errors.As(err, new(*Error)) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
	if _, err := NewReader(strings.NewReader("a,c\n"), "t.csv", readerSchema, ReaderOptions{Missing: "zero"}); err == nil {
		t.Error("an unknown policy is no error")
	}
	if _, err := NewReader(strings.NewReader("a,c\n"), "t.csv", Schema{}, ReaderOptions{}); err == nil {
		t.Error("an empty schema is no error")
	}
}

// A table of 16 MiB is read in flat memory.
func TestReaderStreams(t *testing.T) {
	const size = 16 << 20
	row := "1.25,low\n"
	in := io.MultiReader(strings.NewReader("a,c\n"), io.LimitReader(&repeat{fill: strings.Repeat(row, 512)}, size/int64(len(row))*int64(len(row))))
	r, err := NewReader(wholeRows{in}, "t.csv", readerSchema, ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	before := heap.HeapAlloc
	x := make([]float64, 4)
	peak := uint64(0)
	for {
		_, err := r.Next(x)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Row()%100_000 == 0 {
			runtime.ReadMemStats(&heap)
			peak = max(peak, heap.HeapAlloc)
		}
	}
	if want := size / len(row); r.Row() != want {
		t.Errorf("%d rows, want %d", r.Row(), want)
	}
	if peak > before+8<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, peak)
	}
}

// wholeRows reads in pieces that repeat does not cut within a row.
type wholeRows struct{ io.Reader }

func (w wholeRows) Read(p []byte) (int, error) { return w.Reader.Read(p[:len(p)/9*9]) }
