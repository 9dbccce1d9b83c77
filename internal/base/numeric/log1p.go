// Copyright 2010 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package numeric

import "math"

// The original C code is from FreeBSD's /usr/src/lib/msun/src/s_log1p.c and came with this
// notice.
//
// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice
// is preserved.
// ====================================================

// The natural logarithm of two, in two parts.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// Log1p returns log(1+x), as math.Log1p does on amd64.
func Log1p(x float64) float64 {
	const (
		lp1 = 6.666666666666735130e-01
		lp2 = 3.999999999940941908e-01
		lp3 = 2.857142874366239149e-01
		lp4 = 2.222219843214978396e-01
		lp5 = 1.818357216161805012e-01
		lp6 = 1.531383769920937332e-01
		lp7 = 1.479819860511658591e-01
	)
	switch {
	case x < -1 || math.IsNaN(x):
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case math.IsInf(x, 1) || math.Abs(x) < 0x1p-54:
		return x
	case math.Abs(x) < 0x1p-29:
		return x - float64(x*x*0.5)
	}
	f, c, k, tiny := mantissa(x)
	hfsq := float64(0.5 * f * f)
	if tiny { // |f| < 2**-20
		if f == 0 {
			if k == 0 {
				return 0
			}
			c += float64(k * ln2Lo)
			return float64(k*ln2Hi) + c
		}
		r := float64(hfsq * (1.0 - float64(0.66666666666666666*f))) // avoid division
		if k == 0 {
			return f - r
		}
		return float64(k*ln2Hi) - ((r - (float64(k*ln2Lo) + c)) - f)
	}
	s := f / (2.0 + f)
	z := s * s
	r := float64(z * (lp1 + float64(z*(lp2+float64(z*(lp3+float64(z*(lp4+float64(z*(lp5+float64(z*(lp6+float64(z*lp7)))))))))))))
	if k == 0 {
		return f - (hfsq - float64(s*(hfsq+r)))
	}
	return float64(k*ln2Hi) - ((hfsq - (float64(s*(hfsq+r)) + (float64(k*ln2Lo) + c))) - f)
}

// mantissa returns f and k with 1+x = 2**k (1+f) and 1+f from Sqrt(2)/2 to Sqrt(2), the
// correction c of the rounding error, and whether |f| is below 2**-20.
func mantissa(x float64) (f, c, k float64, tiny bool) {
	const (
		sqrt2M1     = 4.142135623730950488017e-01  // Sqrt(2)-1
		sqrt2HalfM1 = -2.928932188134524755992e-01 // Sqrt(2)/2-1
	)
	if sqrt2HalfM1 < x && x < sqrt2M1 {
		return x, 0, 0, false
	}
	u := x
	if x < 1<<53 {
		u = 1.0 + x
	}
	bits := math.Float64bits(u)
	exponent := int(bits>>52) - 1023
	if x < 1<<53 {
		if exponent > 0 {
			c = 1.0 - (u - x)
		} else {
			c = x - (u - 1.0)
		}
		c /= u
	}
	bits &= 0x000fffffffffffff
	if bits < 0x0006a09e667f3bcd { // mantissa of Sqrt(2)
		u = math.Float64frombits(bits | 0x3ff0000000000000) // normalize u
	} else {
		exponent++
		u = math.Float64frombits(bits | 0x3fe0000000000000) // normalize u/2
		bits = (0x0010000000000000 - bits) >> 2
	}
	return u - 1.0, c, float64(exponent), bits == 0
}
