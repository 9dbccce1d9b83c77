package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tskgraph/tskgraph/data"
)

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
func (c *column) decode(v *data.Values, n int) error {
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
	if n > data.MaxRow {
		return nil, "", fmt.Errorf("a cell has %d bytes, more than %d MiB: leave it out", n, data.MaxRow>>20)
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
