package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// ln 2 in two parts, as in FreeBSD's e_exp.c; products of the first one with
// integers up to 2^20 are exact.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// exp computes e^x = 2^n e^r, x = n ln 2 + r, |r| <= ln(2)/2, of which
//
//	e^r = 1 + (r + r^2 (1/2! + r/3! + ... + r^11/13!))
//
// is off by less than 4e-18. Overflow and underflow occur in the multiplication by 2^n,
// made in two steps. Since that is slow, e^x for x < -746, frequent under masks, is set
// to zero without it.
func exp() {
	const shifter = 0x1.8p52 // shifter + v ends in the bits of v rounded to an integer
	function("exp", "dst, x []float64")
	dst, from := pointer("dst"), pointer("x")
	lowest, highest, log2e := loaded(number(-746)), loaded(number(710)), loaded(number(math.Log2E))
	shift, hi, lo, one := loaded(number(shifter)), loaded(number(ln2Hi)), loaded(number(ln2Lo)), loaded(number(1))
	overRow(bytes(length("dst")), []int{1}, func(t tile) {
		x := least(highest, t.load(from, 0)) // keeps NaN
		some := compare(x, notLessN, lowest)
		x = and(some, x)
		bits := copied(shift)
		addProduct(bits, x, log2e)
		n := sub(bits, shift)
		subProduct(x, n, hi)
		subProduct(x, n, lo)

		var even, odd []float64
		factorial := 1.0
		for k := 2; k <= 13; k += 2 {
			factorial *= float64(k)
			even = append(even, 1/factorial)
			factorial *= float64(k + 1)
			odd = append(odd, 1/factorial)
		}
		square := mul(x, x)
		q := horner(square, even)
		addProduct(q, x, horner(square, odd))
		addProduct(x, square, q)
		e := add(x, one)

		half, rest := YMM(), YMM()
		VPSRLQ(Imm(1), bits, half)
		VPSUBQ(half, bits, rest)
		for _, n := range []vec{half, rest} { // 2^n, by its exponent bits
			VPSLLQ(Imm(52), n, n)
			VPADDQ(one, n, n)
			e = mul(e, n)
		}
		t.store(and(some, e), dst, 0)
	})
	end()
}
