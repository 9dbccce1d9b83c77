package numeric

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// ExactSum is an exact sum of float64 numbers and of products of them. The zero value is zero. A Sum must not be copied
// after its first use.
//
// It is a superaccumulator: a number of fixed point whose limbs, of 32 bits each, have 31 bits of room for carries
// (R. M. Neal, Fast exact summation using small and large superaccumulators, arXiv:1505.05571, 2015). Limbs exist only
// for the exponents that occur.
type ExactSum struct {
	low   int     // place of the first limb: limb i counts 2^(32 (low + i))
	limbs []int64 // of absolute values below 2^63
	added int     // terms since the limbs were normalised
}

// most is the number of terms after which limbs are normalised: each adds less than 2^32 to a limb.
const most = 1 << 29

// Add adds a finite number.
func (s *ExactSum) Add(v float64) {
	negative, m, e := parts(v)
	s.add(negative, e, m)
}

// AddProduct adds the exact product of two finite numbers.
func (s *ExactSum) AddProduct(v, w float64) {
	vNegative, m, e := parts(v)
	wNegative, n, f := parts(w)
	high, low := bits.Mul64(m, n)
	s.add(vNegative != wNegative, e+f, low, high)
}

// AddSquare adds the exact product of the square of a finite number and a finite weight.
func (s *ExactSum) AddSquare(v, weight float64) {
	_, m, e := parts(v)
	negative, n, f := parts(weight)
	high, low := bits.Mul64(m, m)
	if weight == 1 {
		s.add(false, 2*e, low, high)
		return
	}
	middle, first := bits.Mul64(low, n)
	top, second := bits.Mul64(high, n)
	second, carry := bits.Add64(second, middle, 0)
	s.add(negative, 2*e+f, first, second, top+carry)
}

// parts returns a finite number as its sign and m 2^e.
func parts(v float64) (negative bool, m uint64, e int) {
	b := math.Float64bits(v)
	m, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0x7ff {
		panic("numeric: a number that is not finite")
	}
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	return b>>63 != 0, m, e - 1075
}

// add adds plus or minus the integer of the words, the lowest first, times 2^e.
func (s *ExactSum) add(negative bool, e int, words ...uint64) {
	at, shift := e>>5, uint(e&31)
	n := 2*len(words) + 1
	if at < s.low || at+n > s.low+len(s.limbs) {
		s.cover(at, n)
	}
	limbs, sign, rest := s.limbs[at-s.low:][:n], int64(1), uint64(0)
	if negative {
		sign = -1
	}
	for i, w := range words {
		low := w<<shift | rest
		rest = w >> (64 - shift) // 0 if shift is 0
		limbs[2*i] += sign * int64(low&math.MaxUint32)
		limbs[2*i+1] += sign * int64(low>>32)
	}
	limbs[n-1] += sign * int64(rest)
	if s.added++; s.added == most {
		s.normalise()
	}
}

// cover makes limbs for n places from at on.
func (s *ExactSum) cover(at, n int) {
	if len(s.limbs) == 0 {
		s.low = at
	}
	if before := s.low - at; before > 0 {
		s.limbs = append(make([]int64, before, before+len(s.limbs)), s.limbs...)
		s.low = at
	}
	if missing := at + n - s.low - len(s.limbs); missing > 0 {
		s.limbs = append(s.limbs, make([]int64, missing)...)
	}
}

// normalise makes all limbs but the last numbers of 32 bits, and the last one smaller than 2^32. It changes no limb of a
// sum that is so.
func (s *ExactSum) normalise() {
	carry, last := int64(0), len(s.limbs)-1
	for i := range s.limbs {
		v := s.limbs[i] + carry
		if top := v >> 32; i == last && (top == 0 || top == -1) {
			s.limbs[i], carry = v, 0
			break
		}
		s.limbs[i], carry = v&math.MaxUint32, v>>32
	}
	if carry != 0 {
		s.limbs = append(s.limbs, carry)
	}
	s.added = 1 // each limb is at most one term
}

// Merge adds the sum of o, which stays as it is.
func (s *ExactSum) Merge(o *ExactSum) {
	if len(o.limbs) == 0 {
		return
	}
	if o.added > 1 {
		o = &ExactSum{o.low, slices.Clone(o.limbs), o.added}
		o.normalise()
	}
	s.normalise()
	s.cover(o.low, len(o.limbs))
	for i, limb := range o.limbs {
		s.limbs[o.low-s.low+i] += limb
	}
	s.added++
}

// Rat returns the sum.
func (s *ExactSum) Rat() *big.Rat {
	s.normalise()
	n := new(big.Int)
	for i := len(s.limbs) - 1; i >= 0; i-- {
		n.Add(n.Lsh(n, 32), big.NewInt(s.limbs[i]))
	}
	r := new(big.Rat).SetInt(n)
	unit := new(big.Int).Lsh(big.NewInt(1), uint(32*max(s.low, -s.low)))
	if s.low < 0 {
		return r.Quo(r, new(big.Rat).SetInt(unit))
	}
	return r.Mul(r, new(big.Rat).SetInt(unit))
}

// Float64 returns the float64 nearest to the sum.
func (s *ExactSum) Float64() float64 {
	v, _ := s.Rat().Float64()
	return v
}

// MarshalBinary and UnmarshalBinary encode a Sum, by encoding/gob as well.
func (s *ExactSum) MarshalBinary() ([]byte, error) {
	s.normalise()
	out := binary.AppendVarint(nil, int64(s.low))
	for _, limb := range s.limbs {
		out = binary.AppendVarint(out, limb)
	}
	return out, nil
}

// maxLimbs bounds the limbs of a sum: products of three numbers have exponents from -3222 to 3072, and a carry.
const maxLimbs = 256

var errEncoding = errors.New("numeric: not an encoded sum")

// UnmarshalBinary replaces s by an encoded sum.
func (s *ExactSum) UnmarshalBinary(from []byte) error {
	low, n := binary.Varint(from)
	if n <= 0 || low < -maxLimbs || low > maxLimbs {
		return errEncoding
	}
	*s = ExactSum{low: int(low), added: 1}
	for from = from[n:]; len(from) > 0; from = from[n:] {
		var limb int64
		if limb, n = binary.Varint(from); n <= 0 || len(s.limbs) == maxLimbs {
			return errEncoding
		}
		if limb>>32 != 0 && limb>>32 != -1 {
			return errEncoding
		}
		s.limbs = append(s.limbs, limb)
	}
	return nil
}
