package table

import (
	"math"
	"math/bits"
	"strconv"
)

// powers are those of ten that a float64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
	1e20, 1e21, 1e22}

// ScanNumber reads the cell text[at:end] as a plain finite decimal: an optional sign, digits with an optional point, an optional
// exponent; NaN if it is none. The value is that of strconv.ParseFloat: what underflows is 0 or denormal; what overflows is NaN.
//
// Short cells are read without a loop, in words that end where the cell ends and may begin before it.
func ScanNumber(text string, at, end int) float64 {
	n := uint(end - at)
	if n-1 >= 8 || end < 8 {
		return longer(text, at, end)
	}
	minus := uint64(0)
	if text[at] == '-' {
		minus = 1
	}
	digits, decimals := n-uint(minus), uint(0)
	x := (word(text, end-8) ^ zeros) & top[digits&15]
	if stops := notDigits(x); stops != 0 {
		point := first(stops)
		if stops&(stops-1) != 0 || text[end-8+int(point)] != '.' {
			return loop(text[at:end])
		}
		x = withoutPoint(x, point)
		digits--
		decimals = 7 - point
	}
	if digits == 0 {
		return math.NaN()
	}
	return signed(eight(x), decimals, minus)
}

// longer is ScanNumber for cells of other lengths, and those at the start of the text.
func longer(text string, at, end int) float64 {
	n := uint(end - at)
	if n-9 >= 8 || end < 16 {
		return loop(text[at:end])
	}
	low, high := word(text, end-8)^zeros, word(text, end-16)^zeros
	outside := 8 * (16 - n)
	high = high >> (outside & 63) << (outside & 63)
	minus := uint64(0)
	if text[at] == '-' {
		minus = 1
	}
	high &^= minus * 0xff << (outside & 63)
	decimals := uint(0)
	switch inLow, inHigh := notDigits(low), notDigits(high); {
	case inLow|inHigh == 0:
	case inHigh == 0:
		point := first(inLow)
		if inLow&(inLow-1) != 0 || byte(low>>(8*point&63)) != '.'^'0' {
			return loop(text[at:end])
		}
		low = withoutPoint(low, point) | high>>56
		high <<= 8
		decimals = 7 - point
	default:
		point := first(inHigh)
		if inLow != 0 || inHigh&(inHigh-1) != 0 || byte(high>>(8*point&63)) != '.'^'0' {
			return loop(text[at:end])
		}
		high = withoutPoint(high, point)
		decimals = 15 - point
	}
	whole := eight(high)*100_000_000 + eight(low)
	if whole >= 1<<53 {
		return loop(text[at:end])
	}
	return signed(whole, decimals, minus)
}

// signed returns ±whole/10^decimals. Both are exact, so that their quotient is the nearest float64 (Clinger 1990).
func signed(whole uint64, decimals uint, minus uint64) float64 {
	v := float64(int64(whole)) / powers[decimals]
	return math.Float64frombits(math.Float64bits(v) | minus<<63)
}

