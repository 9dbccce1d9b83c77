package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func smallFile(t testing.TB, options ...pq.WriterOption) []byte {
	rows, _ := typesRows(300)
	return file(t, rows, options...)
}

// A flipped bit in a page is found by its checksum; a file that is cut off anywhere is an *Error.
func TestDamaged(t *testing.T) {
	content := smallFile(t)
	src := testenv.Must(open("t", bytes.NewReader(content), 0))
	end := src.(*source).groups[0].Columns[26].MetaData
	for at := int64(4); at < end.DataPageOffset+end.TotalCompressedSize; at += int64(testenv.Cases(101, 37)) {
		flipped := bytes.Clone(content)
		flipped[at] ^= 0x10
		_, rows, _, err := cells(flipped)
		if err == nil && len(rows) == 300 {
			continue // a statistic in the header of a page
		}
		testenv.FailsAs[*table.Error](t, err, `t.parquet: column "`, "byte %d", at)
	}
	body := bytes.Clone(content)
	body[end.DataPageOffset+end.TotalCompressedSize-1] ^= 1
	if _, _, _, err := cells(body); err == nil || !strings.Contains(err.Error(), `column "old": the page at byte `) ||
		!strings.Contains(err.Error(), "its checksum is wrong: the file is damaged") {
		t.Error(err)
	}
	for n := 0; n < len(content); n += testenv.Cases(41, 13) {
		if _, _, _, err := cells(content[:n]); !errors.As(err, new(*table.Error)) || !errors.Is(err, errDamaged) {
			t.Fatalf("%d bytes of %d: %v", n, len(content), err)
		}
	}
	if _, _, _, err := cells(append(bytes.Clone(content[:len(content)-4]), "PARE"...)); err == nil ||
		!strings.Contains(err.Error(), "encrypted") {
		t.Error(err)
	}
}

// withFooter is a file with the changed metadata of another.
func withFooter(t testing.TB, content []byte, change func(*format.FileMetaData)) []byte {
	t.Helper()
	meta := testenv.Must(readFooter(bytes.NewReader(content), int64(len(content))))
	change(meta)
	footer := appendThrift(nil, meta)
	length := binary.LittleEndian.Uint32(content[len(content)-8:])
	out := append(bytes.Clone(content[:len(content)-8-int(length)]), footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), magic...)
}

// Sizes, counts and offsets that are absurd are errors, and nothing of such a size is allocated.
func TestAbsurd(t *testing.T) {
	content := smallFile(t, pq.DataPageVersion(1))
	for name, change := range map[string]func(*format.FileMetaData){
		"rows": func(m *format.FileMetaData) { m.RowGroups[0].NumRows = 1 << 60 },
		"rows, values": func(m *format.FileMetaData) {
			m.RowGroups[0].NumRows, m.RowGroups[0].Columns[0].MetaData.NumValues = 1<<60, 1<<60
		},
		"negative rows":   func(m *format.FileMetaData) { m.RowGroups[0].NumRows = -1 },
		"values":          func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.NumValues = 301 },
		"offset":          func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.DataPageOffset = 1 << 60 },
		"negative offset": func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.DataPageOffset = -1 },
		"size":            func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 1 << 60 },
		"codec":           func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Codec = 77 },
		"columns":         func(m *format.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:3] },
		"type":            func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Type = format.Double },
		"schema":          func(m *format.FileMetaData) { m.Schema = m.Schema[:0] },
		"one element":     func(m *format.FileMetaData) { m.Schema = m.Schema[:1] },
		"children":        func(m *format.FileMetaData) { m.Schema[0].NumChildren.V = 1 << 30 },
		"width":           func(m *format.FileMetaData) { m.Schema[21].TypeLength.V = 1 << 30 },
		"no width":        func(m *format.FileMetaData) { m.Schema[21].TypeLength.V = 0 },
		"scale":           func(m *format.FileMetaData) { m.Schema[20].LogicalType.Value = &format.DecimalType{Scale: -1} },
		"a file":          func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].FilePath = "/etc/passwd" },
		"unit":            func(m *format.FileMetaData) { m.Schema[23].LogicalType.Value = &format.TimeType{} },
		"group":           func(m *format.FileMetaData) { m.Schema[2].Type.Valid = false },
	} {
		hostile := withFooter(t, content, change)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, _, err := cells(hostile)
		runtime.ReadMemStats(&after)
		if !errors.As(err, new(*table.Error)) || after.TotalAlloc-before.TotalAlloc > 64<<20 {
			t.Errorf("%s: %v, %d bytes allocated", name, err, after.TotalAlloc-before.TotalAlloc)
		}
	}
}

