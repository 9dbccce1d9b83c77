package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// overColumns emits body for tiles of samples, and within it a loop over the columns of x [M,B]: step is emitted once,
// with the tile in the column and the packed parameters of its feature, size numbers each. before and after surround
// the loop.
func overColumns(p Mem, size int, before func(t tile), step func(t tile, column, p Mem), after func(t tile)) {
	x, row, M := pointer("x"), bytes(integer("B")), integer("M")
	overRow(row, []int{4, 1}, func(t tile) {
		before(t)
		column, of := Mem{Base: register(x.Base)}, Mem{Base: register(p.Base)}
		repeat(register(M), func() {
			step(t, column, of)
			ADDQ(row, column.Base)
			ADDQ(Imm(uint64(8*size)), of.Base)
		})
		after(t)
	})
	end()
}

func gaussianColumn() {
	function("gaussianColumn", "z, x, p []float64, B, M int")
	z := pointer("z")
	var sums []vec
	overColumns(pointer("p"), 2, func(t tile) { sums = zeros(t.n) }, func(t tile, column, p Mem) {
		c, k := broadcast(p), broadcast(p.Offset(8))
		for i := range t.n {
			u := mul(sub(t.load(column, i), c), k)
			VSUBPD(mul(u, u), sums[i], sums[i])
		}
	}, func(t tile) {
		for i := range t.n {
			t.store(sums[i], z, i)
		}
	})
}

// trapezoidColumn divides by a number a whose rounded reciprocal is r: for n moderate, as kernel.Moderate says,
//
//	q = n r,  n/a = q + (n - a q) r
//
// with a remainder n - a q that is exact where it matters is the correctly rounded quotient (P. Markstein, Computation
// of elementary functions on the IBM RISC System/6000 processor, IBM Journal of Research and Development 34 (1990)).
func trapezoidColumn() {
	function("trapezoidColumn", "f, x, p []float64, B, M int")
	f := pointer("f")
	one, none := loaded(number(1)), zero()
	var product []vec
	overColumns(pointer("p"), 6, func(t tile) {
		product = nil
		for range t.n {
			product = append(product, copied(one))
		}
	}, func(t tile, column, p Mem) {
		quotient := func(n vec, a, r vec) vec {
			q := mul(n, r)
			subProduct(n, q, a)
			addProduct(q, n, r)
			return q
		}
		a, left, byLeft := broadcast(p), broadcast(p.Offset(8)), broadcast(p.Offset(16))
		d, right, byRight := broadcast(p.Offset(24)), broadcast(p.Offset(32)), broadcast(p.Offset(40))
		for i := range t.n {
			x := t.load(column, i)
			grade := least(quotient(sub(x, a), left, byLeft), quotient(sub(d, x), right, byRight))
			VMULPD(most(least(grade, one), none), product[i], product[i])
		}
	}, func(t tile) {
		for i := range t.n {
			t.store(product[i], f, i)
		}
	})
}

func consequentColumn() {
	function("consequentColumn", "y, x, w []float64, B, M int")
	y, w := pointer("y"), pointer("w")
	var sums []vec
	slopes := Mem{Base: register(w.Base)}
	ADDQ(Imm(8), slopes.Base)
	overColumns(slopes, 1, func(t tile) {
		sums = nil
		for range t.n {
			sums = append(sums, broadcast(w))
		}
	}, func(t tile, column, slope Mem) {
		k := broadcast(slope)
		for i := range t.n {
			accumulate(sums[i], mul(k, t.load(column, i)))
		}
	}, func(t tile) {
		for i := range t.n {
			t.store(sums[i], y, i)
		}
	})
}

// overRules emits body in a loop over the R rows of the matrix at m, for a tile.
func overRules(m Mem, row GPVirtual, body func(at Mem)) {
	at := Mem{Base: register(m.Base)}
	repeat(integer("R"), func() {
		body(at)
		ADDQ(row, at.Base)
	})
}

func shiftColumns() {
	function("shiftColumns", "z []float64, B, R int")
	z, row := pointer("z"), bytes(integer("B"))
	low := loaded(number(math.Inf(-1)))
	overRow(row, single, func(t tile) {
		top := copied(low)
		overRules(z, row, func(at Mem) { VMAXPD(top, t.load(at, 0), top) }) // top if the other is NaN
		overRules(z, row, func(at Mem) { t.store(sub(t.load(at, 0), top), at, 0) })
	})
	end()
}

func normaliseColumns() {
	function("normaliseColumns", "covered, level []float64, least float64, B, R int")
	covered, level, row := pointer("covered"), pointer("level"), bytes(integer("B"))
	least, one := scalar("least"), loaded(number(1))
	overRow(row, single, func(t tile) {
		sum := zero()
		overRules(level, row, func(at Mem) { accumulate(sum, t.load(at, 0)) })
		some := and(compare(sum, greater, least), compare(sum, lessEq, number(math.MaxFloat64)))
		overRules(level, row, func(at Mem) { t.store(and(some, div(t.load(at, 0), sum)), at, 0) })
		t.store(and(some, one), covered, 0)
	})
	end()
}

func addWeighted() {
	function("addWeighted", "sum, level, v []float64")
	sum, level, v := pointer("sum"), pointer("level"), pointer("v")
	none := zero()
	overRow(bytes(length("sum")), single, func(t tile) {
		f, s := t.load(level, 0), t.load(sum, 0)
		t.store(pick(compare(f, notEqualN, none), s, add(s, mul(f, t.load(v, 0)))), sum, 0)
	})
	end()
}

// moderate searches for an element outside the limits.
func moderate() {
	functionOf("moderate", "x []float64", "bool")
	x, sign, none := pointer("x"), loaded(bits(1<<63)), zero()
	high, low := loaded(number(0x1p702)), loaded(number(0x1p-200))
	bad := zero()
	overRow(bytes(length("x")), []int{4, 1}, func(t tile) {
		for i := range t.n {
			size := without(sign, t.load(x, i))
			tiny := and(compare(size, less, low), compare(size, greater, none))
			VORPD(or(tiny, compare(size, notLessEqN, high)), bad, bad)
		}
	})
	ok := GP8()
	VPTEST(bad, bad)
	SETEQ(ok)
	Store(ok, ReturnIndex(0))
	end()
}
