package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// widths of rows that are processed vector by vector.
var single = []int{1}

// shiftRows is the first half of ExpRows: the second is Exp.
func shiftRows() {
	function("shiftRows", "f, z, mask []float64, B, R int")
	f, z, mask := pointer("f"), pointer("z"), pointer("mask")
	row := bytes(integer("R"))
	none, low := zero(), loaded(number(math.Inf(-1)))
	size, largest := loaded(bits(math.MaxInt64)), number(math.MaxFloat64)
	repeat(integer("B"), func() {
		top, lost := copied(low), zero()
		kept := func(t tile, v vec) vec { return pick(compare(t.load(mask, 0), notEqualN, none), low, v) }
		overRow(row, single, func(t tile) {
			v := kept(t, t.load(z, 0))
			VORPD(compare(v, unord, v), lost, lost) // a maximum may lose NaN
			VMAXPD(v, top, top)
		})
		top = fold(top, most)
		// All bits set are NaN.
		VORPD(compare(and(size, top), notLessEqN, largest), lost, lost)
		VORPD(fold(lost, or), top, top)
		overRow(row, single, func(t tile) {
			t.store(kept(t, sub(t.load(z, 0), top)), f, 0)
		})
		for _, p := range []Mem{f, z, mask} {
			ADDQ(row, p.Base)
		}
	})
	end()
}

func dropRows() {
	function("dropRows", "level, used, f, mask []float64, least float64, B, R int")
	level, used, f, mask := pointer("level"), pointer("used"), pointer("f"), pointer("mask")
	row := bytes(integer("R"))
	least, one := scalar("least"), loaded(number(1))
	repeat(integer("B"), func() {
		sum := zero()
		overRow(row, single, func(t tile) {
			addProduct(sum, t.load(f, 0), t.load(mask, 0))
		})
		lift := compare(fold(sum, add), notMoreN, least)
		overRow(row, single, func(t tile) {
			u := pick(lift, t.load(mask, 0), one)
			t.store(mul(u, t.load(f, 0)), level, 0)
			t.store(u, used, 0)
		})
		for _, p := range []Mem{level, used, f, mask} {
			ADDQ(row, p.Base)
		}
	})
	end()
}

func normalise() {
	function("normalise", "y, scale, covered, level, outputs []float64, least float64, B, R int")
	y, scale, covered := pointer("y"), pointer("scale"), pointer("covered")
	level, outputs := pointer("level"), pointer("outputs")
	row := bytes(integer("R"))
	least, one := scalar("least"), loaded(number(1))
	repeat(integer("B"), func() {
		sum, total := zero(), zero()
		overRow(row, single, func(t tile) { accumulate(sum, t.load(level, 0)) })
		sum = fold(sum, add)
		dark := compare(sum, lessEq, least)
		factor := without(dark, div(one, sum))
		overRow(row, single, func(t tile) {
			v := mul(without(dark, t.load(level, 0)), factor)
			addProduct(total, v, t.load(outputs, 0))
			t.store(v, level, 0)
		})
		VMOVSD(without(dark, fold(total, add)).AsX(), y)
		VMOVSD(factor.AsX(), scale)
		VMOVSD(and(compare(sum, greater, least), one).AsX(), covered)
		for _, p := range []Mem{y, scale, covered} {
			ADDQ(Imm(8), p.Base)
		}
		for _, p := range []Mem{level, outputs} {
			ADDQ(row, p.Base)
		}
	})
	end()
}

func normaliseBackward() {
	function("normaliseBackward", "byFiring, byOutput, level, factor, outputs, y, dy, scale []float64, B, R int")
	byFiring, byOutput := pointer("byFiring"), pointer("byOutput")
	level, factor, outputs := pointer("level"), pointer("factor"), pointer("outputs")
	y, dy, scale := pointer("y"), pointer("dy"), pointer("scale")
	row := bytes(integer("R"))
	repeat(integer("B"), func() {
		yn, e, s := broadcast(y), broadcast(dy), broadcast(scale)
		VMULPD(e, s, s)
		rounding := zero()
		overRow(row, single, func(t tile) {
			off := sub(t.load(outputs, 0), yn)
			if t.rest != nil {
				off = and(off, t.mask) // of an infinite y
			}
			addProduct(rounding, t.load(level, 0), off)
		})
		rounding = fold(rounding, add)
		overRow(row, single, func(t tile) {
			t.store(mul(e, t.load(level, 0)), byOutput, 0)
			t.store(mul(mul(s, t.load(factor, 0)), sub(sub(t.load(outputs, 0), yn), rounding)), byFiring, 0)
		})
		for _, p := range []Mem{y, dy, scale} {
			ADDQ(Imm(8), p.Base)
		}
		for _, p := range []Mem{byFiring, byOutput, level, factor, outputs} {
			ADDQ(row, p.Base)
		}
	})
	end()
}
