package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// exp is the loop of exponential.
func exp() {
	function("exp", "dst, x []float64")
	dst, x := pointer("dst"), pointer("x")
	overRow(bytes(length("dst")), []int{1}, func(t tile) {
		t.store(exponential(t.load(x, 0)), dst, 0)
	})
	end()
}

// ln 2 in two parts, as in FreeBSD's e_exp.c; products of the first one with
// integers up to 2^20 are exact.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// shifter rounds: of shifter + v, the last bits are those of v rounded to an integer.
const shifter = 0x1.8p52

// exponential is e^x = 2^n e^r, x = n ln 2 + r, |r| <= ln(2)/2, of which
//
//	e^r = 1 + (r + r^2 (1/2! + r/3! + ... + r^11/13!))
//
// is off by less than 4e-18. What over- or underflows does so when 2^n is
// multiplied, in two steps; x is cut to where that is certain.
func exponential(x vec) vec {
	x = most(loaded(number(-746)), least(loaded(number(710)), x)) // NaN stays
	t := loaded(number(shifter))
	addProduct(t, x, number(math.Log2E))
	n := sub(t, number(shifter))
	r := copied(x)
	subProduct(r, n, number(ln2Hi))
	subProduct(r, n, number(ln2Lo))

	terms, factorial := []vec{}, 1.0
	for k := 2; k <= 13; k++ {
		factorial *= float64(k)
		if c := number(1 / factorial); k%2 == 0 {
			terms = append(terms, loaded(c))
		} else {
			addProduct(terms[len(terms)-1], r, c)
		}
	}
	r2 := mul(r, r)
	q := estrin(terms, r2)
	addProduct(r, r2, q)
	e := add(r, number(1))

	half := loaded(number(shifter))
	addProduct(half, n, number(0.5))
	rest := add(sub(n, sub(half, number(shifter))), number(shifter))
	return mul(mul(e, powerOfTwo(half)), powerOfTwo(rest))
}

// estrin is terms[0] + x terms[1] + x^2 terms[2] + ..., with short chains.
func estrin(terms []vec, x vec) vec {
	for len(terms) > 1 {
		for i := 0; i+1 < len(terms); i += 2 {
			addProduct(terms[i], x, terms[i+1])
			terms[i/2] = terms[i]
		}
		if len(terms)%2 == 1 {
			terms[len(terms)/2] = terms[len(terms)-1]
		}
		if terms = terms[:(len(terms)+1)/2]; len(terms) > 1 {
			x = mul(x, x)
		}
	}
	return terms[0]
}

// powerOfTwo is 2^n from shifter + n.
func powerOfTwo(n vec) vec {
	d := YMM()
	VPSLLQ(Imm(52), n, d)
	VPADDQ(number(1), d, d)
	return d
}
