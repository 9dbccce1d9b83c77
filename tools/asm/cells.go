package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

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
