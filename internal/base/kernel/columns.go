package kernel

import "math"

// The kernels of this file predict. Their samples are columns: x [M,B] and levels [R,B] hold the B samples of a block
// side by side. Each sample gets the operations of a plain loop, in its order and without fused products, so that all
// implementations agree to the bit, and a sample's result depends neither on the others nor on B.

// PackGaussian writes the centers c [M] and 1/(sqrt(2) sigma) to p [M,2], the parameters of [GaussianColumn].
func PackGaussian(p, c, sigma []float64) {
	for m, v := range c {
		p[2*m], p[2*m+1] = v, math.Sqrt2/2/sigma[m]
	}
}

// GaussianColumn computes logarithms of the firing levels z [B] of a rule with packed parameters p [M,2]:
//
//	z[b] = -sum_m ((x[m,b] - c[m]) / (sqrt(2) sigma[m]))^2
func GaussianColumn(z, x, p []float64, B, M int) {
	use.gaussianColumn(cut(z, B), cut(x, B*M), cut(p, 2*M), B, M)
}

func gaussianColumn(z, x, p []float64, B, M int) {
	clear(z)
	for m := range M {
		c, k := p[2*m], p[2*m+1]
		column := x[m*B:][:len(z)]
		for b, v := range column {
			u := (v - c) * k
			z[b] -= float64(u * u)
		}
	}
}

// PackTrapezoid writes a, b-a, 1/(b-a), d, d-c and 1/(d-c) of the functions of a rule, [M] each, to p [M,6], the
// parameters of [TrapezoidColumn]. It reports whether a, d and the widths of the legs are [Moderate], and these are
// positive.
func PackTrapezoid(p, a, b, c, d []float64) bool {
	ok := true
	for m := range a {
		left, right := b[m]-a[m], d[m]-c[m]
		ok = ok && left > 0 && right > 0 && moderate([]float64{a[m], left, d[m], right})
		copy(p[6*m:], []float64{a[m], left, 1 / left, d[m], right, 1 / right})
	}
	return ok
}

// TrapezoidColumn computes the firing levels f [B] of a rule, the products over m of
//
//	max(0, min(1, (x-a)/(b-a), (d-x)/(d-c)))
//
// x and the packed parameters p [M,6] must be [Moderate], see [PackTrapezoid].
func TrapezoidColumn(f, x, p []float64, B, M int) {
	use.trapezoidColumn(cut(f, B), cut(x, B*M), cut(p, 6*M), B, M)
}

func trapezoidColumn(f, x, p []float64, B, M int) {
	for b := range f {
		f[b] = 1
	}
	for m := range M {
		a, left, d, right := p[6*m], p[6*m+1], p[6*m+3], p[6*m+4]
		column := x[m*B:][:len(f)]
		for b, v := range column {
			f[b] *= max(0, min(1, (v-a)/left, (d-v)/right))
		}
	}
}

// The limits of [Moderate] numbers.
const (
	moderateLow  = 0x1p-200
	moderateHigh = 0x1p+702
)

// Moderate reports whether every element is zero or of a size between 2^-200 and 2^702. Quotients of differences of
// such numbers neither overflow nor underflow, nor do their remainders.
func Moderate(x []float64) bool { return use.moderate(x) }

func moderate(x []float64) bool {
	for _, v := range x {
		if size := math.Abs(v); !(size <= moderateHigh) || size < moderateLow && size != 0 {
			return false
		}
	}
	return true
}

// ConsequentColumn computes an output y [B] of a rule with consequent w [M+1], the bias first:
//
//	y[b] = w[0] + sum_m w[m+1] x[m,b]
func ConsequentColumn(y, x, w []float64, B, M int) {
	use.consequentColumn(cut(y, B), cut(x, B*M), cut(w, M+1), B, M)
}

