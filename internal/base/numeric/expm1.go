// Copyright 2010 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package numeric

import "math"

// The original C code is from FreeBSD's /usr/src/lib/msun/src/s_expm1.c and came with this
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

// Expm1 returns e^x - 1, as math.Expm1 does on amd64.
func Expm1(x float64) float64 {
	const (
		threshold = 7.09782712893383973096e+02
		ln2X56    = 3.88162421113569373274e+01
		q1        = -3.33333333333331316428e-02
		q2        = 1.58730158725481460165e-03
		q3        = -7.93650757867487942473e-05
		q4        = 4.00821782732936239552e-06
		q5        = -2.01099218183624371326e-07
	)
	switch {
	case math.IsNaN(x) || math.Abs(x) < 0x1p-54:
		return x
	case x <= -ln2X56:
		return -1
	case x >= threshold:
		return math.Inf(1)
	}
	x, c, k := remainder(x)
	hfx := 0.5 * x
	hxs := float64(x * hfx)
	r1 := 1 + float64(hxs*(q1+float64(hxs*(q2+float64(hxs*(q3+float64(hxs*(q4+float64(hxs*q5)))))))))
	t := 3 - float64(r1*hfx)
	e := float64(hxs * ((r1 - t) / (6.0 - float64(x*t))))
	if k == 0 {
		return x - (float64(x*e) - hxs) // c is 0
	}
	e = (float64(x*(e-c)) - c)
	e -= hxs
	switch {
	case k == -1:
		return float64(0.5*(x-e)) - 0.5
	case k == 1:
		if x < -0.25 {
			return -2 * (e - (x + 0.5))
		}
		return 1 + float64(2*(x-e))
	case k <= -2 || k > 56: // suffice to return exp(x)-1
		return scale(1-(e-x), k) - 1
	case k < 20:
		t := math.Float64frombits(0x3ff0000000000000 - (0x20000000000000 >> uint(k))) // t=1-2**-k
		return scale(t-(e-x), k)
	}
	t = math.Float64frombits(uint64(0x3ff-k) << 52) // 2**-k
	y := x - (e + t)
	return scale(y+1, k)
}

// remainder returns r = x - k log(2), of size at most log(2)/2, and the correction c of
// the rounding error.
func remainder(x float64) (r, c float64, k int) {
	const (
		ln2HalfX3 = 1.03972077083991796413e+00
		ln2Half   = 3.46573590279972654709e-01
		invLn2    = 1.44269504088896338700e+00
	)
	switch abs := math.Abs(x); {
	case abs <= ln2Half:
		return x, 0, 0
	case abs < ln2HalfX3:
		k = int(math.Copysign(1, x))
	default:
		k = int(float64(invLn2*x) + math.Copysign(0.5, x))
	}
	t := float64(k)
	hi, lo := x-float64(t*ln2Hi), float64(t*ln2Lo) // t * ln2Hi is exact here
	r = hi - lo
	return r, (hi - r) - lo, k
}

// scale returns y 2**k.
func scale(y float64, k int) float64 {
	return math.Float64frombits(math.Float64bits(y) + uint64(k)<<52)
}
