package scan

import "math/bits"

// Delimiters finds the delimiters of a text in turn.
type Delimiters struct {
	text    string
	pattern uint64 // the delimiter in each byte
	base    int    // offset of the block of 64 bytes
	found   uint64 // a bit for each delimiter of the block that is still to come
}

// NewDelimiters returns the delimiters of a text.
func NewDelimiters(text string, delimiter byte) Delimiters {
	d := Delimiters{text: text, pattern: uint64(delimiter) * 0x0101010101010101}
	d.found = d.block()
	return d
}

// Next returns the offset of the next delimiter; len(text) after the last.
func (d *Delimiters) Next() int {
	for d.found == 0 {
		if d.base += 64; d.base >= len(d.text) {
			return len(d.text)
		}
		d.found = d.block()
	}
	at := d.base + bits.TrailingZeros64(d.found)
	d.found &= d.found - 1
	return at
}

// Seek continues with the first delimiter at an offset or after it.
func (d *Delimiters) Seek(at int) {
	d.base = at &^ 63
	d.found = d.block() >> (at & 63) << (at & 63)
}

// block returns a bit for each delimiter of the 64 bytes at base, the first one lowest.
func (d *Delimiters) block() (found uint64) {
	if d.base+64 > len(d.text) {
		for i, at := 0, d.base; at < len(d.text); i, at = i+1, at+1 {
			if d.text[at] == byte(d.pattern) {
				found |= 1 << i
			}
		}
		return found
	}
	for i := 0; i < 64; i += 8 {
		found |= equal(word(d.text, d.base+i), d.pattern) << i
	}
	return found
}

// equal returns a bit for each byte that two words have in common, in the order of the bytes.
func equal(a, b uint64) uint64 {
	x := a ^ b
	zero := ^(x&0x7f7f7f7f7f7f7f7f + 0x7f7f7f7f7f7f7f7f | x) & 0x8080808080808080 // the top bit of each byte that is zero
	return zero >> 7 * 0x0102040810204080 >> 56
}
