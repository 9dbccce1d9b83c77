// Package zstd compresses a text in Zstandard's format (RFC 8878), once and for many readers: it weighs all ways to write a block as
// literals and matches, as other encoders in Go do not.
package zstd

import (
	"encoding/binary"

	"github.com/klauspost/compress/huff0"
)

// blockSize is the length of what a block has at most.
const blockSize = 128 << 10

// Types of blocks and of literals, and the parts of their headers.
const (
	rawBlock, compressedBlock                         = 0, 2
	rawLiterals, compressedLiterals, treelessLiterals = 0, 2, 3
	fewestLiterals                                    = 64 // that are worth a Huffman code
)

// Compress returns a frame with a text of less than 2 GB.
func Compress(text []byte) []byte {
	out := binary.LittleEndian.AppendUint32(nil, 0xFD2FB528)
	out = append(out, 0xA0) // one segment; its length has four bytes
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	e := &encoder{parser: newParser(text), literals: &huff0.Scratch{Reuse: huff0.ReusePolicyAllow}}
	for from := 0; ; from += blockSize {
		to := min(from+blockSize, len(text))
		kind, content := compressedBlock, e.block(from, to)
		if len(content) >= to-from {
			kind, content = rawBlock, text[from:to]
			e.forget()
		}
		header := uint32(len(content))<<3 | uint32(kind)<<1
		if to == len(text) {
			header |= 1
		}
		out = append(out, byte(header), byte(header>>8), byte(header>>16))
		if out = append(out, content...); to == len(text) {
			return out
		}
	}
}

// encoder writes blocks.
type encoder struct {
	*parser
	literals *huff0.Scratch
	before   [3]*table // of literal lengths, offsets and match lengths in the block before; nil: none
}

// forget drops what a block is described by that the reader does not get.
func (e *encoder) forget() {
	e.literals, e.before = &huff0.Scratch{Reuse: huff0.ReusePolicyAllow}, [3]*table{}
}

// block returns the content of a compressed block.
func (e *encoder) block(from, to int) []byte {
	reps := e.reps
	sequences := e.parse(from, to)
	var literals []byte
	at := from
	for _, s := range sequences {
		literals = append(literals, e.text[at:at+s.literals]...)
		at += s.literals + s.length
	}
	literals = append(literals, e.text[at:to]...)
	out := e.appendSequences(e.appendLiterals(nil, literals), sequences)
	e.prices.update()
	if len(out) >= to-from {
		e.reps = reps // the reader does not see the sequences
	}
	return out
}

// appendLiterals appends the section of literals.
func (e *encoder) appendLiterals(out, literals []byte) []byte {
	for _, b := range literals {
		e.prices.counts[3][b]++
	}
	n := uint64(len(literals))
	if n >= fewestLiterals {
		if packed, reused, err := huff0.Compress4X(literals, e.literals); err == nil {
			kind := uint64(compressedLiterals)
			if reused {
				kind = treelessLiterals
			}
			return append(appendLow(out, kind|3<<2|n<<4|uint64(len(packed))<<22, 5), packed...)
		}
		e.literals = &huff0.Scratch{Reuse: huff0.ReusePolicyAllow}
	}
	return append(appendLow(out, rawLiterals|3<<2|n<<4, 3), literals...)
}

// appendLow appends the low bytes of a number.
func appendLow(out []byte, v uint64, bytes int) []byte {
	return append(out, binary.LittleEndian.AppendUint64(nil, v)[:bytes]...)
}

// appendSequences appends the section of sequences.
func (e *encoder) appendSequences(out []byte, sequences []sequence) []byte {
	switch n := len(sequences); {
	case n == 0:
		return append(out, 0)
	case n < 128:
		out = append(out, byte(n))
	case n < 0x7F00:
		out = append(out, byte(n>>8+128), byte(n))
	default:
		out = append(out, 255, byte(n-0x7F00), byte((n-0x7F00)>>8))
	}
	codes := make([][3]code, len(sequences))
	var counts [3][]int
	for f := range fields {
		counts[f] = make([]int, len(fields[f].standard.shares))
	}
	for i, s := range sequences {
		codes[i] = s.codes()
		for f, c := range codes[i] {
			counts[f][c.symbol]++
			e.prices.counts[f][c.symbol]++
		}
	}
	modes := len(out)
	out = append(out, 0)
	for f := range fields {
		mode, t, header := fields[f].choose(counts[f], e.before[f])
		out[modes] |= byte(mode) << (6 - 2*f)
		out, e.before[f] = append(out, header...), t
	}
	return append(out, written(codes, e.before)...)
}

// written returns the bits of codes, of which a reader begins at the end.
func written(codes [][3]code, tables [3]*table) []byte {
	var b bitWriter
	var states [3]uint32
	for i := len(codes) - 1; i >= 0; i-- {
		for _, f := range []int{1, 2, 0} {
			if i == len(codes)-1 {
				states[f] = tables[f].first(codes[i][f].symbol)
			} else {
				states[f] = tables[f].next(&b, states[f], codes[i][f].symbol)
			}
		}
		for _, f := range []int{0, 2, 1} {
			b.add(uint64(codes[i][f].extra), codes[i][f].bits)
		}
	}
	for _, f := range []int{2, 1, 0} {
		b.add(uint64(states[f]), tables[f].log)
	}
	b.add(1, 1)
	return b.whole()
}

// bitWriter writes bits, from the lowest one on.
type bitWriter struct {
	out []byte
	acc uint64
	n   uint
}

// add appends the low n bits of a number, at most 32.
func (b *bitWriter) add(v uint64, n uint) {
	b.acc |= v & (1<<n - 1) << b.n
	for b.n += n; b.n >= 8; b.n -= 8 {
		b.out = append(b.out, byte(b.acc))
		b.acc >>= 8
	}
}

// whole returns the bytes.
func (b *bitWriter) whole() []byte {
	if b.n > 0 {
		return append(b.out, byte(b.acc))
	}
	return b.out
}
