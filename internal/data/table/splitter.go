package table

import "math/bits"

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
