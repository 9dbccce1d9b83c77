package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/format"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// column reads a column from the start of the file to its end.
type column struct {
	name     string
	kind     kind
	optional bool
	wide     bool // the cells are texts: of a column of numbers from the first value on that no float64 has
	pages    pages
	out      *table.Values // the rows under way

	left       int          // rows of the page that were not read
	levels     hybrid       // 0 for a null; see hasLevels
	hasLevels  bool         // else no row is null
	encoded    bool         // the values are indexes into the dictionary
	indexes    hybrid       // of the values
	plain      []byte       // the values that were not read, in the encoding PLAIN
	text       string       // likewise, of a column of plain texts
	bit        int          // of plain that was not read, of booleans
	dictionary table.Values // of the chunk

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
func (c *column) clear(v *table.Values, n int) {
	if v.Parsed = nil; c.wide {
		v.Numbers, v.Cells = nil, resize(v.Cells, n)[:0]
	} else {
		v.Numbers, v.Cells = resize(v.Numbers, n)[:0], nil
	}
}

// read reads the next n rows.
func (c *column) read(v *table.Values, n int) error {
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
	for _, v := range []*table.Values{c.out, &c.dictionary} {
		for _, x := range v.Numbers {
			v.Cells = append(v.Cells, table.NumberText(x))
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

// plainDictionary is the encoding of dictionaries, and of indices into them, that version 1 of the format has.
const plainDictionary format.Encoding = 2

// openDictionary reads the dictionary of a chunk.
func (c *column) openDictionary(h format.DictionaryPageHeader, content []byte) error {
	if h.Encoding != format.Plain && h.Encoding != plainDictionary || c.kind.physical == format.Boolean {
		return fmt.Errorf("its dictionary is encoded by %s, which is not supported", h.Encoding)
	}
	least := c.kind.width
	if least == 0 {
		least = 4 // the length of a text
	}
	count := int(h.NumValues)
	if count < 0 || count > len(content)/least {
		return damaged("its dictionary states %d values in %d bytes", count, len(content))
	}
	c.setPlain(content)
	c.clear(&c.dictionary, count)
	return c.decode(&c.dictionary, count)
}

// openData begins a data page of the first version.
func (c *column) openData(h format.DataPageHeader, content []byte) error {
	if c.hasLevels = c.optional; c.optional {
		if h.DefinitionLevelEncoding != format.RLE {
			return fmt.Errorf("its levels are encoded by %s, which is not supported: export the file again", h.DefinitionLevelEncoding)
		}
		if len(content) < 4 || uint64(binary.LittleEndian.Uint32(content)) > uint64(len(content)-4) {
			return damaged("the levels of a page are cut off")
		}
		end := 4 + int(binary.LittleEndian.Uint32(content))
		c.levels = hybrid{b: content[4:end], width: 1}
		content = content[end:]
	}
	return c.openValues(h.NumValues, h.Encoding, content)
}

// openDataV2 begins a data page of the second version.
func (c *column) openDataV2(h format.DataPageHeaderV2, levels, content []byte) error {
	c.hasLevels = c.optional && len(levels) > 0
	c.levels = hybrid{b: levels, width: 1}
	if !c.hasLevels && h.NumNulls != 0 {
		return damaged("a page states %d nulls and does not say which", h.NumNulls)
	}
	return c.openValues(h.NumValues, h.Encoding, content)
}

// openValues begins the values of a page, of so many rows.
func (c *column) openValues(rows int32, encoding format.Encoding, content []byte) (err error) {
	if rows < 0 {
		return damaged("a page states %d rows", rows)
	}
	c.left, c.encoded = int(rows), false
	physical := c.kind.physical
	switch encoding {
	case format.Plain:
	case plainDictionary, format.RLEDictionary:
		c.encoded = true
		if len(content) > 0 { // else all are null
			if content[0] > 32 {
				return damaged("its indexes have %d bits", content[0])
			}
			c.indexes = hybrid{b: content[1:], width: int(content[0])}
		} else {
			c.indexes = hybrid{}
		}
		return nil
	case format.RLE:
		if physical == format.Boolean {
			return c.openRuns(content)
		}
		return unsupported(encoding)
	case format.DeltaBinaryPacked:
		if physical != format.Int32 && physical != format.Int64 {
			return unsupported(encoding)
		}
		content, err = plainNumbers(content, c.kind.width)
	case format.DeltaLengthByteArray, format.DeltaByteArray:
		if physical != format.ByteArray && physical != format.FixedLenByteArray {
			return unsupported(encoding)
		}
		content, err = plainTexts(content, c.kind.width, encoding == format.DeltaByteArray)
	case format.ByteStreamSplit:
		if c.kind.width == 0 {
			return unsupported(encoding)
		}
		content = unsplit(content, c.kind.width)
	default:
		return unsupported(encoding)
	}
	c.setPlain(content)
	return err
}

func unsupported(encoding format.Encoding) error {
	return fmt.Errorf("its encoding %s is not supported: export the file with the encoding PLAIN", encoding)
}

// openRuns begins booleans in runs, as indexes into a dictionary of both.
func (c *column) openRuns(content []byte) error {
	if len(content) < 4 {
		return damaged("the values of a page are cut off")
	}
	c.encoded, c.indexes = true, hybrid{b: content[4:], width: 1}
	c.dictionary.Cells = append(c.dictionary.Cells[:0], booleans[:]...)
	return nil
}

// setPlain sets the values that decode reads.
func (c *column) setPlain(content []byte) {
	c.plain, c.bit = content, 0
	if c.kind.isText() {
		c.text = string(content) // which the cells share
	}
}

// decode appends the next n plain values to v, the rows under way or the dictionary.
func (c *column) decode(v *table.Values, n int) error {
	if c.kind.physical == format.Double && !c.wide && n <= len(c.plain)/8 { // the common case
		from := len(v.Numbers)
		v.Numbers = slices.Grow(v.Numbers, n)[:from+n]
		for i := range v.Numbers[from:] {
			v.Numbers[from+i] = math.Float64frombits(binary.LittleEndian.Uint64(c.plain[8*i:]))
		}
		c.plain = c.plain[8*n:]
		return nil
	}
	for ; n > 0; n-- {
		value, text, err := c.value()
		if err != nil {
			return err
		}
		if !c.wide {
			x, exact := c.kind.number(value)
			if exact {
				v.Numbers = append(v.Numbers, x)
				continue
			}
			c.widen()
		}
		if c.kind.text != nil {
			text = c.kind.text(value)
		}
		v.Cells = append(v.Cells, text)
	}
	return nil
}

// value cuts off the next value; of a column of plain texts it returns its text too.
func (c *column) value() (value []byte, text string, err error) {
	if c.kind.physical == format.Boolean {
		if c.bit/8 >= len(c.plain) {
			return nil, "", errShort
		}
		text = booleans[c.plain[c.bit/8]>>(c.bit%8)&1]
		c.bit++
		return nil, text, nil
	}
	at, n := 0, c.kind.width
	if n == 0 {
		if at = 4; len(c.plain) < at {
			return nil, "", errShort
		}
		n = int(binary.LittleEndian.Uint32(c.plain))
	}
	if n > len(c.plain)-at {
		return nil, "", errShort
	}
	if n > table.MaxRow {
		return nil, "", fmt.Errorf("a cell has %d bytes, more than %d MiB: leave it out", n, table.MaxRow>>20)
	}
	value, c.plain = c.plain[at:at+n], c.plain[at+n:]
	if c.kind.isText() {
		text, c.text = c.text[at:at+n], c.text[at+n:]
	}
	return value, text, nil
}

var errShort = damaged("the values of a page are cut off")

// booleans are the cells of booleans.
var booleans = [2]string{"false", "true"}
