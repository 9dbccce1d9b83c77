package parquet

import "encoding/binary"

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
