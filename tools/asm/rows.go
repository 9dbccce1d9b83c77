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
	function("ambiguityBackward",
		"byFiring, byOutput, level, factor, outputs, y, d, rounding, weight, scale []float64, alpha float64, B, R int")
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

func divide() {
	function("divide", "dst []float64, a float64, x []float64")
	dst, a, x := pointer("dst"), scalar("a"), pointer("x")
	overRow(bytes(length("dst")), single, func(t tile) {
		t.store(div(a, t.load(x, 0)), dst, 0)
	})
	end()
}

func adaBound() {
	function("adaBound", "value, grad, m, v []float64, alpha, epsilon, b1, a1, b2, a2, c1, c2, lower, upper float64")
	value, grad, m, v := pointer("value"), pointer("grad"), pointer("m"), pointer("v")
	alpha, epsilon := scalar("alpha"), scalar("epsilon")
	b1, a1, b2, a2 := scalar("b1"), scalar("a1"), scalar("b2"), scalar("a2")
	c1, c2, lower, upper := scalar("c1"), scalar("c2"), scalar("lower"), scalar("upper")
	overRow(bytes(length("value")), single, func(t tile) {
		g := t.load(grad, 0)
		mi, vi := mul(b1, t.load(m, 0)), mul(b2, t.load(v, 0))
		addProduct(mi, a1, g)
		addProduct(vi, mul(a2, g), g)
		root := YMM()
		VSQRTPD(mul(vi, c2), root)
		rate := most(lower, least(upper, div(alpha, add(root, epsilon))))
		w := t.load(value, 0)
		subProduct(w, mul(rate, mi), c1)
		t.store(w, value, 0)
		t.store(mi, m, 0)
		t.store(vi, v, 0)
	})
	end()
}

// expandMask expands each word to four cells, 16 bits each.
func expandMask() {
	function("expandMask", "mask []float64, words []uint64, threshold uint64, B, R int")
	mask, words := pointer("mask"), pointer("words")
	threshold, one := scalar("threshold"), loaded(number(1))
	row := bytes(integer("R"))
	repeat(integer("B"), func() {
		some := zero()
		overRow(row, single, func(t tile) {
			cells := YMM()
			VPMOVZXWQ(words, cells)
			kept := YMM()
			VPCMPGTQ(cells, threshold, kept)
			v := and(kept, one)
			if t.rest != nil {
				v = and(v, t.mask)
			}
			VORPD(v, some, some)
			t.store(v, mask, 0)
			ADDQ(Imm(8), words.Base)
		})
		next := label("next")
		VPTEST(some, some)
		JNZ(LabelRef(next))
		overRow(row, single, func(t tile) { t.store(copied(one), mask, 0) })
		Label(next)
		ADDQ(row, mask.Base)
	})
	end()
}

// sumSquares accumulates in four vectors.
func sumSquares() {
	functionOf("sumSquares", "x []float64", "float64")
	x := pointer("x")
	sums := zeros(4)
	overRow(bytes(length("x")), []int{4, 1}, func(t tile) {
		for i := range t.n {
			v := t.load(x, i)
			addProduct(sums[i], v, v)
		}
	})
	sum := fold(add(add(sums[0], sums[1]), add(sums[2], sums[3])), add)
	Store(sum.AsX(), ReturnIndex(0))
	end()
}

// within searches for an element outside the limit.
func within() {
	functionOf("within", "x []float64, limit float64", "bool")
	x, limit, sign := pointer("x"), scalar("limit"), loaded(bits(1<<63))
	beyond := zero()
	overRow(bytes(length("x")), []int{4, 1}, func(t tile) {
		for i := range t.n {
			bad := compare(without(sign, t.load(x, i)), notLessN, limit)
			if t.rest != nil {
				bad = and(bad, t.mask)
			}
			VORPD(bad, beyond, beyond)
		}
	})
	ok := GP8()
	VPTEST(beyond, beyond)
	SETEQ(ok)
	Store(ok, ReturnIndex(0))
	end()
}