func consequentColumn(y, x, w []float64, B, M int) {
	for b := range y {
		y[b] = w[0]
	}
	m := 0
	for ; m+8 <= M; m += 8 { // in WebAssembly a turn of a loop costs as much as a product
		k, n := w[m+1:][:8], len(y)
		k0, k1, k2, k3, k4, k5, k6, k7 := k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
		c0, c1, c2, c3 := x[m*B:][:n], x[(m+1)*B:][:n], x[(m+2)*B:][:n], x[(m+3)*B:][:n]
		c4, c5, c6, c7 := x[(m+4)*B:][:n], x[(m+5)*B:][:n], x[(m+6)*B:][:n], x[(m+7)*B:][:n]
		for b, v := range y {
			v = v + float64(k0*c0[b]) + float64(k1*c1[b]) + float64(k2*c2[b]) + float64(k3*c3[b])
			y[b] = v + float64(k4*c4[b]) + float64(k5*c5[b]) + float64(k6*c6[b]) + float64(k7*c7[b])
		}
	}
	for ; m+4 <= M; m += 4 {
		k, n := w[m+1:][:4], len(y)
		c0, c1, c2, c3 := x[m*B:][:n], x[(m+1)*B:][:n], x[(m+2)*B:][:n], x[(m+3)*B:][:n]
		for b, v := range y {
			y[b] = v + float64(k[0]*c0[b]) + float64(k[1]*c1[b]) + float64(k[2]*c2[b]) + float64(k[3]*c3[b])
		}
	}
	for ; m < M; m++ {
		k := w[m+1]
		column := x[m*B:][:len(y)]
		for b, v := range column {
			y[b] += float64(k * v)
		}
	}
}

// ShiftColumns subtracts from the logarithms z [R,B] of each sample the largest of them that is not NaN. They become
// NaN if it is infinite.
func ShiftColumns(z []float64, B, R int) { use.shiftColumns(cut(z, B*R), B, R) }

func shiftColumns(z []float64, B, R int) {
	for b := range B {
		top := math.Inf(-1)
		for i := b; i < B*R; i += B {
			if v := z[i]; v > top {
				top = v
			}
		}
		for i := b; i < B*R; i += B {
			z[i] -= top
		}
	}
}

// NormaliseColumns divides the levels [R,B] of each sample by their sum. covered [B] is one, or zero if the sum is at
// most least or not finite; then the levels are zero.
func NormaliseColumns(covered, level []float64, least float64, B, R int) {
	use.normaliseColumns(cut(covered, B), cut(level, B*R), least, B, R)
}

func normaliseColumns(covered, level []float64, least float64, B, R int) {
	for b := range B {
		sum := 0.0
		for i := b; i < B*R; i += B {
			sum += level[i]
		}
		covered[b] = 0
		if sum > least && sum <= math.MaxFloat64 {
			covered[b] = 1
		}
		for i := b; i < B*R; i += B {
			level[i] /= sum
			if covered[b] == 0 {
				level[i] = 0
			}
		}
	}
}

// AddWeighted adds the product of level and v to sum, element by element, where level is not zero.
func AddWeighted(sum, level, v []float64) {
	if len(sum) > 0 {
		use.addWeighted(sum, cut(level, len(sum)), cut(v, len(sum)))
	}
}

func addWeighted(sum, level, v []float64) {
	for b, f := range level {
		if f != 0 {
			sum[b] += float64(f * v[b])
		}
	}
}

// Log1p writes log(1+x) to dst, which may be x, for ordinary elements, and NaN for the others, which are the caller's:
// the assembly does the operations of numeric.Log1p, to the bit, where it takes its usual way. In Go none is ordinary.
func Log1p(dst, x []float64) {
	if len(x) > 0 {
		use.log1p(cut(dst, len(x)), x)
	}
}

// Expm1 writes e^x - 1 as numeric.Expm1 does, see [Log1p].
func Expm1(dst, x []float64) {
	if len(x) > 0 {
		use.expm1(cut(dst, len(x)), x)
	}
}

// leave leaves all elements to the caller.
func leave(dst, _ []float64) {
	for i := range dst {
		dst[i] = math.NaN()
	}
}
