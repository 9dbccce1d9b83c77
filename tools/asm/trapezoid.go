package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

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
