package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gaussianForward works on tiles of two samples and up to four vectors of rules.
func gaussianForward() {
	function("gaussianForward", "z, x, c, k []float64, B, M, R int")
	z, x, c, k := pointer("z"), pointer("x"), pointer("c"), pointer("k")
	B, xRow, row := integer("B"), bytes(integer("M")), bytes(integer("R"))
	overPairs(B, func(step func(GPVirtual) GPVirtual) {
		xb, zb := shifted(x, step(xRow)), shifted(z, step(row))
		overRow(row, []int{4, 2, 1}, func(t tile) {
			sa, sb := zeros(t.n), zeros(t.n)
			o, m := register(t.at), GP64()
			XORQ(m, m)
			top := label("feature")
			Label(top)
			va, vb := broadcast(x.Idx(m, 1)), broadcast(xb.Idx(m, 1))
			for i := range t.n {
				ci, ki := t.read(c.Idx(o, 1).Offset(32*i)), t.read(k.Idx(o, 1).Offset(32*i))
				u := mul(sub(va, ci), ki)
				subProduct(sa[i], u, u)
				u = mul(sub(vb, ci), ki)
				subProduct(sb[i], u, u)
			}
			ADDQ(row, o)
			ADDQ(Imm(8), m)
			CMPQ(m, xRow)
			JL(LabelRef(top))
			for i := range t.n {
				t.store(sa[i], z, i)
				t.store(sb[i], zb, i)
			}
		})
		LEAQ(xb.Idx(xRow, 1), x.Base)
		LEAQ(zb.Idx(row, 1), z.Base)
	})
	end()
}

// gaussianBackward works on tiles of one feature and up to four vectors of rules,
// each over all samples.
func gaussianBackward() {
	function("gaussianBackward", "gc, gsigma, v, x, c, sigma []float64, B, M, R int")
	v, x, c := pointer("v"), pointer("x"), pointer("c")
	shift := GP64() // of the feature's row
	XORQ(shift, shift)
	M, row := integer("M"), bytes(integer("R"))
	xRow := bytes(integer("M"))
	repeat(M, func() {
		overRow(row, []int{4, 2, 1}, func(t tile) {
			var sums []moments
			for i := range t.n {
				sums = append(sums, moments{t.load(c, i), zero(), zero()})
			}
			vp, xp := Mem{Base: register(v.Base)}, Mem{Base: register(x.Base)}
			repeat(integer("B"), func() {
				xn := broadcast(xp)
				for i, p := range sums {
					d := sub(xn, p.at)
					w := mul(d, t.load(vp, i))
					accumulate(p.first, w)
					addProduct(p.second, w, d)
				}
				ADDQ(xRow, xp.Base)
				ADDQ(row, vp.Base)
			})
			one := loaded(number(1))
			gc, gsigma, sigma := shifted(pointer("gc"), shift), shifted(pointer("gsigma"), shift), shifted(pointer("sigma"), shift)
			for i, p := range sums {
				k := div(one, t.load(sigma, i))
				k2 := mul(k, k)
				t.store(mul(p.first, k2), gc, i)
				t.store(mul(mul(p.second, k2), k), gsigma, i)
			}
		})
		ADDQ(Imm(8), x.Base)
		ADDQ(row, c.Base)
		ADDQ(row, shift)
	})
	end()
}

// moments are a centre, and the first and second moments about it.
type moments struct{ at, first, second vec }
