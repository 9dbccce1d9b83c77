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

// legs computes 1/(b-a) and 1/(d-c).
func legs() {
	function("legs", "left, right, a, b, c, d []float64")
	left, right := pointer("left"), pointer("right")
	a, b, c, d := pointer("a"), pointer("b"), pointer("c"), pointer("d")
	one := loaded(number(1))
	overRow(bytes(length("left")), []int{1}, func(t tile) {
		t.store(div(one, sub(t.load(b, 0), t.load(a, 0))), left, 0)
		t.store(div(one, sub(t.load(d, 0), t.load(c, 0))), right, 0)
	})
	end()
}

// trapezoidForward works on tiles of one sample and up to four vectors of rules.
func trapezoidForward() {
	function("trapezoidForward", "f, x, a, d, left, right []float64, B, M, R int")
	f, x := pointer("f"), pointer("x")
	a, d, left, right := pointer("a"), pointer("d"), pointer("left"), pointer("right")
	row := bytes(integer("R"))
	M := integer("M")
	one, none := loaded(number(1)), zero()
	repeat(integer("B"), func() {
		overRow(row, []int{4, 1}, func(t tile) {
			var product []vec
			for range t.n {
				product = append(product, copied(one))
			}
			o, xp := register(t.at), Mem{Base: register(x.Base)}
			repeat(register(M), func() {
				xn := broadcast(xp)
				for i := range t.n {
					at := func(p Mem) vec { return t.read(p.Idx(o, 1).Offset(32 * i)) }
					l := mul(sub(xn, at(a)), at(left))
					r := mul(sub(at(d), xn), at(right))
					lost := compare(l, unord, r) // a minimum may lose NaN
					grade := most(none, least(one, least(l, r)))
					VMULPD(or(grade, lost), product[i], product[i])
				}
				ADDQ(row, o)
				ADDQ(Imm(8), xp.Base)
			})
			for i := range t.n {
				t.store(product[i], f, i)
			}
		})
		LEAQ(x.Idx(M, 8), x.Base)
		ADDQ(row, f.Base)
	})
	end()
}

// trapezoidBackward works on tiles of one feature and one vector of rules, each over
// all samples.
func trapezoidBackward() {
	function("trapezoidBackward", "ga, gb, gc, gd, v, x, a, b, c, d []float64, B, M, R int")
	x, v, row := pointer("x"), pointer("v"), bytes(integer("R"))
	xRow, M := bytes(integer("M")), integer("M")
	shift := GP64() // of the feature's row
	XORQ(shift, shift)
	at := func(name string) Mem { return shifted(pointer(name), shift) }
	repeat(M, func() {
		overRow(row, []int{1}, func(t tile) {
			a, b, c, d := t.load(at("a"), 0), t.load(at("b"), 0), t.load(at("c"), 0), t.load(at("d"), 0)
			// Sums of v, and of v over the distance to the foot, on either leg.
			onLeft, toLeft, onRight, toRight := zero(), zero(), zero(), zero()
			none, one := zero(), loaded(number(1))
			xp, vp := Mem{Base: register(x.Base)}, Mem{Base: register(v.Base)}
			repeat(integer("B"), func() {
				xn := broadcast(xp)
				p, q := sub(xn, a), sub(d, xn)
				rising := and(compare(p, greater, none), compare(xn, less, b))
				falling := without(rising, and(compare(q, greater, none), compare(xn, greater, c)))
				foot := pick(falling, pick(rising, one, p), q)
				w := t.load(vp, 0)
				u := div(w, foot)
				accumulate(onLeft, and(rising, w))
				accumulate(toLeft, and(rising, u))
				accumulate(onRight, and(falling, w))
				accumulate(toRight, and(falling, u))
				ADDQ(xRow, xp.Base)
				ADDQ(row, vp.Base)
			})
			left, right := div(onLeft, sub(b, a)), div(onRight, sub(d, c))
			for _, g := range []struct {
				name  string
				value vec
			}{{"ga", sub(left, toLeft)}, {"gb", sub(none, left)}, {"gc", right}, {"gd", sub(toRight, right)}} {
				t.store(g.value, at(g.name), 0)
			}
		})
		ADDQ(Imm(8), x.Base)
		ADDQ(row, shift)
	})
	end()
}
