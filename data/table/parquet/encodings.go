package parquet

import "encoding/binary"

// undelta decodes numbers of the encoding DELTA_BINARY_PACKED and returns what follows them.
func undelta(b []byte) (values []int64, rest []byte, err error) {
	cut := damaged("its deltas are cut off or wrong")
	var head [3]uint64 // size of a block, miniblocks in it, total
	for i := range head {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, nil, cut
		}
		head[i], b = v, b[n:]
	}
	value, n := binary.Varint(b)
	size, minis := head[0], head[1]
	if n <= 0 || head[2] > 1<<31 || minis == 0 || minis > 1<<16 || size > 1<<30 || size%minis != 0 || size/minis%8 != 0 || size == 0 {
		return nil, nil, cut
	}
	b, each, count := b[n:], int(size/minis), int(head[2])
	if count > 0 {
		values = append(values, value)
	}
	for len(values) < count {
		least, n := binary.Varint(b)
		if n <= 0 || len(b)-n < int(minis) {
			return nil, nil, cut
		}
		widths := b[n : n+int(minis)]
		b = b[n+int(minis):]
		for _, width := range widths {
			if len(values) == count {
				break // the widths of miniblocks without numbers may be anything
			}
			n := min(each*int(width)/8, len(b))
			packed := b[:n]
			b = b[n:]
			k := min(each, count-len(values))
			if width > 64 || len(packed) < (k*int(width)+7)/8 {
				return nil, nil, cut
			}
			for i := range k {
				value += least + int64(bitsAt(packed, i*int(width), int(width)))
				values = append(values, value)
			}
		}
	}
	return values, b, nil
}

// bitsAt returns a number of the given width, at most 64, at an offset in bits.
func bitsAt(b []byte, at, width int) uint64 {
	if width == 0 {
		return 0
	}
	var v uint64
	for i, have := at/8, -(at % 8); have < width; i, have = i+1, have+8 {
		if have < 0 {
			v = uint64(b[i]) >> -have
		} else {
			v |= uint64(b[i]) << have
		}
	}
	return v << (64 - width) >> (64 - width)
}

// plainNumbers decodes numbers of 4 or 8 bytes of the encoding DELTA_BINARY_PACKED into PLAIN.
func plainNumbers(b []byte, width int) (plain []byte, err error) {
	values, _, err := undelta(b)
	for _, v := range values {
		if width == 4 {
			plain = binary.LittleEndian.AppendUint32(plain, uint32(v))
		} else {
			plain = binary.LittleEndian.AppendUint64(plain, uint64(v))
		}
	}
	return plain, err
}

// plainTexts decodes texts of the encoding DELTA_LENGTH_BYTE_ARRAY, or DELTA_BYTE_ARRAY if each shares a prefix with the one before, into
// PLAIN: of a fixed width, or each after its length.
func plainTexts(b []byte, width int, prefixed bool) (plain []byte, err error) {
	var prefixes, lengths []int64
	if prefixed {
		if prefixes, b, err = undelta(b); err != nil {
			return nil, err
		}
	}
	if lengths, b, err = undelta(b); err != nil {
		return nil, err
	}
	if prefixed && len(prefixes) != len(lengths) {
		return nil, damaged("it has %d prefixes of %d texts", len(prefixes), len(lengths))
	}
	last := 0 // length of the text before
	for i, n := range lengths {
		shared := 0
		if prefixed {
			shared = int(prefixes[i])
		}
		if n < 0 || n > int64(len(b)) || shared < 0 || shared > last || len(plain) > maxPage {
			return nil, damaged("the length of text %d is wrong", i+1)
		}
		before := plain[len(plain)-last:]
		last = shared + int(n)
		switch width {
		case 0:
			plain = binary.LittleEndian.AppendUint32(plain, uint32(last))
		case last:
		default:
			return nil, damaged("text %d has %d bytes, want %d", i+1, last, width)
		}
		plain = append(append(plain, before[:shared]...), b[:n]...)
		b = b[n:]
	}
	return plain, nil
}

