package parquet

import (
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

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

// FooterSize returns the bytes at the end of a file that have its footer, by the last 8 of them.
func FooterSize(tail [8]byte) int64 {
	return int64(binary.LittleEndian.Uint32(tail[:])) + int64(len(tail))
}
