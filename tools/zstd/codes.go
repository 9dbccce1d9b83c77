package zstd

import (
	"math"
	"math/bits"
)

// codes returns the codes of a sequence's literals, offset and length.
func (s sequence) codes() [3]code {
	return [3]code{literalsCode(s.literals), offsetCode(s.offset), lengthCode(s.length)}
}

// offsetCode returns the code of an offset.
func offsetCode(offset uint32) code {
	n := uint(bits.Len32(offset) - 1)
	return code{uint8(n), n, offset - 1<<n}
}

// scale has the codes of numbers that grow: the bits of each from a symbol on, before which a symbol is the number.
type scale struct {
	first int
	bits  []uint8
	start []uint32
	small [1 << 8]uint8 // symbols of small numbers
}

var (
	literalScale = newScale(16, []uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	lengthScale  = newScale(32, []uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
)

func newScale(first int, widths []uint8) *scale {
	s := &scale{first: first, bits: widths}
	for at, i := uint32(first), 0; i < len(widths); i++ {
		s.start = append(s.start, at)
		at += 1 << widths[i]
	}
	for n := range s.small {
		s.small[n] = s.symbol(uint32(n))
	}
	return s
}

// symbol returns the symbol of a number.
func (s *scale) symbol(n uint32) uint8 {
	if n < uint32(s.first) {
		return uint8(n)
	}
	i := len(s.start) - 1
	for s.start[i] > n {
		i--
	}
	return uint8(s.first + i)
}

// code returns the code of a number.
func (s *scale) code(n uint32) code {
	symbol := uint8(0)
	if n < uint32(len(s.small)) {
		symbol = s.small[n]
	} else {
		symbol = s.symbol(n)
	}
	if i := int(symbol) - s.first; i >= 0 {
		return code{symbol, uint(s.bits[i]), n - s.start[i]}
	}
	return code{symbol: symbol}
}

func literalsCode(n int) code { return literalScale.code(uint32(n)) }

func lengthCode(n int) code { return lengthScale.code(uint32(n - shortest)) }

// prices are bits that symbols take: those of literal lengths, offsets and match lengths, and literals.
type prices struct {
	counts [4][256]float64
	of     [4][256]float32
}

// update takes prices from what was counted, which then counts half.
func (p *prices) update() {
	for f := range p.counts {
		total := 0.0
		for _, n := range p.counts[f] {
			total += n
		}
		for s, n := range p.counts[f] {
			p.of[f][s] = float32(math.Log2(total / n))
			p.counts[f][s] = max(1, n/2)
		}
	}
}
