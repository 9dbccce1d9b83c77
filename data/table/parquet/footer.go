package parquet

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// maxFooter is the largest size of the metadata in bytes.
const maxFooter = 64 << 20

// readFooter reads the metadata at the end of a file.
func readFooter(in io.ReaderAt, size int64) (*format.FileMetaData, error) {
	const ends = len(magic) + 4 + len(magic) // magic at the start, length and magic at the end
	var tail [4 + len(magic)]byte
	if size < int64(ends) {
		return nil, damaged("the file has %d bytes only", size)
	}
	if err := readFull(in, tail[:], size-int64(len(tail))); err != nil {
		return nil, err
	}
	switch string(tail[4:]) {
	case magic:
	case encrypted:
		return nil, fmt.Errorf("the file is encrypted: export it without encryption")
	default:
		return nil, damaged("it does not end with %s: it is not Parquet, or cut off", magic)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > min(maxFooter, size-int64(ends)) {
		return nil, damaged("its footer states a length of %d bytes", length)
	}
	footer := make([]byte, length)
	if err := readFull(in, footer, size-int64(len(tail))-length); err != nil {
		return nil, err
	}
	_, short, err := extent(footer)
	if short {
		err = damaged("its footer is cut off")
	}
	if err != nil {
		return nil, err
	}
	var decoder format.FooterDecoder
	meta, _, err := decoder.Decode(footer)
	if err != nil {
		return nil, damaged("%v", err)
	}
	return meta, nil
}

// readFull reads all of b at an offset of a file whose size is known.
func readFull(in io.ReaderAt, b []byte, offset int64) error {
	n, err := in.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		return damaged("it is cut off at byte %d", offset+int64(n))
	}
	return err
}

// columnsOf returns the columns of a flat table.
func columnsOf(meta *format.FileMetaData, in io.ReaderAt, size int64) ([]*column, error) {
	if len(meta.Schema) == 0 || meta.Schema[0].NumChildren.V != int32(len(meta.Schema)-1) {
		if err := nested(meta.Schema); err != nil {
			return nil, err
		}
		return nil, damaged("its footer has no schema of a table")
	}
	if err := nested(meta.Schema); err != nil {
		return nil, err
	}
	if len(meta.Schema) == 1 {
		return nil, fmt.Errorf("the table has no columns")
	}
	var columns []*column
	shared := new(scratch)
	for i := range meta.Schema[1:] {
		e := &meta.Schema[1+i]
		k, err := kindOf(e)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", escape.Quote(e.Name), err)
		}
		columns = append(columns, &column{
			name: e.Name, kind: k, wide: k.number == nil,
			optional: e.RepetitionType.V == format.Optional,
			pages:    pages{in: in, size: size, shared: shared},
		})
	}
	return columns, nil
}

// nested names the first column that is not one value per row.
func nested(schema []format.SchemaElement) error {
	for i := range schema {
		e := &schema[i]
		if i > 0 && (!e.Type.Valid || e.RepetitionType.V == format.Repeated) {
			return fmt.Errorf("column %s is nested or repeated, and a table has one value per row and column: export the file without it",
				escape.Quote(e.Name))
		}
	}
	return nil
}

// Limits of the metadata.
const (
	maxDepth   = 16      // of structures in one another
	maxStructs = 1 << 20 // in lists, of one structure: each may take 600 bytes of memory
)

// Types of the Thrift compact protocol.
const (
	thriftStop, thriftTrue, thriftFalse, thriftI8, thriftI16, thriftI32, thriftI64 = 0, 1, 2, 3, 4, 5, 6
	thriftDouble, thriftBinary, thriftList, thriftSet, thriftStruct                = 7, 8, 9, 10, 12
)

// walker skips values of the Thrift compact protocol without allocating, to check what they state: a decoder allocates
// lists of the length that they claim.
type walker struct {
	b       []byte
	at      int // offset of the next value; beyond b if they are cut off
	structs int
	wrong   bool
}

// extent returns the length of the structure at the start of b; short if b does not have all of it.
func extent(b []byte) (length int, short bool, err error) {
	w := walker{b: b}
	w.skipStruct(0)
	switch {
	case w.wrong:
		return 0, false, damaged("its metadata are not valid Thrift")
	case w.at > len(b):
		return 0, true, nil
	}
	return w.at, false, nil
}

func (w *walker) more() bool { return !w.wrong && w.at < len(w.b) }

