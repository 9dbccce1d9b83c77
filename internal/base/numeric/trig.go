// Copyright 2011 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package numeric

import "math"

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
