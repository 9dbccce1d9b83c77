package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

var readerSchema = table.Schema{
	Columns: []table.Column{
		{Name: "a", Encoding: table.Numeric},
		{Name: "gone", Encoding: table.OneHot, Levels: []string{"p", "q"}, Unused: true},
		{Name: "c", Encoding: table.Ordinal, Levels: []string{"low", "high"}},
	},
	Target: "y",
}

// readBatches reads a table through a Reader.
func readBatches(in io.Reader, schema table.Schema, opts table.ReaderOptions) (all table.Batch, r *table.Reader, err error) {
	if r, err = table.NewReader(table.Input{Name: "t.csv", Reader: in}, schema, opts); err != nil {
		return all, nil, err
	}
	var b table.Batch
	for {
		if err := r.Next(&b); err == io.EOF {
			return all, r, nil
		} else if err != nil {
			return all, r, err
		}
		err := b.Parse()
		for i, x := range b.X {
			all.X = append(all.X, slices.Clone(x))
			all.Lines, all.Records = append(all.Lines, b.Lines[i]), append(all.Records, b.Records[i])
		}
		all.Missing.Add(b.Missing)
		if err != nil {
			return all, r, err
		}
	}
}

func TestReader(t *testing.T) {
	content := "id;c; a \n\"x;\"\"1\"; high;1\n\n  y ;low; 2\n\"p\nq\"; low;\"3\"\nz;high;4"
	for name, in := range map[string]io.Reader{"at once": strings.NewReader(content),
		"byte by byte": iotest.OneByteReader(strings.NewReader(content))} {
		b, r, err := readBatches(in, readerSchema, table.ReaderOptions{})
		testenv.OK(t, err)
		if got := r.Header(); !reflect.DeepEqual(got, []string{"id", "c", "a"}) || r.Delimiter() != ';' {
			t.Errorf("header %q, delimiter %q", got, r.Delimiter())
		}
		testenv.Equal(t, b.X, [][]float64{{1, 0, 0, 2}, {2, 0, 0, 1}, {3, 0, 0, 1}, {4, 0, 0, 2}}, "%s", name)
		if want := []string{"\"x;\"\"1\";\" high\";1", "\"  y \";low;\" 2\"", "\"p\nq\";\" low\";3",
			"z;high;4"}; !reflect.DeepEqual(b.Records, want) {
			t.Errorf("%s: records %q, want %q", name, b.Records, want)
		}
		testenv.Equal(t, b.Lines, []int{2, 4, 5, 7}, "%s: lines", name)
	}
}

// Records are what encoding/csv would write for their cells.
func TestRecordsAreThoseOfEncodingCSV(t *testing.T) {
	cell := rapid.StringOf(rapid.SampledFrom([]rune("a1 ,;\"\n\t\\.é\u00a0")))
	rapid.Check(t, func(t *rapid.T) {
		record := append(rapid.SliceOfN(cell, 1, 4).Draw(t, "record"), "1", "low")
		var want, text strings.Builder
		w := csv.NewWriter(&want)
		_ = w.Write(record)
		w.Flush()
		header := []string{"a", "c"}
		for i := range len(record) - 2 {
			header = append([]string{"n" + strconv.Itoa(i)}, header...)
		}
		text.WriteString(strings.Join(header, ",") + "\n")
		for i, c := range record { // quoted wherever it may be, or only where it must
			if i > 0 {
				text.WriteByte(',')
			}
			if strings.ContainsAny(c, ",\"\n") || rapid.Bool().Draw(t, "quoted") {
				c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
			}
			text.WriteString(c)
		}
		text.WriteString("\r\n")
		b, _, err := readBatches(strings.NewReader(text.String()), readerSchema, table.ReaderOptions{})
		if err != nil {
			t.Fatalf("%q: %v", text.String(), err)
		}
		if len(b.Records) != 1 || b.Records[0]+"\n" != want.String() {
			t.Fatalf("%q: records %q, want %q", text.String(), b.Records, want.String())
		}
	})
}