func (w *walker) byte() byte {
	w.at++
	if w.at > len(w.b) {
		return 0
	}
	return w.b[w.at-1]
}

func (w *walker) uvarint() uint64 {
	v, n := binary.Uvarint(w.b[min(w.at, len(w.b)):])
	if n <= 0 {
		w.wrong = w.wrong || n < 0
		w.at = len(w.b) + 1
		return 0
	}
	w.at += n
	return v
}

func (w *walker) skip(n uint64) {
	if n > 1<<40 {
		w.wrong = true
		return
	}
	w.at += int(n)
}

func (w *walker) skipStruct(depth int) {
	if depth > maxDepth {
		w.wrong = true
		return
	}
	for {
		if !w.more() {
			w.at = len(w.b) + 1
			return
		}
		field := w.byte()
		if field == thriftStop {
			return
		}
		if field>>4 == 0 {
			w.uvarint() // the number of the field
		}
		if kind := field & 15; kind != thriftTrue && kind != thriftFalse {
			w.skipValue(kind, depth)
		}
	}
}

// skipValue skips a value; a boolean is one of a list.
func (w *walker) skipValue(kind byte, depth int) {
	switch kind {
	case thriftTrue, thriftFalse, thriftI8:
		w.skip(1)
	case thriftI16, thriftI32, thriftI64:
		w.uvarint()
	case thriftDouble:
		w.skip(8)
	case thriftBinary:
		w.skip(w.uvarint())
	case thriftStruct:
		w.skipStruct(depth + 1)
	case thriftList, thriftSet:
		w.skipList(depth + 1)
	default: // Parquet has no maps
		w.wrong = true
	}
}

func (w *walker) skipList(depth int) {
	head := w.byte()
	size, kind := uint64(head>>4), head&15
	if size == 15 {
		size = w.uvarint()
	}
	if kind == thriftStruct || kind == thriftList || kind == thriftSet {
		w.structs += int(min(size, maxStructs+1))
		w.wrong = w.wrong || w.structs > maxStructs || depth > maxDepth
	}
	for ; size > 0 && w.more(); size-- { // each has a byte at least
		w.skipValue(kind, depth)
	}
	if size > 0 {
		w.at = len(w.b) + 1
	}
}

// Group is a row group of a file.
type Group struct {
	Rows       int64
	Start, End int64 // bytes of the file that have its values
}

// Groups returns the row groups of a file, whose name is that of the faults. Apart is true if each can be read alone: if no cell
// depends on rows before its group, as it does where a column of numbers may turn into text (see the package).
func Groups(name string, in io.ReaderAt, size int64) (groups []Group, apart bool, err error) {
	s := &source{name: name}
	if err := s.openFooter(in, size); err != nil {
		return nil, false, err
	}
	apart = true
	for i := range s.groups {
		g := &s.groups[i]
		one := Group{Rows: g.NumRows, Start: size}
		for k := range g.Columns {
			m := &g.Columns[k].MetaData
			var p pages
			p.size = size
			if err := p.open(m); err != nil {
				return nil, false, s.fault(err)
			}
			one.Start, one.End = min(one.Start, p.at), max(one.End, p.end)
			apart = apart && k < len(s.columns) && staysNumber(s.columns[k].kind, m)
		}
		groups = append(groups, one)
	}
	return groups, apart, nil
}

// staysNumber reports whether no value of a chunk turns its column of a kind into text, by the statistics.
func staysNumber(k kind, m *format.ColumnMetaData) bool {
	if k.number == nil || k.text == nil {
		return true // text in any case, or a number
	}
	if m.Statistics.NullCount == m.NumValues {
		return true
	}
	lowest, highest, width := m.Statistics.MinValue, m.Statistics.MaxValue, k.width
	if width == 0 || len(lowest) != width || len(highest) != width {
		return false
	}
	_, low := k.number(lowest)
	_, high := k.number(highest)
	return low && high
}

// Excerpt is a file with some of its row groups, for [data.Input]: From up to To, without To. Only these groups, the footer and the
// first bytes of the file are read.
type Excerpt struct {
	*io.SectionReader // of the whole file
	From, To          int
}

// openFooter reads the footer of a file.
func (s *source) openFooter(in io.ReaderAt, size int64) (err error) {
	defer s.recovered(&err)
	meta, err := readFooter(in, size)
	if err != nil {
		return s.fault(err)
	}
	if s.columns, err = columnsOf(meta, in, size); err != nil {
		return s.fault(err)
	}
	s.groups = meta.RowGroups
	return nil
}
