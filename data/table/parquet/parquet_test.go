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
	"testing/iotest"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// file is a Parquet file with these rows, as parquet-go writes it.
func file[T any](t testing.TB, rows []T, options ...pq.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	testenv.OK(t, w.Close())
	return b.Bytes()
}

// cells reads all cells of a file as texts, row by row, and says which columns are numbers.
func cells(content []byte) (names []string, rows [][]string, numbers []bool, err error) {
	src, err := open("t.parquet", bytes.NewReader(content), 0)
	if err != nil {
		return nil, nil, nil, err
	}
	defer src.Close()
	names = src.Header().Names
	var b table.Block
	for {
		err := src.Next(&b)
		if err == io.EOF {
			return names, rows, numbers, nil
		}
		if err != nil {
			return names, rows, numbers, err
		}
		numbers = numbers[:0]
		for i := range b.Rows {
			row := make([]string, len(names))
			for j, v := range b.Columns {
				if i == 0 {
					numbers = append(numbers, v.Numbers != nil)
				}
				if v.Numbers != nil {
					row[j] = table.NumberText(v.Numbers[i])
				} else {
					row[j] = v.Cells[i]
				}
			}
			if rows = append(rows, row); b.Lines[i] != len(rows) {
				return nil, nil, nil, fmt.Errorf("row %d is at line %d", len(rows), b.Lines[i])
			}
		}
	}
}

type typesRow struct {
	I8      int8             `parquet:"i8"`
	I16     int16            `parquet:"i16,optional"`
	I32     int32            `parquet:"i32,delta"`
	I64     int64            `parquet:"i64,delta"`
	U8      uint8            `parquet:"u8"`
	U32     uint32           `parquet:"u32"`
	U64     uint64           `parquet:"u64"`
	F32     float32          `parquet:"f32,split"`
	F64     float64          `parquet:"f64"`
	Split   float64          `parquet:"split,split"`
	Maybe   *float64         `parquet:"maybe"`
	Yes     bool             `parquet:"yes"`
	Perhaps *bool            `parquet:"perhaps"`
	Word    string           `parquet:"word"`
	Kind    string           `parquet:"kind,dict,optional"`
	Enum    string           `parquet:"enum,enum"`
	Long    string           `parquet:"long,delta"`
	Dict    float64          `parquet:"dict,dict"`
	Cents   int32            `parquet:"cents,decimal(2:9)"`
	Money   int64            `parquet:"money,decimal(4:18)"`
	Fixed   [5]byte          `parquet:"fixed,decimal(3:10)"`
	Day     int32            `parquet:"day,date"`
	Clock   int64            `parquet:"clock,time(microsecond)"`
	Stamp   time.Time        `parquet:"stamp,timestamp(millisecond)"`
	Local   int64            `parquet:"local,timestamp(nanosecond:local)"`
	UUID    [16]byte         `parquet:"uuid,uuid"`
	Old     deprecated.Int96 `parquet:"old"`
}

var moment = time.Date(2021, 3, 4, 5, 6, 7, 250e6, time.UTC)

func typesRows(n int) (rows []typesRow, want [][]string) {
	for i := range n {
		half, yes := float64(i)/2, i%3 == 0
		r := typesRow{
			I8: int8(-i % 100), I16: int16(i % 7), I32: int32(i * -1000), I64: int64(i) << 30, U8: 200, U32: 4e9, U64: uint64(i),
			F32: float32(i) / 4, F64: float64(i) / 8, Split: -half, Yes: yes, Word: fmt.Sprint("word ", i), Kind: []string{"", "red", "green"}[i%3],
			Enum: "on", Long: strings.Repeat("a", i%50) + fmt.Sprint(i), Dict: float64(i % 10), Cents: int32(-i), Money: int64(i) * 12345,
			Fixed: [5]byte{0xff, 0xff, 0xff, 0xff, 0xfe},
			Day:   18000, Clock: 3_723_000_001, Stamp: moment, Local: moment.UnixNano() - 250e6, UUID: [16]byte{15: 1},
			Old: deprecated.Int96{0, 0, 2440589},
		}
		row := []string{fmt.Sprint(r.I8), fmt.Sprint(r.I16), fmt.Sprint(r.I32), fmt.Sprint(r.I64), "200", "4000000000", fmt.Sprint(i),
			table.NumberText(float64(r.F32)), table.NumberText(r.F64), table.NumberText(r.Split), "", fmt.Sprint(yes), "", r.Word, r.Kind, "on",
			r.Long, fmt.Sprint(i % 10),
			table.NumberText(float64(-i) / 100), table.NumberText(float64(i*12345) / 1e4), "-0.002", "2019-04-14", "01:02:03.000001",
			"2021-03-04T05:06:07.25Z",
			"2021-03-04T05:06:07", "00000000-0000-0000-0000-000000000001", "1970-01-02T00:00:00"}
		if r.I16 == 0 {
			row[1] = "" // optional: parquet-go writes zero as null
		}
		if i%5 > 1 {
			r.Maybe, r.Perhaps = &half, &yes
			row[10], row[12] = table.NumberText(half), fmt.Sprint(yes)
		}
		rows, want = append(rows, r), append(want, row)
	}
	return rows, want
}

