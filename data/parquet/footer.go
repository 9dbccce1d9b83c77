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
			return fmt.Errorf("column %s is nested or repeated, and a table has one value per row and column: export the file without it", escape.Quote(e.Name))
		}
	}
	return nil
}
