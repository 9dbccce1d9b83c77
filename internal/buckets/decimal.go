package buckets

import (
	"encoding/binary"
	"math"
	"slices"
)

// powers are the powers of ten of decimals. All are exact, and so n/10^p is the float64
// nearest to the decimal number, as a parser of text returns it.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// asDecimals returns the lowest power of ten with which int32 represent every value, and
// the largest absolute value of these; ok is false if there is none. The lowest int32 is
// for missing values.
func asDecimals(column []float64) (power int, largest float64, ok bool) {
	for _, v := range column {
		if math.Float64bits(v) == missing {
			continue
		}
		for {
			n := math.RoundToEven(v * powers[power])
			if !(math.Abs(n) <= math.MaxInt32) {
				return 0, 0, false
			}
			if math.Float64bits(float64(int32(n))/powers[power]) == math.Float64bits(v) {
				largest = max(largest, math.Abs(n))
				break
			}
			if power++; power == len(powers) {
				return 0, 0, false
			}
			largest *= 10
		}
	}
	return power, largest, largest <= math.MaxInt32
}

// appendDecimals appends a column that asDecimals accepts. A value that was accepted at a
// lower power is n/10^p, and so it is 10n/10^(p+1).
func appendDecimals(to []byte, column []float64, power int, largest float64) []byte {
	kind, width := decimals4, 4
	switch {
	case largest <= math.MaxInt8:
		kind, width = decimals1, 1
	case largest <= math.MaxInt16:
		kind, width = decimals2, 2
	}
	to = append(to, kind, byte(power))
	start := len(to)
	to = slices.Grow(to, width*len(column))[:start+width*len(column)]
	out, scale := to[start:], powers[power]
	for i, v := range column {
		n := int32(math.MinInt32)
		if math.Float64bits(v) != missing {
			n = int32(math.RoundToEven(v * scale))
		}
		switch width {
		case 1:
			out[i] = byte(max(n, math.MinInt8))
		case 2:
			binary.LittleEndian.PutUint16(out[2*i:], uint16(max(n, math.MinInt16)))
		default:
			binary.LittleEndian.PutUint32(out[4*i:], uint32(n))
		}
	}
	return to
}

// decimals decodes n values to every columns-th of out and returns what follows them.
func (b *buffer) decimals(out []float64, columns, n int, kind byte, column []byte) []byte {
	b.ints = slices.Grow(b.ints[:0], n)[:n]
	scale, column := powers[column[0]], column[1:]
	lowest, width := int32(math.MinInt32), 4
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
