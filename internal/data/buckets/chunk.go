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

// powers are the powers of ten of decimals. All are exact, and so n/10^p is the float64
// nearest to the decimal number, as a parser of text returns it.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// gap stands for missing values among integers.
const gap = math.MinInt32

// scaled returns the integer nearest to v scale, or any other if that is no int32: the sum
// has the integer in its last 32 bits.
func scaled(v, scale float64) int32 {
	const magic = 3 << 51
	return int32(uint32(math.Float64bits(float64(v*scale) + magic)))
}

// asDecimals sets ints to a column times the lowest power of ten that makes all values
// int32, and returns a bound of their absolute values; ok is false if there is none.
func asDecimals(ints []int32, column []float64) (power int, bound int32, ok bool) {
	scale := powers[0]
	for i, v := range column {
		n := scaled(v, scale)
		for n == gap || math.Float64bits(float64(n)/scale) != math.Float64bits(v) {
			if math.Float64bits(v) == missing {
				n = gap
				break
			}
			if power++; power == len(powers) || bound > math.MaxInt32/10 {
				return 0, 0, false
			}
			for j, m := range ints[:i] { // m/10^p is 10m/10^(p+1)
				if m != gap {
					ints[j] = 10 * m
				}
			}
			scale, bound = powers[power], 10*bound
			n = scaled(v, scale)
		}
		if ints[i] = n; n != gap {
			bound = max(bound, n, -n)
		}
	}
	return power, bound, true
}

// appendDecimals appends what asDecimals returned.
func appendDecimals(to []byte, ints []int32, power int, bound int32) []byte {
	kind, width := decimals4, 4
	switch {
	case bound <= math.MaxInt8:
		kind, width = decimals1, 1
	case bound <= math.MaxInt16:
		kind, width = decimals2, 2
	}
	to = append(to, kind, byte(power))
	start := len(to)
	to = slices.Grow(to, width*len(ints))[:start+width*len(ints)]
	out := to[start:]
	switch kind {
	case decimals1:
		for i, n := range ints {
			out[i] = byte(max(n, math.MinInt8))
		}
	case decimals2:
		for i, n := range ints {
			binary.LittleEndian.PutUint16(out[2*i:], uint16(max(n, math.MinInt16)))
		}
	default:
		for i, n := range ints {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(n))
		}
	}
	return to
}

// decimals decodes n values to every columns-th of out and returns what follows them.
func (b *buffer) decimals(out []float64, columns, n int, kind byte, column []byte) []byte {
	b.ints = slices.Grow(b.ints[:0], n)[:n]
	scale, column := powers[column[0]], column[1:]
	lowest, width := int32(gap), 4
	switch kind {
	case decimals1:
		lowest, width = math.MinInt8, 1
		for i := range b.ints {
			b.ints[i] = int32(int8(column[i]))
		}
	case decimals2:
		lowest, width = math.MinInt16, 2
		for i := range b.ints {
			b.ints[i] = int32(int16(binary.LittleEndian.Uint16(column[2*i:])))
		}
	default:
		for i := range b.ints {
			b.ints[i] = int32(binary.LittleEndian.Uint32(column[4*i:]))
		}
	}
	for i, v := range b.ints {
		value := float64(v) / scale
		if v == lowest {
			value = math.NaN()
		}
		out[i*columns] = value
	}
	return column[width*n:]
}
