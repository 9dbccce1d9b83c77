// Copyright 2009 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package numeric

import "math"

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
