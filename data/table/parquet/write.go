package parquet

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"

	"github.com/klauspost/compress/snappy"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Limits of a row group that is written: its rows are kept in memory.
const (
	groupRows  = 1 << 16
	groupBytes = 16 << 20
)

// sink writes a table as row groups of one page per column, compressed by snappy, with checksums. Numbers are doubles and texts
// strings; a missing cell is a null.
type sink struct {
	out     io.Writer
	at      int64 // bytes written
	meta    format.FileMetaData
	columns []*encoder
	rows    int // of the group under way
	bytes   int // likewise
}

// encoder holds a column of the group under way.
type encoder struct {
	table.Field
	values []byte // in the encoding PLAIN
	levels []byte // finished runs of levels: 1 for a value and 0 for a null
	level  byte   // of the last run,
	run    int    // of this length
	nulls  int64
}

// create begins a file.
func create(w io.Writer, fields []table.Field) (table.RowSink, error) {
	s := &sink{out: w}
	s.meta = format.FileMetaData{Version: 1, CreatedBy: "tskgraph",
		Schema: []format.SchemaElement{{Name: "schema", NumChildren: thrift.New(int32(len(fields)))}}}
	for _, f := range fields {
		e := format.SchemaElement{Name: f.Name, Type: thrift.New(format.Double), RepetitionType: thrift.New(format.Optional)}
		if !f.Number {
			e.Type, e.ConvertedType, e.LogicalType.Value = thrift.New(format.ByteArray), thrift.New(deprecated.UTF8), new(format.StringType)
		}
		s.meta.Schema = append(s.meta.Schema, e)
		s.columns = append(s.columns, &encoder{Field: f})
	}
	return s, s.write([]byte(magic))
}

func (s *sink) write(b []byte) error {
	n, err := s.out.Write(b)
	s.at += int64(n)
	return err
}

// Write adds the rows of a block, and writes a row group when there are enough.
func (s *sink) Write(b *table.Block) error {
	for i, e := range s.columns {
		before := len(e.values)
		for _, v := range b.Columns[i].Numbers {
			if e.mark(v == v); v == v {
				e.values = binary.LittleEndian.AppendUint64(e.values, math.Float64bits(v))
			}
		}
		for _, cell := range b.Columns[i].Cells {
			if e.mark(cell != ""); cell != "" {
				e.values = append(binary.LittleEndian.AppendUint32(e.values, uint32(len(cell))), cell...)
			}
		}
		s.bytes += len(e.values) - before
	}
	if s.rows += b.Rows; s.rows < groupRows && s.bytes < groupBytes {
		return nil
	}
	return s.flush()
}

// mark adds the level of a row.
func (e *encoder) mark(present bool) {
	level := byte(0)
	if present {
		level = 1
	} else {
		e.nulls++
	}
	if level != e.level {
		e.end()
		e.level = level
	}
	e.run++
}

// end ends a run of levels.
func (e *encoder) end() {
	if e.run > 0 {
		e.levels = append(binary.AppendUvarint(e.levels, uint64(e.run)<<1), e.level)
	}
	e.run = 0
}

// flush writes the row group under way.
func (s *sink) flush() error {
	group := format.RowGroup{NumRows: int64(s.rows), FileOffset: s.at, Ordinal: int16(min(len(s.meta.RowGroups), math.MaxInt16))}
	for _, e := range s.columns {
		chunk, err := s.page(e)
		if err != nil {
			return err
		}
		group.Columns = append(group.Columns, chunk)
		group.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		group.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
		*e = encoder{Field: e.Field, values: e.values[:0], levels: e.levels[:0]}
	}
	s.meta.NumRows += int64(s.rows)
	s.meta.RowGroups = append(s.meta.RowGroups, group)
	s.rows, s.bytes = 0, 0
	return nil
}

// page writes a column of the group as one page.
func (s *sink) page(e *encoder) (chunk format.ColumnChunk, err error) {
	e.end()
	content := binary.LittleEndian.AppendUint32(nil, uint32(len(e.levels)))
	content = append(append(content, e.levels...), e.values...)
	packed := snappy.Encode(nil, content)
	header, err := thrift.Marshal(new(thrift.CompactProtocol), &format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: int32(len(content)), CompressedPageSize: int32(len(packed)),
		CRC: int32(crc32.ChecksumIEEE(packed)),
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(s.rows), Encoding: format.Plain, DefinitionLevelEncoding: format.RLE,
			RepetitionLevelEncoding: format.RLE}),
	})
	if err != nil {
		return chunk, err
	}
	kind := format.Double
	if !e.Number {
		kind = format.ByteArray
	}
	chunk = format.ColumnChunk{FileOffset: s.at, MetaData: format.ColumnMetaData{
		Type: kind, Encoding: []format.Encoding{format.Plain, format.RLE}, PathInSchema: []string{e.Name}, Codec: format.Snappy,
		NumValues:             int64(s.rows),
		TotalUncompressedSize: int64(len(header) + len(content)), TotalCompressedSize: int64(len(header) + len(packed)), DataPageOffset: s.at,
		Statistics: format.Statistics{NullCount: e.nulls},
	}}
	if err := s.write(header); err != nil {
		return chunk, err
	}
	return chunk, s.write(packed)
}

// Close writes the last row group and the footer.
func (s *sink) Close() error {
	if s.rows > 0 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &s.meta)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return s.write(append(footer, magic...))
}
