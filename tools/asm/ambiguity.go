package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func ambiguity() {
	functionOf("ambiguity", "d, rounding, level, outputs, y, weight []float64, B, R int", "float64")
	d, rounding, level, outputs := pointer("d"), pointer("rounding"), pointer("level"), pointer("outputs")
	y, weight := pointer("y"), pointer("weight")
	row, total := bytes(integer("R")), zero()
	repeat(integer("B"), func() {
		yn, first, second := broadcast(y), zero(), zero()
		overRow(row, single, func(t tile) {
			off := sub(t.load(outputs, 0), yn)
			if t.rest != nil {
				off = and(off, t.mask) // of an infinite y
			}
			product := mul(t.load(level, 0), off)
			accumulate(first, product)
			addProduct(second, product, off)
		})
		first, second = fold(first, add), fold(second, add)
		subProduct(second, first, first)
		addProduct(total, second, broadcast(weight))
		VMOVSD(second.AsX(), d)
		VMOVSD(first.AsX(), rounding)
		for _, p := range []Mem{d, rounding, y, weight} {
			ADDQ(Imm(8), p.Base)
		}
		for _, p := range []Mem{level, outputs} {
			ADDQ(row, p.Base)
		}
	})
	Store(total.AsX(), ReturnIndex(0))
	end()
}

// ambiguityBackward keeps the addresses of vectors of samples as one index, since there
// are more slices than registers.
func ambiguityBackward() {
	function("ambiguityBackward", "byFiring, byOutput, level, factor, outputs, y, d, rounding, weight, scale []float64, alpha float64, B, R int")
	byFiring, byOutput := pointer("byFiring"), pointer("byOutput")
	level, factor, outputs := pointer("level"), pointer("factor"), pointer("outputs")
	row := bytes(integer("R"))
	alpha, half := scalar("alpha"), loaded(number(0.5))
	n, B := GP64(), integer("B")
	XORQ(n, n)
	next := label("sample")
	Label(next)
	of := func(slice string) vec { return broadcast(pointer(slice).Idx(n, 8)) }
	yn, dn, lost := of("y"), of("d"), of("rounding")
	by := mul(alpha, of("weight"))
	byLevel := mul(mul(half, by), of("scale"))
	overRow(row, single, func(t tile) {
		off := sub(sub(t.load(outputs, 0), yn), lost)
		out, firing := t.load(byOutput, 0), t.load(byFiring, 0)
		addProduct(out, mul(by, t.load(level, 0)), off)
		addProduct(firing, mul(byLevel, t.load(factor, 0)), sub(mul(off, off), dn))
		t.store(out, byOutput, 0)
		t.store(firing, byFiring, 0)
	})
	for _, p := range []Mem{byFiring, byOutput, level, factor, outputs} {
		ADDQ(row, p.Base)
	}
	INCQ(n)
	CMPQ(n, B)
	JL(LabelRef(next))
	end()
}
