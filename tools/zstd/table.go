package zstd

import (
	"math"
	"math/bits"
	"slices"
)

// code is a number of a sequence: a symbol and bits that follow it.
type code struct {
	symbol uint8
	bits   uint
	extra  uint32
}

// field is one of the numbers of a sequence.
type field struct {
	most     int // bits of a state
	standard *table
}

// Modes of a table.
const standardMode, newMode, sameMode = 0, 2, 3

// fields are literal lengths, offsets and match lengths.
var fields = [3]field{
	{9, newTable([]int{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}, 6)},
	{8, newTable([]int{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}, 5)},
	{9, newTable([]int{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}, 6)},
}

// choose returns the mode and the table that take the fewest bits for symbols, by their counts, and what describes the table.
func (f field) choose(counts []int, before *table) (mode int, t *table, header []byte) {
	mode, t = standardMode, f.standard
	least := t.cost(counts)
	if before != nil {
		if c := before.cost(counts); c < least {
			mode, t, least = sameMode, before, c
		}
	}
	if shares := shared(counts, f.most); shares != nil {
		made := newTable(shares, f.most)
		h := made.header()
		if made.cost(counts)+float64(8*len(h)) < least {
			return newMode, made, h
		}
	}
	return mode, t, nil
}

// shared divides the states of a table among symbols by their counts: at least one for each that there is. It returns nil for a single
// symbol.
func shared(counts []int, log int) []int {
	total, most := 0, 0
	for s, n := range counts {
		if total += n; n > counts[most] {
			most = s
		}
	}
	if counts[most] == total {
		return nil
	}
	shares, left := make([]int, len(counts)), 1<<log
	for s, n := range counts {
		if n > 0 {
			shares[s] = max(1, int(float64(n)/float64(total)*float64(int(1)<<log)+0.5))
			left -= shares[s]
		}
	}
	for ; left < 0; left++ {
		shares[slices.Index(shares, slices.Max(shares))]--
	}
	shares[most] += left
	return shares
}

// table is a finite state entropy code of symbols.
type table struct {
	shares []int // states of each symbol; -1: one, at the end of the table
	log    uint
	states []uint16 // by symbol, from start
	start  []int32
	widths []uint32 // bits that a symbol takes, times 1<<16, less the states with which it takes one less
}

// newTable returns the code in which symbols have shares of 1<<log states.
func newTable(shares []int, log int) *table {
	size := 1 << log
	t := &table{shares: shares, log: uint(log), states: make([]uint16, size), start: make([]int32, len(shares)),
		widths: make([]uint32, len(shares))}
	symbols, high := make([]int, size), size-1
	for s, n := range shares {
		if n == -1 {
			symbols[high] = s
			high--
		}
	}
	at, step := 0, size>>1+size>>3+3
	for s, n := range shares {
		for range max(n, 0) {
			symbols[at] = s
			for at = (at + step) & (size - 1); at > high; at = (at + step) & (size - 1) {
			}
		}
	}
	next := make([]int, len(shares))
	total := 0
	for s, n := range shares {
		next[s] = total
		n = max(n, -n)
		t.start[s] = int32(total - n)
		total += n
		if n > 0 {
			wide := log - bits.Len(uint(n-1)) + 1
			if n == 1 {
				wide = log
			}
			t.widths[s] = uint32(wide<<16 - n<<wide)
		}
	}
	for state, s := range symbols {
		t.states[next[s]] = uint16(size + state)
		next[s]++
	}
	return t
}

// first returns the state that a symbol leads to from none.
func (t *table) first(symbol uint8) uint32 {
	w := t.widths[symbol]
	n := (w + 1<<15) >> 16
	return uint32(t.states[int32((n<<16-w)>>n)+t.start[symbol]])
}

// next writes what tells a state from others that lead to the next one, which it returns.
func (t *table) next(b *bitWriter, state uint32, symbol uint8) uint32 {
	n := (state + t.widths[symbol]) >> 16
	b.add(uint64(state), uint(n))
	return uint32(t.states[int32(state>>n)+t.start[symbol]])
}

// cost returns the bits that symbols take by their counts: infinitely many, if one has no state.
func (t *table) cost(counts []int) (sum float64) {
	for s, n := range counts {
		if n > 0 && t.shares[s] == 0 {
			return math.Inf(1)
		}
		if n > 0 {
			sum += float64(n) * (float64(t.log) - math.Log2(math.Abs(float64(t.shares[s]))))
		}
	}
	return sum
}

// header describes a table.
func (t *table) header() []byte {
	var b bitWriter
	b.add(uint64(t.log-5), 4)
	left, threshold, width := 1<<t.log+1, 1<<t.log, t.log+1
	for s := 0; left > 1; {
		n := t.shares[s]
		s++
		most := 2*threshold - 1 - left
		left -= max(n, -n)
		v := n + 1
		if v >= threshold {
			v += most
		}
		if v < most {
			b.add(uint64(v), width-1)
		} else {
			b.add(uint64(v), width)
		}
		if n == 0 { // and how many more have no states
			from := s
			for ; t.shares[s] == 0; s++ {
			}
			run := s - from
			for ; run >= 3; run -= 3 {
				b.add(3, 2)
			}
			b.add(uint64(run), 2)
		}
		for ; left < threshold; threshold >>= 1 {
			width--
		}
	}
	return b.whole()
}