// loop is ScanNumber for a cell of any length.
func loop(cell string) float64 {
	at := 0
	if cell != "" && (cell[0] == '-' || cell[0] == '+') {
		at = 1
	}
	whole, digits, exponent := uint64(0), 0, 0
	for ; at < len(cell) && cell[at]-'0' <= 9; at++ {
		whole = 10*whole + uint64(cell[at]-'0')
		digits++
	}
	if at < len(cell) && cell[at] == '.' {
		for at++; at < len(cell) && cell[at]-'0' <= 9; at++ {
			whole = 10*whole + uint64(cell[at]-'0')
			digits++
			exponent--
		}
	}
	if digits == 0 {
		return math.NaN()
	}
	if at < len(cell) {
		e, ok := readExponent(cell[at:])
		if !ok {
			return math.NaN()
		}
		exponent += e
	}
	if digits > 19 || whole >= 1<<53 || exponent < -22 || exponent > 22 {
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	minus := uint64(0)
	if cell[0] == '-' {
		minus = 1
	}
	if exponent <= 0 {
		return signed(whole, uint(-exponent), minus)
	}
	return float64(signed(whole, 0, minus) * powers[exponent])
}

// readExponent reads an exponent such as e-05. Those beyond 10,000 are cut: they are beyond float64.
func readExponent(text string) (exponent int, ok bool) {
	if text[0]|0x20 != 'e' {
		return 0, false
	}
	text = text[1:]
	minus := text != "" && text[0] == '-'
	if minus || text != "" && text[0] == '+' {
		text = text[1:]
	}
	for i := range len(text) {
		if text[i]-'0' > 9 {
			return 0, false
		}
		exponent = min(10*exponent+int(text[i]-'0'), 10_000)
	}
	if minus {
		exponent = -exponent
	}
	return exponent, text != ""
}

// zeros are eight digits 0.
const zeros = 0x3030303030303030

// word returns the eight bytes at text[at:], the first one lowest.
func word(text string, at int) uint64 {
	b := text[at : at+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// top[n] has the n upper bytes of a word; they are the last ones of a text.
var top = [16]uint64{0, 0xff << 56, 0xffff << 48, 0xffffff << 40, 0xffffffff << 32, 0xffffffffff << 24, 0xffffffffffff << 16,
	0xffffffffffffff << 8, 1<<64 - 1}

// notDigits sets the top bit of each byte of x that is greater than 9, and no other bit.
func notDigits(x uint64) uint64 {
	return (x&0x7f7f7f7f7f7f7f7f + 0x7676767676767676 | x) & 0x8080808080808080
}

// first returns the number of the lowest byte of a word whose top bit is set; 8 if there is none.
func first(tops uint64) uint { return uint(bits.TrailingZeros64(tops)) >> 3 }

// withoutPoint removes a byte of x: those below move up.
func withoutPoint(x uint64, point uint) uint64 {
	after := top[(7-point)&15]
	return x&after | x<<8&^after
}

// eight returns the number whose digits are the bytes of x, the lowest byte the most significant digit.
func eight(x uint64) uint64 {
	x = 10*x + x>>8 // numbers of two digits in bytes 0, 2, 4 and 6
	const bytes = 0x000000ff000000ff
	return ((x&bytes)*(100+1_000_000<<32) + (x>>16&bytes)*(1+10_000<<32)) >> 32
}

// Splitter finds the cells of the records of a text in turn.
type Splitter struct {
	text    string
	pattern uint64 // the delimiter in each byte
	base    int    // offset of the current block of 64 bytes
	found   uint64 // a bit for each delimiter of the block that is still to come
}

// NewSplitter returns a Splitter of the records of a text, the first of which begins at offset 0.
func NewSplitter(text string, delimiter byte) Splitter {
	s := Splitter{text: text, pattern: uint64(delimiter) * 0x0101010101010101}
	s.Seek(0)
	return s
}

// Seek continues with the record that begins at an offset.
func (s *Splitter) Seek(at int) {
	s.base = at &^ 63
	s.found = s.block(s.base) >> (at & 63) << (at & 63)
}

// Split sets ends to the offsets where the cells of the next record end, the record itself at end. It reports false, and
// Seek must be called before the next record, if there are more or fewer cells.
func (s *Splitter) Split(ends []int, end int) bool {
	last := len(ends) - 1
	base, found := s.base, s.found
	for i := range ends {
		for found == 0 && base+64 < end {
			base += 64
			found = s.block(base)
		}
		at := base + bits.TrailingZeros64(found) // base+64 if there is none
		if at >= end {
			ends[i] = end
			s.base, s.found = base, found
			return i == last
		}
		ends[i] = at
		found &= found - 1
	}
	return false
}

// block returns a bit for each delimiter of the 64 bytes at base, the first one lowest.
func (s *Splitter) block(base int) (found uint64) {
	if base+64 > len(s.text) {
		for i := 0; base+i < len(s.text); i++ {
			if s.text[base+i] == byte(s.pattern) {
				found |= 1 << i
			}
		}
		return found
	}
	text, p := s.text[base:base+64], s.pattern
	return equal(word(text, 0), p) | equal(word(text, 8), p)<<8 | equal(word(text, 16), p)<<16 | equal(word(text, 24), p)<<24 |
		equal(word(text, 32), p)<<32 | equal(word(text, 40), p)<<40 | equal(word(text, 48), p)<<48 | equal(word(text, 56), p)<<56
}

// equal returns a bit for each byte that two words have in common, in the order of the bytes.
func equal(a, b uint64) uint64 {
	x := a ^ b
	zero := ^(x&0x7f7f7f7f7f7f7f7f + 0x7f7f7f7f7f7f7f7f | x) & 0x8080808080808080 // the top bit of each byte that is zero
	return zero >> 7 * 0x0102040810204080 >> 56
}

// Bare reports whether all bytes of a text are ASCII characters from # to ~ other than the backslash: no blanks, quotes or control
// characters, and none that may begin a cell which must be quoted.
func Bare(text string) bool {
	at := 0
	for ; len(text)-at >= 8; at += 8 {
		if notBare(word(text, at)) != 0 {
			return false
		}
	}
	for ; at < len(text); at++ {
		if b := text[at]; b < '#' || b > '~' || b == '\\' {
			return false
		}
	}
	return true
}

// notBare is not 0 if a byte of a word is not bare.
func notBare(w uint64) uint64 {
	const each, tops = 0x0101010101010101, 0x8080808080808080
	backslash := w ^ '\\'*each
	return (w | (w - '#'*each) | (backslash - each) | (w + each)) & tops // each term is right if no byte of w has its top bit set
}
