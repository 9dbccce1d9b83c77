package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// log computes log x = k ln 2 + log(1+f), x = 2^k (1+f), sqrt(1/2) <= 1+f < sqrt(2),
// by the series of FreeBSD's e_log.c.
func log() {
	function("log", "dst, x []float64")
	dst, from := pointer("dst"), pointer("x")
	const root = 0x3fe6a09e667f3bcd // sqrt(1/2), by its bits
	none := zero()
	overRow(bytes(length("dst")), []int{1}, func(t tile) {
		x := t.load(from, 0)
		// Scale subnormal numbers to normal ones.
		tiny := compare(x, less, number(0x1p-1022))
		normal := pick(tiny, x, mul(x, number(0x1p54)))

		i, k, m := YMM(), YMM(), YMM()
		VPADDQ(bits(0x3ff0000000000000-root), normal, i)
		VPSRLQ(Imm(52), i, k)
		exponent := sub(or(k, number(0x1p52)), number(0x1p52+1023))
		exponent = sub(exponent, and(tiny, number(54)))
		VPADDQ(bits(root), and(i, bits(0x000fffffffffffff)), m)

		f := sub(m, number(1))
		s := div(f, add(f, number(2)))
		z := mul(s, s)
		w := mul(z, z)
		even := horner(w, []float64{3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01})
		odd := horner(w, []float64{6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01})
		R := mul(even, w)
		addProduct(R, odd, z)
		square := mul(mul(f, f), number(0.5))

		low := mul(exponent, number(ln2Lo))
		addProduct(low, s, add(square, R))
		sum := sub(f, sub(square, low))
		addProduct(sum, exponent, number(ln2Hi))

		sum = pick(compare(x, equal, number(math.Inf(1))), sum, x)
		sum = pick(compare(x, equal, none), sum, loaded(number(math.Inf(-1))))
		t.store(or(sum, compare(x, notAtLeastN, none)), dst, 0)
	})
	end()
}

// horner is c[0] + x c[1] + x^2 c[2] + ...
func horner(x vec, c []float64) vec {
	sum := loaded(number(c[len(c)-1]))
	for i := len(c) - 2; i >= 0; i-- {
		VFMADD213PD(number(c[i]), x, sum)
	}
	return sum
}
