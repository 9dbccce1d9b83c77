package buckets

import (
	"encoding/binary"
	"math"
	"slices"
)

// A chunk is the number of its rows, uint32, and then each column in the shortest of these
// encodings that returns every bit. Numbers are little-endian.
const (
	constant  byte = iota // one float64 for all rows
	decimals1             // a power p, one byte, and int8 n: the values n/10^p
	decimals2             // the same with int16
	decimals4             // the same with int32
	singles               // float32
	doubles               // float64
)

// missing is the NaN that decimals and float32 represent. Others are kept as float64.
var missing = math.Float64bits(math.NaN())

// mostEncoded returns the largest number of bytes of a chunk.
func mostEncoded(rows, columns int) int { return 4 + columns*(2+8*rows) }

// encoder encodes chunks. It has one value per row.
type encoder struct {
	column []float64
	ints   []int32
}

func newEncoder(rows int) encoder { return encoder{make([]float64, rows), make([]int32, rows)} }

// held returns the bytes that the encoder holds.
func (e *encoder) held() int { return 8*cap(e.column) + 4*cap(e.ints) }

// encode appends the chunk of some rows.
func (e *encoder) encode(to []byte, columns int, rows []float64) []byte {
	column := e.column[:len(rows)/columns]
	to = binary.LittleEndian.AppendUint32(to, uint32(len(column)))
	for k := range columns {
		for i, at := 0, k; i < len(column); i, at = i+1, at+columns {
			column[i] = rows[at]
		}
		to = e.appendColumn(to, column)
	}
	return to
}

func (e *encoder) appendColumn(to []byte, column []float64) []byte {
	if isConstant(column) {
		return binary.LittleEndian.AppendUint64(append(to, constant), math.Float64bits(column[0]))
	}
	ints := e.ints[:len(column)]
	if power, bound, ok := asDecimals(ints, column); ok {
		return appendDecimals(to, ints, power, bound)
	}
	start := len(to)
	if to, ok := appendSingles(append(to, singles), column); ok {
		return to
	}
	return appendDoubles(append(to[:start], doubles), column)
}

func isConstant(column []float64) bool {
	first := math.Float64bits(column[0])
	for _, v := range column {
		if math.Float64bits(v) != first {
			return false
		}
	}
	return true
}

// appendSingles reports whether float32 represents every value.
func appendSingles(to []byte, column []float64) ([]byte, bool) {
	start := len(to)
	to = slices.Grow(to, 4*len(column))[:start+4*len(column)]
	for i, v := range column {
		w := float32(v)
		if bits := math.Float64bits(v); math.Float64bits(float64(w)) != bits && bits != missing {
			return to, false
		}
		binary.LittleEndian.PutUint32(to[start+4*i:], math.Float32bits(w))
	}
	return to, true
}

func appendDoubles(to []byte, column []float64) []byte {
	start := len(to)
	to = slices.Grow(to, 8*len(column))[:start+8*len(column)]
	for i, v := range column {
		binary.LittleEndian.PutUint64(to[start+8*i:], math.Float64bits(v))
	}
	return to
}

// decode appends the rows of a chunk.
func (b *buffer) decode(to []float64, columns int, chunk []byte) []float64 {
	n := int(binary.LittleEndian.Uint32(chunk))
	chunk = chunk[4:]
	start := len(to)
	to = slices.Grow(to, n*columns)[:start+n*columns]
	for k := range columns {
		kind := chunk[0]
		column := chunk[1:]
		out := to[start+k:]
		switch kind {
		case constant:
			v := math.Float64frombits(binary.LittleEndian.Uint64(column))
			for i := range n {
				out[i*columns] = v
			}
			chunk = column[8:]
		case singles:
			for i := range n {
				v := float64(math.Float32frombits(binary.LittleEndian.Uint32(column[4*i:])))
				if v != v {
					v = math.NaN()
				}
				out[i*columns] = v
			}
			chunk = column[4*n:]
		case doubles:
			for i := range n {
				out[i*columns] = math.Float64frombits(binary.LittleEndian.Uint64(column[8*i:]))
			}
			chunk = column[8*n:]
		default:
			chunk = b.decimals(out, columns, n, kind, column)
		}
	}
	return to
}
