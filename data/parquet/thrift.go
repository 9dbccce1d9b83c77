package parquet

import "encoding/binary"

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