// A list that claims more elements than there are bytes is refused before it is allocated, in footers and page headers.
func TestAbsurdLists(t *testing.T) {
	many := []byte{0x15, 2, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 7} // field 2, a list of 2^31-1 structures
	deep := bytes.Repeat([]byte{0x1c}, 10_000)
	for _, footer := range [][]byte{many, append(many, make([]byte, 5<<20)...), deep, {0x1b, 1, 0x55},
		{0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, {0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}} {
		content := append(append([]byte(magic), footer...), 0, 0, 0, 0)
		binary.LittleEndian.PutUint32(content[len(content)-4:], uint32(len(footer)))
		content = append(content, magic...)
		if _, _, _, err := cells(content); !errors.Is(err, errDamaged) {
			t.Errorf("%.20x: %v", footer, err)
		}
	}
}

// A page that expands too far, in any compression, is refused.
func TestBombs(t *testing.T) {
	type row struct {
		S string `parquet:"s"`
	}
	for _, codec := range []compress.Codec{&pq.Gzip, &pq.Zstd, &pq.Brotli} {
		content := file(t, slices.Repeat([]row{{strings.Repeat("a", 100)}}, 400_000), pq.Compression(codec), pq.PageBufferSize(64<<20))
		if _, _, _, err := cells(content); !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "expands more than 500 times") {
			t.Errorf("%s: %v", codec, err)
		}
	}
}

// No content panics, and what is read has the shape of a table.
func FuzzRead(f *testing.F) {
	f.Add(smallFile(f))
	f.Add(smallFile(f, pq.Compression(&pq.Snappy), pq.DataPageVersion(1)))
	f.Add(smallFile(f, pq.Compression(&pq.Zstd)))
	f.Fuzz(func(t *testing.T, content []byte) {
		src, err := open("t", bytes.NewReader(content), 0)
		if err != nil {
			if !errors.As(err, new(*table.Error)) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		defer src.Close()
		var b table.Block
		for range 100 {
			if err := src.Next(&b); err != nil {
				if err != io.EOF && !errors.As(err, new(*table.Error)) {
					t.Fatalf("%T: %v", err, err)
				}
				return
			}
			for i, v := range b.Columns {
				if len(v.Numbers)+len(v.Cells) != b.Rows {
					t.Fatalf("column %d of %d rows has %d numbers and %d cells", i, b.Rows, len(v.Numbers), len(v.Cells))
				}
			}
		}
	})
}

func appendThrift(b []byte, v any) []byte {
	text, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		panic(err)
	}
	return append(b, text...)
}

// TestLZ4Blocks decompresses what an encoder writes; what is cut or changed is an error, or other bytes within the page.
func TestLZ4Blocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	plain := bytes.Repeat([]byte("abcabcab"), 300)
	for i := range 2000 {
		plain = append(plain, byte(random.IntN(1+i/20)))
	}
	packed := make([]byte, lz4.CompressBlockBound(len(plain)))
	n := testenv.Must(lz4.CompressBlock(plain, packed, nil))
	packed = packed[:n]
	got := make([]byte, len(plain))
	if n, err := lz4Block(got, packed); err != nil || n != len(plain) || !bytes.Equal(got, plain) {
		t.Errorf("%d of %d bytes, %v", n, len(plain), err)
	}
	if _, err := lz4Block(got[:len(plain)-1], packed); err == nil {
		t.Error("more than the page has room for was accepted")
	}
	for range 5000 {
		wrong := bytes.Clone(packed)[:1+random.IntN(len(packed))]
		wrong[random.IntN(len(wrong))] = byte(random.IntN(256))
		_, _ = lz4Block(got, wrong)
	}
	for _, wrong := range []string{"", "\xf0", "\x00", "\x10a\x00\x00", "\x10a\x02\x00", "\x10a\x01",
		"\x1fa\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if n, err := lz4Block(got, []byte(wrong)); err == nil && n > 0 {
			t.Errorf("%q: %d bytes", wrong, n)
		}
	}
}
