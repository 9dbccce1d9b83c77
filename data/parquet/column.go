package parquet

import (
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tskgraph/tskgraph/data"
)

// column reads a column from the start of the file to its end.
type column struct {
	name     string
	kind     kind
	optional bool
	wide     bool // the cells are texts: of a column of numbers from the first value on that no float64 has
	pages    pages
	out      *data.Values // the rows under way

	left       int         // rows of the page that were not read
	levels     hybrid      // 0 for a null; see hasLevels
	hasLevels  bool        // else no row is null
	encoded    bool        // the values are indexes into the dictionary
	indexes    hybrid      // of the values
	plain      []byte      // the values that were not read, in the encoding PLAIN
	text       string      // likewise, of a column of plain texts
	bit        int         // of plain that was not read, of booleans
	dictionary data.Values // of the chunk

	index [256]uint32
}

// open begins a chunk of so many rows.
func (c *column) open(chunk *format.ColumnChunk, rows int64) error {
	m := &chunk.MetaData
	switch {
	case chunk.CryptoMetadata.Value != nil || len(chunk.EncryptedColumnMetadata) > 0:
		return damaged("it is encrypted")
	case chunk.FilePath != "":
		return damaged("it is in another file")
	case m.Type != c.kind.physical || m.NumValues != rows:
		return damaged("it states %d values of %s, want %d of %s", m.NumValues, m.Type, rows, c.kind.physical)
	case c.left != 0:
		return damaged("a page goes beyond its row group")
	}
	c.clear(&c.dictionary, 0)
	return c.pages.open(m)
}

// clear empties values, and makes room for n.
func (c *column) clear(v *data.Values, n int) {
	if v.Parsed = nil; c.wide {
		v.Numbers, v.Cells = nil, resize(v.Cells, n)[:0]
	} else {
		v.Numbers, v.Cells = resize(v.Numbers, n)[:0], nil
	}
}

// read reads the next n rows.
func (c *column) read(v *data.Values, n int) error {
	c.out = v
	for c.clear(v, n); n > 0; {
		if c.left == 0 {
			if err := c.openPage(); err != nil {
				return err
			}
			continue
		}
		run, level := min(n, c.left), uint32(1)
		if c.hasLevels {
			var err error
			if level, run, err = c.levels.equal(run); err != nil {
				return err
			}
		}
		if err := c.add(run, level == 1); err != nil {
			return err
		}
		n, c.left = n-run, c.left-run
	}
	return nil
}

// add appends n rows, values or nulls.
func (c *column) add(n int, present bool) error {
	switch {
	case !present && c.wide:
		for range n {
			c.out.Cells = append(c.out.Cells, "")
		}
		return nil
	case !present:
		for range n {
			c.out.Numbers = append(c.out.Numbers, math.NaN())
		}
		return nil
	case c.encoded:
		return c.lookUp(n)
	}
	return c.decode(c.out, n)
}

// lookUp appends the next n values of the dictionary.
func (c *column) lookUp(n int) error {
	for n > 0 {
		index := c.index[:min(n, len(c.index))]
		if err := c.indexes.read(index); err != nil {
			return err
		}
		size := uint32(len(c.dictionary.Numbers) + len(c.dictionary.Cells))
		for _, i := range index {
			switch {
			case i >= size:
				return damaged("value %d of its dictionary of %d is asked for", i+1, size)
			case c.wide:
				c.out.Cells = append(c.out.Cells, c.dictionary.Cells[i])
			default:
				c.out.Numbers = append(c.out.Numbers, c.dictionary.Numbers[i])
			}
		}
		n -= len(index)
	}
	return nil
}

// widen makes the cells texts.
func (c *column) widen() {
	c.wide = true
	for _, v := range []*data.Values{c.out, &c.dictionary} {
		for _, x := range v.Numbers {
			v.Cells = append(v.Cells, data.NumberText(x))
		}
		v.Numbers = nil
	}
}

// openPage begins the next page, of values or a dictionary.
func (c *column) openPage() error {
	h, content, levels, err := c.pages.next()
	switch {
	case err == io.EOF:
		return damaged("its pages end before its rows")
	case err != nil:
		return err
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		return c.openDictionary(h.DictionaryPageHeader.V, content)
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		return c.openData(h.DataPageHeader.V, content)
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		return c.openDataV2(h.DataPageHeaderV2.V, content[:levels], content[levels:])
	}
	return nil // a page of an index is skipped
}