// Every type is read, in every encoding, compression and version of pages, over several pages and row groups.
func TestTypes(t *testing.T) {
	n := testenv.Cases(3_000, 10_000)
	rows, want := typesRows(n)
	names := []string{"i8", "i16", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "split", "maybe", "yes", "perhaps", "word", "kind",
		"enum", "long", "dict", "cents", "money", "fixed", "day", "clock", "stamp", "local", "uuid", "old"}
	for _, codec := range []compress.Codec{&pq.Uncompressed, &pq.Snappy, &pq.Gzip, &pq.Zstd, &pq.Brotli, &pq.Lz4Raw} {
		for version := 1; version <= 2; version++ {
			content := file(t, rows, pq.Compression(codec), pq.DataPageVersion(version), pq.PageBufferSize(20_000),
				pq.MaxRowsPerRowGroup(int64(n/2-500)))
			got, found, numbers, err := cells(content)
			if err != nil || !reflect.DeepEqual(got, names) {
				t.Fatalf("%s, version %d: %v, columns %q", codec, version, err, got)
			}
			if len(found) != len(want) {
				t.Fatalf("%s, version %d: %d rows", codec, version, len(found))
			}
			for i := range found {
				if !slices.Equal(found[i], want[i]) {
					t.Fatalf("%s, version %d, row %d:\n%q, want\n%q", codec, version, i+1, found[i], want[i])
				}
			}
			for j, number := range numbers {
				testenv.Equal(t, number, j < 11 || 17 <= j && j <= 20, "%s: column %s is of numbers", codec, names[j])
			}
		}
	}
}

