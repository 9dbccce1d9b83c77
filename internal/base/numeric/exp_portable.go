// Copyright 2009 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

//go:build purego || js

package numeric

import "math"

// The original C code is from FreeBSD's /usr/src/lib/msun/src/e_exp.c and e_log.c, Copyright (C) 1993, 2004 by Sun
// Microsystems, Inc. Permission to use, copy, modify, and distribute this software is freely granted, provided that this
// notice is preserved.

// Exps writes e^x to dst, element by element; dst may be x and is as long. Its operations are the same on all
// processors, and most elements take no call, which WebAssembly compiled by Go needs to be fast.
func Exps(dst, x []float64) {
	const (
		p1 = 1.66666666666666657415e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08

		round = 0x1.8p52 // the sum with a small number has its nearest integer in the lowest bits
	)
	dst = dst[:len(x)]
	for i, v := range x {
		if v < -746 { // often, of features that a rule does not mention
			dst[i] = 0
			continue
		}
		if !(v >= -708 && v <= 709) {
			dst[i] = farExp(v)
			continue
		}
		shifted := float64(v*math.Log2E) + round
		k := shifted - round
		hi, lo := v-float64(k*ln2Hi), float64(k*ln2Lo)
		r := hi - lo
		t := float64(r * r)
		c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
		y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
		dst[i] = y * math.Float64frombits((math.Float64bits(shifted)+1023)<<52)
	}
}

// farExp returns e^x for an x that is NaN, infinite, or whose e^x is nearly infinite or subnormal.
func farExp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 710:
		return math.Inf(1)
	}
	e := Exp(x / 2)
	return e * e
}

// Exp returns e^x, as [Exps] does.
func Exp(x float64) float64 {
	var one [1]float64
	one[0] = x
	Exps(one[:], one[:])
	return one[0]
}

// Logs writes the natural logarithm of x to dst, element by element; dst may be x and is as long. It gives the bits of
// math.Log on amd64.
func Logs(dst, x []float64) {
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01

		mantissa = 1<<52 - 1
		half     = 1022 << 52 // the exponent of numbers from 1/2 to 1
	)
	dst = dst[:len(x)]
	for i, v := range x {
		if !(v >= 0x1p-1022 && v <= math.MaxFloat64) {
			dst[i] = farLog(v)
			continue
		}
		bits := math.Float64bits(v)
		k := float64(int(bits>>52) - 1022)
		f := math.Float64frombits(bits&mantissa | half)
		if f < math.Sqrt2/2 {
			f *= 2
			k--
		}
		f--
		s := f / (2 + f)
		s2 := float64(s * s)
		s4 := float64(s2 * s2)
		t1 := float64(s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7)))))))
		t2 := float64(s4 * (l2 + float64(s4*(l4+float64(s4*l6)))))
		square := float64(0.5 * f * f)
		dst[i] = float64(k*ln2Hi) - ((square - (float64(s*(square+(t1+t2))) + float64(k*ln2Lo))) - f)
	}
}

// farLog returns the logarithm of an x that is not positive, subnormal or not finite.
func farLog(x float64) float64 {
	if x > 0 && x < 1 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}
