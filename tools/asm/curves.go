package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// locate counts the inner knots at or below each number, two rows of them at a time, for up
// to four vectors of curves. Rows of inner are whole vectors.
func locate() {
	function("locate", "at []int, share, z, inner, knots []float64, first []int, n, cells, stride, T int")
	at, share, z := pointer("at"), pointer("share"), pointer("z")
	knots, row, stride := pointer("knots"), bytes(integer("cells")), bytes(integer("stride"))
	repeat(integer("n"), func() {
		overRow(row, []int{4, 2, 1}, func(t tile) {
			var v, count []vec
			for i := range t.n {
				v, count = append(v, t.load(z, i)), append(count, t.load(pointer("first"), i))
			}
			inner := shifted(pointer("inner"), t.at)
			pairs := integer("T")
			SHRQ(Imm(1), pairs)
			repeat(pairs, func() {
				for _, m := range []Mem{inner, inner.Idx(stride, 1)} {
					for i := range t.n {
						VPSUBQ(compare(v[i], atLeast, m.Offset(32*i)), count[i], count[i]) // a set mask is -1
					}
				}
				LEAQ(inner.Idx(stride, 2), inner.Base)
			})
			for i := range t.n {
				low, high := neighbours(knots, count[i]) // of unused lanes, those of other curves
				s := div(sub(v[i], low), sub(high, low))
				t.store(most(zero(), least(loaded(number(1)), s)), share, i)
				t.store(count[i], at, i)
			}
		})
		for _, p := range []Mem{at, share, z} {
			ADDQ(row, p.Base)
		}
	})
	end()
}

// neighbours reads the cells at m with the numbers in index, and those after them. It is
// faster than gathering them.
func neighbours(m Mem, index vec) (cells, next vec) {
	half, upper := index.AsX(), XMM()
	VEXTRACTI128(Imm(1), index, upper)
	both := [2]vec{YMM(), YMM()}
	for lane, pair := range both {
		low, high := GP64(), GP64()
		if lane == 0 {
			VMOVQ(half, low)
			VMOVQ(upper, high)
		} else {
			VPEXTRQ(Imm(1), half, low)
			VPEXTRQ(Imm(1), upper, high)
		}
		VBROADCASTF128(m.Idx(low, 8), pair) // defines all of the register
		VINSERTF128(Imm(1), m.Idx(high, 8), pair, pair)
	}
	return op(VUNPCKLPD, both[0], both[1]), op(VUNPCKHPD, both[0], both[1])
}

// sums adds up the curves at the places of samples.
type sums struct {
	at, share, v Mem
	size, row    GPVirtual // of a sample's places, and of the values at a knot
}

// overPlaces emits body for the places of a sample: low is the row of values at the knot
// below, from the tile on.
func (s sums) overPlaces(t tile, body func(low Mem, share vec)) {
	p := GP64()
	XORQ(p, p)
	top := label("place")
	Label(top)
	low := Mem{Base: register(s.at.Idx(p, 1))}
	IMULQ(s.row, low.Base)
	ADDQ(s.v.Base, low.Base)
	ADDQ(t.at, low.Base)
	body(low, broadcast(s.share.Idx(p, 1)))
	ADDQ(Imm(8), p)
	CMPQ(p, s.size)
	JL(LabelRef(top))
}

// overSamples emits body for the samples.
func (s sums) overSamples(body func()) {
	repeat(integer("B"), func() {
		body()
		ADDQ(s.size, s.at.Base)
		ADDQ(s.size, s.share.Base)
	})
}

// addCurves adds the values of all curves of a sample to up to four vectors of rules.
func addCurves() {
	function("addCurves", "y []float64, at []int, share, v []float64, B, P, R int")
	y := pointer("y")
	s := sums{pointer("at"), pointer("share"), pointer("v"), bytes(integer("P")), bytes(integer("R"))}
	one := loaded(number(1))
	s.overSamples(func() {
		overRow(s.row, []int{4, 2, 1}, func(t tile) {
			var sum []vec
			for i := range t.n {
				sum = append(sum, t.load(y, i))
			}
			s.overPlaces(t, func(low Mem, share vec) {
				rest := sub(one, share)
				for i := range t.n {
					addProduct(sum[i], rest, t.operand(low.Offset(32*i)))
					addProduct(sum[i], share, t.operand(low.Idx(s.row, 1).Offset(32*i)))
				}
			})
			for i := range t.n {
				t.store(sum[i], y, i)
			}
		})
		ADDQ(s.row, y.Base)
	})
	end()
}

