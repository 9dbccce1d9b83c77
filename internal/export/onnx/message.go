package onnx

import (
	"encoding/binary"
	"math"
	"strings"
)

// message is a protocol buffer in its wire format: fields, each a key, which is the field's number
// and the encoding of its value, and the value.
type message []byte

// Encodings of values.
const (
	varint  = 0
	chunk   = 2 // a length, and so many bytes
	fixed32 = 5
)

func (m *message) key(field, encoding int) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|uint64(encoding))
}

func (m *message) integer(field int, v int64) {
	m.key(field, varint)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) float(field int, v float32) {
	m.key(field, fixed32)
	*m = binary.LittleEndian.AppendUint32(*m, math.Float32bits(v))
}

func (m *message) bytes(field int, v []byte) {
	m.key(field, chunk)
	*m = append(binary.AppendUvarint(*m, uint64(len(v))), v...)
}

// text writes a string, in which bytes that are not UTF-8 are replaced: readers refuse them.
func (m *message) text(field int, v string) {
	m.bytes(field, []byte(strings.ToValidUTF8(v, "\uFFFD")))
}
