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

// shrink reads each row twice.
func shrink() {
	functionOf("shrink", "g, v []float64, by, deviation float64, n, R int", "(means, deviations float64)")
	g, v := pointer("g"), pointer("v")
	by, deviation := scalar("by"), scalar("deviation")
	R, row := YMM(), bytes(integer("R"))
	VCVTSI2SDQ(integer("R"), R.AsX(), R.AsX())
	VBROADCASTSD(R.AsX(), R)
	means, deviations := zero(), zero()
	repeat(integer("n"), func() {
		sum := zero()
		overRow(row, single, func(t tile) { accumulate(sum, t.load(v, 0)) })
		mean := div(fold(sum, add), R)
		addProduct(means, mean, mean)
		start := mul(by, mean)
		overRow(row, single, func(t tile) {
			off := sub(t.load(v, 0), mean)
			if t.rest != nil {
				off = and(off, t.mask)
			}
			addProduct(deviations, off, off)
			out := copied(start)
			addProduct(out, deviation, off)
			t.store(out, g, 0)
		})
		ADDQ(row, g.Base)
		ADDQ(row, v.Base)
	})
	Store(means.AsX(), ReturnIndex(0))
	Store(fold(deviations, add).AsX(), ReturnIndex(1))
	end()
}

// plainHorner is c[0] + x c[1] + x^2 c[2] + ..., without fused products.
func plainHorner(x vec, c []float64) vec {
	sum := loaded(number(c[len(c)-1]))
	for i := len(c) - 2; i >= 0; i-- {
		VMULPD(x, sum, sum)
		VADDPD(number(c[i]), sum, sum)
	}
	return sum
}

// log1p does the operations of numeric.Log1p for 2^-29 <= x < 2^53, except where 1+x is close to a power of two.
func log1p() {
	const root = 0x6a09e667f3bcd // the mantissa of sqrt(2)
	function("log1p", "dst, x []float64")
	dst, from := pointer("dst"), pointer("x")
	one := loaded(number(1))
	overRow(bytes(length("dst")), single, func(t tile) {
		x := t.load(from, 0)
		ordinary := and(compare(x, atLeast, number(0x1p-29)), compare(x, less, number(0x1p53)))
		near := compare(x, less, number(4.142135623730950488017e-01)) // k = 0, f = x

		u := add(x, one)
		c := pick(compare(u, atLeast, number(2)), sub(x, sub(u, one)), sub(one, sub(u, x)))
		c = without(near, div(c, u))
		biased, upper := YMM(), YMM()
		VPSRLQ(Imm(52), u, biased)
		mantissa := and(u, bits(0x000fffffffffffff))
		VPCMPGTQ(bits(root-1), mantissa, upper)
		k := sub(or(biased, number(0x1p52)), number(0x1p52+1023))
		k = without(near, add(k, and(upper, one)))
		f := sub(or(mantissa, pick(upper, one, loaded(number(0.5)))), one)
		f = pick(near, f, x)
		ordinary = and(ordinary, compare(without(loaded(bits(1<<63)), f), atLeast, number(0x1p-50)))

		half := mul(mul(f, number(0.5)), f)
		s := div(f, add(f, number(2)))
		z := mul(s, s)
		r := mul(z, plainHorner(z, []float64{
			6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
			1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
		}))
		s = mul(s, add(half, r))
		whole := sub(f, sub(half, s))
		low := add(mul(k, number(ln2Lo)), c)
		other := sub(mul(k, number(ln2Hi)), sub(sub(half, add(s, low)), f))
		sum := pick(compare(k, equal, zero()), other, whole)
		t.store(pick(ordinary, loaded(number(math.NaN())), sum), dst, 0)
	})
	end()
}

// expm1 does the operations of numeric.Expm1 for 2^-54 <= |x| < 13, where the multiple k of log(2) is at most 19.
func expm1() {
	function("expm1", "dst, x []float64")
	dst, from := pointer("dst"), pointer("x")
	one, sign := loaded(number(1)), loaded(bits(1<<63))
	overRow(bytes(length("dst")), single, func(t tile) {
		x := t.load(from, 0)
		size := without(sign, x)
		ordinary := and(compare(size, atLeast, number(0x1p-54)), compare(size, less, number(13)))
		k := YMM()
		VROUNDPD(Imm(3), add(mul(x, number(1.44269504088896338700e+00)), or(and(sign, x), number(0.5))), k)
		k = pick(compare(size, less, number(1.03972077083991796413e+00)), k, or(and(sign, x), one))
		k = without(compare(size, lessEq, number(3.46573590279972654709e-01)), k)

		hi, lo := sub(x, mul(k, number(ln2Hi))), mul(k, number(ln2Lo))
		x = sub(hi, lo)
		c := sub(sub(hi, x), lo)
		half := mul(x, number(0.5))
		square := mul(x, half)
		r := plainHorner(square, []float64{
			1, -3.33333333333331316428e-02, 1.58730158725481460165e-03, -7.93650757867487942473e-05, 4.00821782732936239552e-06,
			-2.01099218183624371326e-07,
		})
		s := sub(loaded(number(3)), mul(r, half))
		e := mul(square, div(sub(r, s), sub(loaded(number(6)), mul(x, s))))
		none := sub(x, sub(mul(x, e), square)) // of k = 0
		e = sub(sub(mul(x, sub(e, c)), c), square)

		shifted, power, inverse := YMM(), YMM(), YMM() // 2^k, 2^-k
		VPSLLQ(Imm(52), add(k, number(0x1.8p52)), shifted)
		VPADDQ(shifted, one, power)
		VPSUBQ(shifted, one, inverse)
		positive := compare(k, greater, zero())
		base := pick(positive, one, sub(one, inverse))
		sum := mul(sub(base, sub(e, x)), power)
		sum = pick(positive, sub(sum, one), sum)
		minus := sub(mul(sub(x, e), number(0.5)), number(0.5))
		sum = pick(compare(k, equal, number(-1)), sum, minus)
		above := add(mul(sub(x, e), number(2)), one)
		below := mul(sub(e, add(x, number(0.5))), number(-2))
		sum = pick(compare(k, equal, one), sum, pick(compare(x, less, number(-0.25)), above, below))
		sum = pick(compare(k, equal, zero()), sum, none)
		t.store(pick(ordinary, loaded(number(math.NaN())), sum), dst, 0)
	})
	end()
}