func TestReaderMissing(t *testing.T) {
	content := "a,c\n1,low\n,low\n3,NA\n4,high\n"
	for _, test := range []struct {
		policy string
		x      []float64 // a and c of each row
		want   table.Missing
	}{
		{"drop", []float64{1, 1, 4, 2}, table.Missing{Policy: "drop", Cells: 2, Dropped: 2, Imputed: 0, Columns: map[string]int{"a": 1, "c": 1}}},
		{"mean", []float64{1, 1, math.NaN(), 1, 3, math.NaN(), 4, 2},
			table.Missing{Policy: "mean", Cells: 2, Dropped: 0, Imputed: 2, Columns: map[string]int{"a": 1, "c": 1}}},
	} {
		b, _, err := readBatches(strings.NewReader(content), readerSchema, table.ReaderOptions{Missing: test.policy})
		testenv.OK(t, err)
		var got []float64
		for _, x := range b.X {
			got = append(got, x[0], x[3])
		}
		if !same([][]float64{got}, [][]float64{test.x}) || !reflect.DeepEqual(b.Missing, test.want) {
			t.Errorf("%s: %v %+v, want %v %+v", test.policy, got, b.Missing, test.x, test.want)
		}
	}
}

func TestReaderFaults(t *testing.T) {
	for _, test := range []struct {
		Cursor string
		Rows   int // before the faulty one
		want   string
	}{
		{"a,b\n1,low\n", 0, `t.csv:1: a column of the model: the table has no column "c" (its columns: "a", "b")`},
		{"a,c\n1,low\n,low\n", 1, `t.csv:3:1: column "a": the cell is blank: give it a value`},
		{"a,c\n1,mid\n", 0, `t.csv:2:3: column "c": "mid" is not one of its levels ("low", "high")`},
		{"a,c\n1,low\n\n2,\"low\"\n1\n", 2, `t.csv:5:2: the row has 1 cells, the header 2: is the row cut off?`},
	} {
		b, _, err := readBatches(strings.NewReader(test.Cursor), readerSchema, table.ReaderOptions{})
		if err == nil || err.Error() != test.want || !errors.As(err, new(*table.Error)) {
			t.Errorf("error %v, want %s", err, test.want)
		}
		if len(b.X) != test.Rows || len(b.Records) != test.Rows {
			t.Errorf("%q: %d rows before the fault, want %d", test.Cursor, len(b.X), test.Rows)
		}
	}
	if _, err := table.NewReader(table.Input{Name: "t.csv", Reader: strings.NewReader("a,c\n")}, readerSchema,
		table.ReaderOptions{Missing: "zero"}); err == nil {
		t.Error("an unknown policy is no error")
	}
	if _, err := table.NewReader(table.Input{Name: "t.csv", Reader: strings.NewReader("a,c\n")}, table.Schema{},
		table.ReaderOptions{}); err == nil {
		t.Error("an empty schema is no error")
	}
	broken := io.MultiReader(strings.NewReader("a,c\n1,low\n\"2"), iotest.ErrReader(errors.New("the disk is gone")))
	if b, _, err := readBatches(broken, readerSchema, table.ReaderOptions{}); err == nil ||
		err.Error() != "t.csv:3: the table cannot be read: the disk is gone" || len(b.X) != 1 {
		t.Errorf("%d rows, then %v", len(b.X), err)
	}
}