// unsplit decodes numbers of a width from the encoding BYTE_STREAM_SPLIT into PLAIN: all first bytes, then all second ones, and so on.
func unsplit(b []byte, width int) []byte {
	n := len(b) / width
	plain := make([]byte, n*width)
	for k := range width {
		for i, v := range b[k*n : (k+1)*n] {
			plain[i*width+k] = v
		}
	}
	return plain
}

// hybrid reads the RLE and bit-packed hybrid encoding of unsigned numbers of at most 32 bits, as many at a time as are
// wanted: https://parquet.apache.org/docs/file-format/data-pages/encodings.
type hybrid struct {
	b     []byte
	width int // bits of a number

	repeated int    // numbers left in a run of equal ones,
	value    uint32 // their value
	packed   int    // numbers left in a bit-packed run
	run      []byte // its bytes
	bits     uint64 // the next bits of it,
	held     int    // so many
}

// begin begins a run.
func (h *hybrid) begin() error {
	for h.repeated+h.packed == 0 {
		head, n := binary.Uvarint(h.b)
		if n <= 0 || head>>1 > 1<<31 {
			return damaged("its runs end too early")
		}
		h.b = h.b[n:]
		if head&1 == 1 {
			n := min(int(head>>1)*h.width, len(h.b)) // some writers cut the last run off
			h.packed, h.bits, h.held = 8*int(head>>1), 0, 0
			h.run, h.b = h.b[:n], h.b[n:]
			continue
		}
		bytes := (h.width + 7) / 8
		if len(h.b) < bytes {
			return damaged("its runs end too early")
		}
		h.repeated, h.value = int(head>>1), 0
		for i := range bytes {
			h.value |= uint32(h.b[i]) << (8 * i)
		}
		h.b = h.b[bytes:]
	}
	return nil
}

// read reads len(dst) numbers.
func (h *hybrid) read(dst []uint32) error {
	for len(dst) > 0 {
		if err := h.begin(); err != nil {
			return err
		}
		if h.repeated > 0 {
			n := min(h.repeated, len(dst))
			for i := range n {
				dst[i] = h.value
			}
			h.repeated, dst = h.repeated-n, dst[n:]
			continue
		}
		n := min(h.packed, len(dst))
		for i := range n {
			if !h.fill() {
				return damaged("its runs end too early")
			}
			dst[i] = h.take()
		}
		h.packed, dst = h.packed-n, dst[n:]
	}
	return nil
}

// equal reads at most n equal numbers, at least one.
func (h *hybrid) equal(n int) (value uint32, count int, err error) {
	if err := h.begin(); err != nil {
		return 0, 0, err
	}
	if h.repeated > 0 {
		n = min(n, h.repeated)
		h.repeated -= n
		return h.value, n, nil
	}
	mask := uint64(1)<<h.width - 1
	for n = min(n, h.packed); count < n; count++ {
		if !h.fill() {
			return 0, 0, damaged("its runs end too early")
		}
		if count > 0 && uint32(h.bits&mask) != value {
			break
		}
		value = h.take()
	}
	h.packed -= count
	return value, count, nil
}

// fill holds the bits of a number at least; false if there are none.
func (h *hybrid) fill() bool {
	for h.held < h.width {
		switch {
		case h.held <= 32 && len(h.run) >= 4:
			h.bits |= uint64(binary.LittleEndian.Uint32(h.run)) << h.held
			h.held, h.run = h.held+32, h.run[4:]
		case len(h.run) > 0:
			h.bits |= uint64(h.run[0]) << h.held
			h.held, h.run = h.held+8, h.run[1:]
		default:
			return false
		}
	}
	return true
}

func (h *hybrid) take() uint32 {
	v := uint32(h.bits & (1<<h.width - 1))
	h.bits >>= h.width
	h.held -= h.width
	return v
}
