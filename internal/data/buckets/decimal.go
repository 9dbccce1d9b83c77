package buckets

import (
	"encoding/binary"
	"math"
	"slices"
)

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