// operand is a vector of the tile's shape, in memory if possible.
func (t tile) operand(m Mem) Op {
	if t.rest == nil {
		return m
	}
	return t.read(m)
}

// curvesBackward keeps up to four vectors of derivatives by the rule outputs.
func curvesBackward() {
	function("curvesBackward", "g []float64, at []int, share, h []float64, B, P, R int")
	h := pointer("h")
	s := sums{pointer("at"), pointer("share"), pointer("g"), bytes(integer("P")), bytes(integer("R"))}
	one := loaded(number(1))
	s.overSamples(func() {
		overRow(s.row, []int{4, 2, 1}, func(t tile) {
			var by []vec
			for i := range t.n {
				by = append(by, t.load(h, i))
			}
			s.overPlaces(t, func(low Mem, share vec) {
				rest := sub(one, share)
				for i := range t.n {
					for _, to := range []struct {
						Mem
						weight vec
					}{{low, rest}, {low.Idx(s.row, 1), share}} {
						m := to.Mem.Offset(32 * i)
						sum := t.read(m)
						addProduct(sum, to.weight, by[i])
						t.write(sum, m)
					}
				}
			})
		})
		ADDQ(s.row, h.Base)
	})
	end()
}

// pair is the weights of the two knots of a place, 1-share and share; head is 1, 0.
func (s sums) pair(head VecVirtual, share Mem) VecVirtual {
	w := XMM()
	VMOVDDUP(share, w)
	VADDSUBPD(w, head, w)
	return w
}

// head is 1, 0.
func head() VecVirtual {
	d := XMM()
	VMOVSD(number(1), d)
	return d
}

// addShared has two sums, each of the parts by knots below and above.
func addShared() {
	function("addShared", "y []float64, at []int, share, v []float64, B, P, R int")
	y := pointer("y")
	s := sums{pointer("at"), pointer("share"), pointer("v"), bytes(integer("P")), bytes(integer("R"))}
	head := head()
	s.overSamples(func() {
		even, odd, p := XMM(), XMM(), GP64()
		VXORPD(even, even, even)
		VXORPD(odd, odd, odd)
		XORQ(p, p)
		addPlace := func(sum VecVirtual) {
			q := register(s.at.Idx(p, 1))
			VFMADD231PD(s.v.Idx(q, 8), s.pair(head, s.share.Idx(p, 1)), sum)
			ADDQ(Imm(8), p)
		}
		top, done := label("places"), label("summed")
		Label(top)
		addPlace(even)
		CMPQ(p, s.size)
		JGE(LabelRef(done))
		addPlace(odd)
		CMPQ(p, s.size)
		JL(LabelRef(top))
		Label(done)
		VADDPD(odd, even, even)
		VHADDPD(even, even, even)
		sum := YMM()
		VBROADCASTSD(even, sum)
		overRow(s.row, single, func(t tile) { t.store(add(sum, t.load(y, 0)), y, 0) })
		ADDQ(s.row, y.Base)
	})
	end()
}

// sharedBackward changes the gradients by the values at both knots of a place together.
func sharedBackward() {
	function("sharedBackward", "g []float64, at []int, share, h []float64, B, P, R int")
	h := pointer("h")
	s := sums{pointer("at"), pointer("share"), pointer("g"), bytes(integer("P")), bytes(integer("R"))}
	head := head()
	s.overSamples(func() {
		sum := zero()
		overRow(s.row, single, func(t tile) { accumulate(sum, t.load(h, 0)) })
		by := fold(sum, add).AsX()
		p, top := GP64(), label("place")
		XORQ(p, p)
		Label(top)
		q := register(s.at.Idx(p, 1))
		both := s.pair(head, s.share.Idx(p, 1))
		VFMADD213PD(s.v.Idx(q, 8), by, both)
		VMOVUPD(both, s.v.Idx(q, 8))
		ADDQ(Imm(8), p)
		CMPQ(p, s.size)
		JL(LabelRef(top))
		ADDQ(s.row, h.Base)
	})
	end()
}
