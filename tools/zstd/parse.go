package zstd

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// sequence is a number of literals, and what follows: a match.
type sequence struct {
	literals, length int
	offset           uint32 // 1 to 3: one of the latest; else the distance plus 3
}

// Limits of matches.
const (
	shortest   = 3
	enough     = 256 // no other match is weighed beside one of this length
	longest    = 1 << 12
	windowBits = 24 // of the distance of a match, but of repeated ones
	depth      = 12 // of the search for a match
)

// parser divides a text into sequences.
type parser struct {
	text   []byte
	heads  []int32 // by the hash of four bytes: the latest position with it, plus one
	near   []int32 // of three bytes
	tree   []int32 // for each position: the roots of the trees of the texts below and above
	seen   int     // positions in the tree
	reps   [3]uint32
	prices prices
	nodes  []node
	found  []match
}

// match is a text that was there before.
type match struct{ length, distance int }

// node is the cheapest way to a position of a block.
type node struct {
	cost     float32
	length   int32 // of the match that ends here; 0: a literal does
	offset   uint32
	literals int32 // since the last match
	reps     [3]uint32
}

func newParser(text []byte) *parser {
	p := &parser{text: text, heads: make([]int32, 1<<20), near: make([]int32, 1<<16),
		tree: make([]int32, 2<<windowBits), reps: [3]uint32{1, 4, 8},
		nodes: make([]node, blockSize+1)}
	for f := range p.prices.counts {
		for s := range p.prices.counts[f] {
			p.prices.counts[f][s] = 1
		}
	}
	p.prices.update()
	return p
}

// parse returns the sequences of a block.
func (p *parser) parse(from, to int) []sequence {
	nodes := p.nodes[:to-from+1]
	for i := range nodes {
		nodes[i].cost = math.MaxFloat32
	}
	nodes[0] = node{reps: p.reps}
	for i := 0; i < len(nodes)-1; {
		at, n := from+i, &nodes[i]
		if c := n.cost + p.prices.of[3][p.text[at]] + p.prices.of[0][literalsCode(int(n.literals)+1).symbol] -
			p.prices.of[0][literalsCode(int(n.literals)).symbol]; c < nodes[i+1].cost {
			nodes[i+1] = node{c, 0, 0, n.literals + 1, n.reps}
		}
		best := p.repeat(nodes, i, at, to)
		if best < enough {
			best = max(best, p.search(nodes, i, at, to))
		}
		if best < enough {
			best = 1
		}
		i += best
	}
	p.reps = nodes[len(nodes)-1].reps
	return p.way(nodes)
}

// repeat weighs matches at the latest distances, and returns the length of the longest one.
func (p *parser) repeat(nodes []node, i, at, to int) (best int) {
	n := &nodes[i]
	for k := range uint32(3) {
		reps, distance := recent(n.reps, k+1, n.literals == 0)
		if distance == 0 || int(distance) > at {
			continue
		}
		if l := common(p.text[at-int(distance):], p.text[at:to], 0); l >= shortest {
			best = max(best, l)
			p.relax(nodes, i, shortest, l, k+1, reps)
		}
	}
	return best
}

// search weighs other matches, and returns the length of the longest one.
func (p *parser) search(nodes []node, i, at, to int) (best int) {
	for ; p.seen < at; p.seen++ {
		if at-p.seen < 64 { // the inside of a long match is known
			p.find(p.seen, 4)
		}
	}
	n := &nodes[i]
	first := shortest
	for _, m := range p.find(at, depth) {
		l := min(m.length, to-at)
		if l < first {
			continue
		}
		offset := uint32(m.distance + 3)
		p.relax(nodes, i, first, l, offset, [3]uint32{uint32(m.distance), n.reps[0], n.reps[1]})
		first, best = l+1, l
	}
	p.seen = at + 1
	return best
}

// relax weighs a match with all of its lengths from a least one on; of a long one, the longest alone.
func (p *parser) relax(nodes []node, i, least, most int, offset uint32, reps [3]uint32) {
	o := offsetCode(offset)
	cost := nodes[i].cost + p.prices.of[1][o.symbol] + float32(o.bits) + p.prices.of[0][0]
	if most >= enough {
		least = most
	}
	for l := least; l <= most; l++ {
		m := lengthCode(l)
		if c := cost + p.prices.of[2][m.symbol] + float32(m.bits); c < nodes[i+l].cost {
			nodes[i+l] = node{c, int32(l), offset, 0, reps}
		}
	}
}

// recent returns what an offset among the latest three means, and the three after it.
func recent(reps [3]uint32, offset uint32, noLiterals bool) ([3]uint32, uint32) {
	k := offset - 1
	if noLiterals {
		k++
	}
	switch k {
	case 0:
		return reps, reps[0]
	case 1:
		return [3]uint32{reps[1], reps[0], reps[2]}, reps[1]
	case 2:
		return [3]uint32{reps[2], reps[0], reps[1]}, reps[2]
	}
	return [3]uint32{reps[0] - 1, reps[0], reps[1]}, reps[0] - 1
}

// way returns the sequences on the cheapest way to the end of a block, and takes prices from them.
func (p *parser) way(nodes []node) (all []sequence) {
	last := len(nodes) - 1
	for i := last - int(nodes[last].literals); i > 0; {
		n := &nodes[i]
		start := i - int(n.length)
		all = append(all, sequence{int(nodes[start].literals), int(n.length), n.offset})
		i = start - int(nodes[start].literals)
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// find returns matches at a position, each longer than those before, and adds the position to the tree.
func (p *parser) find(at, depth int) []match {
	p.found = p.found[:0]
	if at+4 > len(p.text) {
		return nil
	}
	end, best := min(at+longest, len(p.text)), shortest-1
	v := binary.LittleEndian.Uint32(p.text[at:])
	near := &p.near[v<<8*0x9E3779B1>>16]
	if m := int(*near) - 1; m >= 0 && at-m < 1<<17 {
		if l := common(p.text[m:], p.text[at:end], 0); l > best {
			best = l
			p.found = append(p.found, match{l, at - m})
		}
	}
	*near = int32(at + 1)
	head := &p.heads[v*0x9E3779B1>>12]
	m := int(*head) - 1
	*head = int32(at + 1)
	const mask = 1<<windowBits - 1
	below, above := &p.tree[at&mask*2], &p.tree[at&mask*2+1]
	sameBelow, sameAbove := 0, 0
	for ; m >= 0 && at-m < mask && depth > 0; depth-- {
		l := common(p.text[m:], p.text[at:end], min(sameBelow, sameAbove))
		if l > best {
			best = l
			p.found = append(p.found, match{l, at - m})
		}
		children := p.tree[m&mask*2 : m&mask*2+2]
		if at+l == end {
			*below, *above = children[0], children[1]
			return p.found
		}
		if p.text[m+l] < p.text[at+l] {
			*below, sameBelow = int32(m+1), l
			below, m = &children[1], int(children[1])-1
		} else {
			*above, sameAbove = int32(m+1), l
			above, m = &children[0], int(children[0])-1
		}
	}
	*below, *above = 0, 0
	return p.found
}

// common returns how many bytes two texts have in common, of which n are known; the second text is no longer than the first.
func common(a, b []byte, n int) int {
	for ; n+8 <= len(b); n += 8 {
		if d := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); d != 0 {
			return n + bits.TrailingZeros64(d)>>3
		}
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
