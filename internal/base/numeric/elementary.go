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

// The original C code, and its coefficients, are from the Cephes Math Library 2.8,
// http://netlib.sandia.gov/cephes/cmath/tanh.c, Copyright 1984, 1987, 1989, 1992, 2000 by
// Stephen L. Moshier, who says: "What you see here may be used freely".

// Tanh returns the hyperbolic tangent, as math.Tanh does on amd64.
func Tanh(x float64) float64 {
	const (
		p0 = -9.64399179425052238628e-1
		p1 = -9.92877231001918586564e1
		p2 = -1.61468768441708447952e3
		q0 = 1.12811678491632931402e2
		q1 = 2.23548839060100448583e3
		q2 = 4.84406305325125486048e3
	)
	switch {
	case x == 0 || math.IsNaN(x):
		return x
	case math.Abs(x) > 0.5*8.8029691931113054295988e+01: // log(2**127)
		return math.Copysign(1, x)
	case math.Abs(x) >= 0.625:
		return math.Copysign(1-2/(Exp(2*math.Abs(x))+1), x)
	}
	s := float64(x * x)
	return x + x*s*(float64((float64(p0*s)+p1)*s)+p2)/(float64((float64((s+q0)*s)+q1)*s)+q2)
}

// The original C code, and its coefficients, are from the Cephes Math Library 2.8,
// http://netlib.sandia.gov/cephes/cmath/sin.c, Copyright 1984, 1987, 1989, 1992, 2000 by
// Stephen L. Moshier, who says: "What you see here may be used freely".

// Sin returns the sine, as math.Sin does on amd64. From 2**29 on it calls math.Sin.
func Sin(x float64) float64 {
	if x == 0 || !(math.Abs(x) < largestAngle) {
		return math.Sin(x)
	}
	j, z := octant(math.Abs(x))
	y := sinOf(z)
	if j%4 == 2 {
		y = cosOf(z)
	}
	if (j >= 4) != (x < 0) {
		return -y
	}
	return y
}

// Cos returns the cosine, as math.Cos does on amd64. From 2**29 on it calls math.Cos.
func Cos(x float64) float64 {
	if !(math.Abs(x) < largestAngle) {
		return math.Cos(x)
	}
	j, z := octant(math.Abs(x))
	y := cosOf(z)
	if j%4 == 2 {
		y = sinOf(z)
	}
	if j == 2 || j == 4 {
		return -y
	}
	return y
}

// largestAngle is the limit below which multiples of Pi/4 in three parts are exact.
const largestAngle = 1 << 29

// octant returns an even j and z from -Pi/4 to Pi/4 with x = j Pi/4 + z modulo 2 Pi.
func octant(x float64) (j uint64, z float64) {
	const ( // Pi/4 in three parts
		pi4A = 7.85398125648498535156e-1
		pi4B = 3.77489470793079817668e-8
		pi4C = 2.69515142907905952645e-15
	)
	j = uint64(x * (4 / math.Pi))
	j += j & 1
	y := float64(j)
	return j & 7, ((x - float64(y*pi4A)) - float64(y*pi4B)) - float64(y*pi4C)
}

// sinOf returns the sine of z from -Pi/4 to Pi/4.
func sinOf(z float64) float64 {
	const (
		s0 = 1.58962301576546568060e-10
		s1 = -2.50507477628578072866e-8
		s2 = 2.75573136213857245213e-6
		s3 = -1.98412698295895385996e-4
		s4 = 8.33333333332211858878e-3
		s5 = -1.66666666666666307295e-1
	)
	zz := z * z
	return z + float64(z*zz*(float64((float64((float64((float64((float64(s0*zz)+s1)*zz)+s2)*zz)+s3)*zz)+s4)*zz)+s5))
}

// cosOf returns the cosine of z from -Pi/4 to Pi/4.
func cosOf(z float64) float64 {
	const (
		c0 = -1.13585365213876817300e-11
		c1 = 2.08757008419747316778e-9
		c2 = -2.75573141792967388112e-7
		c3 = 2.48015872888517045348e-5
		c4 = -1.38888888888730564116e-3
		c5 = 4.16666666666665929218e-2
	)
	zz := z * z
	return 1.0 - float64(0.5*zz) + float64(zz*zz*(float64((float64((float64((float64((float64(c0*zz)+c1)*zz)+c2)*zz)+c3)*zz)+c4)*zz)+c5))
}