// A table of 16 MiB is read in flat memory, whatever the places where reading cuts it.
func TestReaderStreams(t *testing.T) {
	const rows = 16 << 20 / len("1.25,low\n")
	in := io.MultiReader(strings.NewReader("a,c\n"), io.LimitReader(&again{fill: "1.25,low\n"}, int64(rows*len("1.25,low\n"))))
	r := testenv.Must(table.NewReader(table.Input{Name: "t.csv", Reader: in}, readerSchema, table.ReaderOptions{}))
	runtime.GC()
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	before, peak, n := heap.HeapAlloc, uint64(0), 0
	var b table.Batch
	for {
		if err := r.Next(&b); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		testenv.OK(t, b.Parse())
		for i, line := range b.Lines {
			if n++; line != n+1 || b.X[i][0] != 1.25 {
				t.Fatalf("row %d: line %d, %v", n, line, b.X[i])
			}
		}
		runtime.ReadMemStats(&heap)
		peak = max(peak, heap.HeapAlloc)
	}
	testenv.Equal(t, n, rows, "rows")
	if peak > before+16<<20 { // all rows would take 150 MiB
		t.Errorf("the heap grew from %d to %d bytes", before, peak)
	}
}

// again is fill over and over.
type again struct {
	fill string
	at   int
}

func (a *again) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], a.fill[a.at:])
		n, a.at = n+k, (a.at+k)%len(a.fill)
	}
	return n, nil
}

// counting is a source of blocks of three rows, which count from 0. The earlier a block, the longer its decoding takes.
type counting struct {
	blocks  int
	fault   int // block whose decoding fails, -1: none
	read    int
	running atomic.Int32
	closed  bool
}

func (s *counting) Header() table.Header { return table.Header{Names: []string{"n"}} }

func (s *counting) Next(b *table.Block) error {
	if s.read == s.blocks {
		return errors.New("the end of the file is missing")
	}
	b.Raw = s.read
	s.read++
	return nil
}

func (s *counting) Decode(b *table.Block) error {
	s.running.Add(1)
	defer s.running.Add(-1)
	number := b.Raw.(int)
	time.Sleep(time.Duration(s.blocks-number) * 100 * time.Microsecond)
	b.Rows, b.Lines, b.Columns = 3, b.Lines[:0], []table.Values{{Numbers: []float64{}}}
	for i := range b.Rows {
		b.Lines = append(b.Lines, 3*number+i+1)
		b.Columns[0].Numbers = append(b.Columns[0].Numbers, float64(3*number+i))
	}
	if number == s.fault {
		return fmt.Errorf("block %d is damaged", number)
	}
	return nil
}

func (s *counting) Close() error {
	if s.running.Load() > 0 {
		return errors.New("closed while a block is decoded")
	}
	s.closed = true
	return nil
}

// TestLookahead: rows come in order, up to the first fault, whatever is known of later blocks, on any number of processors; a
// table is closed when no block is being decoded.
func TestLookahead(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(workers)
		for _, c := range []struct {
			fault, Rows int
			want        string
		}{{-1, 60, "the end of the file is missing"}, {0, 3, "block 0 is damaged"}, {18, 57, "block 18 is damaged"}} {
			s := &counting{blocks: 20, fault: c.fault}
			tab := &table.Cursor{Src: s, File: table.NoFile{}, Header: s.Header(), Ahead: table.Lookahead{Src: s, Columns: 1}}
			var err error
			rows := 0
			for err = tab.Next(); err == nil; err = tab.Next() {
				if v := tab.Block.Columns[0].Numbers[tab.At]; v != float64(rows) || tab.Line() != rows+1 {
					t.Fatalf("%d workers: row %d is %v, line %d", workers, rows, v, tab.Line())
				}
				if ahead := s.read - 1 - rows/3; ahead > workers || rows < 3 && ahead > 0 {
					t.Fatalf("%d workers: %d blocks are read ahead of block %d", workers, ahead, rows/3)
				}
				rows++
			}
			if rows != c.Rows || err == io.EOF || err.Error() != c.want {
				t.Errorf("%d workers: %d rows, then %v; want %d, then %s", workers, rows, err, c.Rows, c.want)
			}
			if err := tab.Close(); err != nil || !s.closed {
				t.Errorf("%d workers: %v", workers, err)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}