// A table without rows, of one row group without rows, and of nulls only.
func TestEmpty(t *testing.T) {
	type row struct {
		X *float64 `parquet:"x"`
		S *string  `parquet:"s,dict"`
	}
	if names, rows, _, err := cells(file(t, []row{})); err != nil || len(rows) != 0 || len(names) != 2 {
		t.Errorf("%q, %v, %v", names, rows, err)
	}
	if _, rows, _, err := cells(file(t, make([]row, 5000))); err != nil || len(rows) != 5000 || rows[4999][0] != "" || rows[4999][1] != "" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// Whole numbers and decimals that no float64 has are texts from their block on, and no digit is lost.
func TestWide(t *testing.T) {
	type row struct {
		ID     int64   `parquet:"id"`
		Dict   int64   `parquet:"d,dict"`
		Max    uint64  `parquet:"max,optional"`
		Amount int64   `parquet:"amount,decimal(2:18)"`
		Big    [9]byte `parquet:"big,decimal(20:21)"`
		X      float64 `parquet:"x"`
	}
	rows := make([]row, 3*blockRows)
	for i := range rows {
		rows[i] = row{ID: int64(i), Dict: int64(i % 3), Max: 7, Amount: 150, X: 1, Big: [9]byte{0x80}}
	}
	at := blockRows + 5
	rows[at] = row{ID: 1<<53 + 1, Dict: -1<<63 + 1, Max: 1<<64 - 1, Amount: 1<<53 + 2, X: 1}
	_, found, numbers, err := cells(file(t, rows, pq.PageBufferSize(1000)))
	testenv.OK(t, err)
	for i, want := range map[int][]string{
		0:      {"0", "0", "7", "1.5", "-23.61183241434822606848", "1"},
		at - 1: {fmt.Sprint(at - 1), fmt.Sprint((at - 1) % 3), "7", "1.5", "-23.61183241434822606848", "1"},
		at:     {"9007199254740993", "-9223372036854775807", "18446744073709551615", "90071992547409.94", "0", "1"},
		at + 1: {fmt.Sprint(at + 1), fmt.Sprint((at + 1) % 3), "7", "1.5", "-23.61183241434822606848", "1"},
	} {
		testenv.Equal(t, found[i], want, "row %d", i+1)
	}
	testenv.Equal(t, numbers, []bool{false, false, false, false, false, true}, "numbers")
}

// Nested and repeated columns, those of types that a table does not have, and those of long cells are refused by name.
func TestRefused(t *testing.T) {
	type inner struct{ A, B float64 }
	for want, content := range map[string][]byte{
		`column "list" is nested or repeated`: file(t, []struct {
			X    float64   `parquet:"x"`
			List []float64 `parquet:"list"`
		}{{}}),
		`column "point" is nested or repeated`: file(t, []struct {
			X     float64 `parquet:"x"`
			Point inner   `parquet:"point"`
		}{{}}),
		`column "names" is nested or repeated`: file(t, []struct {
			Names []string `parquet:"names,list"`
		}{{}}),
		`column "long": a cell has 16777217 bytes, more than 16 MiB`: file(t, []struct {
			Long string `parquet:"long"`
		}{{strings.Repeat("x", table.MaxRow+1)}}, pq.DataPageStatistics(false)),
	} {
		_, _, _, err := cells(content)
		if err == nil || !strings.HasPrefix(err.Error(), "t.parquet: "+want) || !errors.As(err, new(*table.Error)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A pipe is read as a file is; a table is found by its content, also without an extension.
func TestRegistered(t *testing.T) {
	type row struct{ X, Y float64 }
	content := file(t, []row{{1, 2}, {3, 4}, {5, 6}})
	path := filepath.Join(t.TempDir(), "table")
	testenv.OK(t, os.WriteFile(path, content, 0o666))
	d, err := data.Read(path, table.Options{Target: "Y"})
	if err != nil || !reflect.DeepEqual(d.X, [][]float64{{1}, {3}, {5}}) || !slices.Equal(d.Y, []float64{2, 4, 6}) {
		t.Errorf("%+v, %v", d, err)
	}
	for _, in := range []io.Reader{bytes.NewReader(content), iotest.HalfReader(bytes.NewBuffer(content))} {
		r := testenv.Must(table.NewReader(table.Input{Name: "pipe", Reader: in}, d.Schema, table.ReaderOptions{}))
		var b table.Batch
		if err := errors.Join(r.Next(&b), b.Parse()); err != nil || len(b.X) != 3 || b.Records[2] != "5,6" {
			t.Errorf("%q, %v", b.Records, err)
		}
		if err := r.Next(&b); err != io.EOF {
			t.Error(err)
		}
		r.Close()
	}
}

// float16 is exact, subnormal numbers, infinities and NaN included.
func TestFloat16(t *testing.T) {
	k := kind{physical: 7, width: 2}
	testenv.OK(t, k.float16())
	for bits, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x0001: 0x1p-24, 0x03ff: 1023 * 0x1p-24, 0x7bff: 65504,
		0xfc00: math.Inf(-1), 0x3555: 0.333251953125, 0x7e00: math.NaN()} {
		if v, _ := k.number([]byte{byte(bits), byte(bits >> 8)}); v != want && !(v != v && want != want) {
			t.Errorf("%#x is %v, want %v", bits, v, want)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	type row struct{ A, B, C, D, E, F, G, H float64 }
	rows := make([]row, 200_000)
	for i := range rows {
		x := math.Sqrt(float64(i))
		rows[i] = row{x, -x, x / 3, x * 5, x - 1, x + 1, 1 / (1 + x), x * x * x}
	}
	for name, codec := range map[string]compress.Codec{"plain": &pq.Uncompressed, "snappy": &pq.Snappy, "zstd": &pq.Zstd} {
		content := file(b, rows, pq.Compression(codec), pq.PageBufferSize(1<<20))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(rows) * 64))
			b.ReportAllocs()
			for b.Loop() {
				src := testenv.Must(open("t", bytes.NewReader(content), 0))
				var block table.Block
				err := src.Next(&block)
				for err == nil {
					err = src.Next(&block)
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRead reads a table of ten columns of numbers into memory, as CSV and as Parquet: bytes are those of the CSV.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("a,b,c,d,e,f,g,h,i,y\n")
	for i := range 100_000 {
		x := math.Sqrt(float64(i + 1))
		fmt.Fprintf(&text, "%v,%v,%v,%v,%v,%v,%v,%v,%v,%v\n", x, -x, x/3, x*5, x-1, x+1, 1/x, x*x*x, i, x/7)
	}
	dir := b.TempDir()
	csv, packed := filepath.Join(dir, "t.csv"), filepath.Join(dir, "t.parquet")
	var out bytes.Buffer
	in := table.Input{Name: csv, Reader: strings.NewReader(text.String())}
	if err := table.Convert(&out, table.Writable(packed), in, table.Conversion{Numbers: strings.Split("a,b,c,d,e,f,g,h,i,y",
		",")}); err != nil {
		b.Fatal(err)
	}
	for path, content := range map[string][]byte{csv: []byte(text.String()), packed: out.Bytes()} {
		testenv.OK(b, os.WriteFile(path, content, 0o666))
		b.Run(filepath.Ext(path)[1:], func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := data.Read(path, table.Options{Target: "y"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			in.Reader = strings.NewReader(text.String())
			if err := table.Convert(io.Discard, table.Writable(packed), in,
				table.Conversion{Numbers: strings.Split("a,b,c,d,e,f,g,h,i,y", ",")}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
