package kernel

import "math"

// GaussianForward computes logarithms of firing levels z [B,R]:
//
//	z[b,r] = -sum_m (x[b,m] - c[m,r])^2 / (2 sigma[m,r]^2)
func GaussianForward(z, x, c, sigma []float64, B, M, R int, s *Scratch) {
	k := s.params[0][:M*R] // 1 / (sqrt(2) sigma)
	for i, v := range sigma[:M*R] {
		k[i] = math.Sqrt2 / 2 / v
	}
	full := R &^ 3
	for b := 0; b < B; b += 2 {
		b1 := min(b+1, B-1) // the last sample of an odd batch is computed twice
		xa, xb := x[b*M:(b+1)*M], x[b1*M:(b1+1)*M]
		xb = xb[:len(xa)]
		za, zb := z[b*R:(b+1)*R], z[b1*R:(b1+1)*R]
		for r := 0; r < full; r += 4 {
			var a0, a1, a2, a3, b0, b1, b2, b3 float64
			o := r
			for m, va := range xa {
				vb := xb[m]
				ct, kt := c[o:o+4:o+4], k[o:o+4:o+4]
				c0, k0, c1, k1 := ct[0], kt[0], ct[1], kt[1]
				u, v := (va-c0)*k0, (vb-c0)*k0
				a0 -= u * u
				b0 -= v * v
				u, v = (va-c1)*k1, (vb-c1)*k1
				a1 -= u * u
				b1 -= v * v
				c0, k0, c1, k1 = ct[2], kt[2], ct[3], kt[3]
				u, v = (va-c0)*k0, (vb-c0)*k0
				a2 -= u * u
				b2 -= v * v
				u, v = (va-c1)*k1, (vb-c1)*k1
				a3 -= u * u
				b3 -= v * v
				o += R
			}
			ta, tb := za[r:r+4:r+4], zb[r:r+4:r+4]
			ta[0], ta[1], ta[2], ta[3] = a0, a1, a2, a3
			tb[0], tb[1], tb[2], tb[3] = b0, b1, b2, b3
		}
		for r := full; r < R; r++ {
			var a, b float64
			for m, va := range xa {
				u, v := (va-c[m*R+r])*k[m*R+r], (xb[m]-c[m*R+r])*k[m*R+r]
				a -= u * u
				b -= v * v
			}
			za[r], zb[r] = a, b
		}
	}
}

// GaussianBackward overwrites gc and gsigma [M,R] with the gradients by c and
// sigma, from v [B,R], dL/dlog f. With d = x-c:
//
//	dL/dc[m,r]     = sum_b v d / sigma^2
//	dL/dsigma[m,r] = sum_b v d^2 / sigma^3
//
// A rule adds nothing for a sample where v is zero: half of them, under DropRule.
func GaussianBackward(gc, gsigma, v, x, c, sigma []float64, B, M, R int, s *Scratch) {
	for r := range R {
		weight, row := s.counting(v, r, B, M, R)
		for m := 0; m < M; m += 4 {
			if m+4 > M { // the last four features, some of them again
				m = M - 4
			}
			if m < 0 {
				break
			}
			o := m*R + r
			c0, c1, c2, c3 := c[o], c[o+R], c[o+2*R], c[o+3*R]
			var p0, p1, p2, p3, q0, q1, q2, q3 float64
			for i, w := range weight {
				at := row[i] + m
				xs := x[at : at+4 : at+4]
				d0, d1, d2, d3 := xs[0]-c0, xs[1]-c1, xs[2]-c2, xs[3]-c3
				t0, t1, t2, t3 := w*d0, w*d1, w*d2, w*d3
				p0 += t0
				p1 += t1
				p2 += t2
				p3 += t3
				q0 += t0 * d0
				q1 += t1 * d1
				q2 += t2 * d2
				q3 += t3 * d3
			}
			gc[o], gc[o+R], gc[o+2*R], gc[o+3*R] = p0, p1, p2, p3
			gsigma[o], gsigma[o+R], gsigma[o+2*R], gsigma[o+3*R] = q0, q1, q2, q3
		}
		for m := 0; m < M && M < 4; m++ {
			var p, q float64
			for i, w := range weight {
				d := x[row[i]+m] - c[m*R+r]
				p += w * d
				q += w * d * d
			}
			gc[m*R+r], gsigma[m*R+r] = p, q
		}
	}
	gc, gsigma = gc[:M*R], gsigma[:M*R]
	for i, v := range sigma[:M*R] {
		k := 1 / v
		gc[i] *= k * k
		gsigma[i] *= k * k * k
	}
}

// TrapezoidForward computes firing levels f [B,R], the products over m of
//
//	max(0, min(1, (x-a)/(b-a), (d-x)/(d-c)))
func TrapezoidForward(f, x, a, b, c, d []float64, B, M, R int, s *Scratch) {
	left, right := s.legs(a, b, c, d, M*R)
	for n := range B {
		fs := f[n*R : (n+1)*R]
		for r := range fs {
			fs[r] = 1
		}
		for m, v := range x[n*M : (n+1)*M] {
			o := m * R
			as, ds, ls, rs := a[o:o+R], d[o:o+R], left[o:o+R], right[o:o+R]
			as, ds, ls, rs = as[:len(fs)], ds[:len(fs)], ls[:len(fs)], rs[:len(fs)]
			for r := range fs {
				fs[r] *= max(0, min(1, (v-as[r])*ls[r], (ds[r]-v)*rs[r]))
			}
		}
	}
}

// legs returns 1/(b-a) and 1/(d-c).
func (s *Scratch) legs(a, b, c, d []float64, n int) (left, right []float64) {
	left, right = s.params[0][:n], s.params[1][:n]
	for i := range left {
		left[i], right[i] = 1/(b[i]-a[i]), 1/(d[i]-c[i])
	}
	return left, right
}

// TrapezoidBackward overwrites ga, gb, gc and gd [M,R] with the gradients by a, b,
// c and d, from v [B,R], f dL/df. On the left leg, a < x < b,
//
//	dlog mu/da = 1/(b-a) - 1/(x-a)    dlog mu/db = -1/(b-a)
//
// and on the right leg, c < x < d,
//
//	dlog mu/dc = 1/(d-c)              dlog mu/dd = 1/(d-x) - 1/(d-c)
//
// A rule adds nothing where v is zero.
func TrapezoidBackward(ga, gb, gc, gd, v, x, a, b, c, d []float64, B, M, R int, s *Scratch) {
	at, bt, ct, dt := s.params[2][:M*R], s.params[3][:M*R], s.params[4][:M*R], s.params[5][:M*R]
	transpose(at, a, M, R)
	transpose(bt, b, M, R)
	transpose(ct, c, M, R)
	transpose(dt, d, M, R)
	// Sums of v, and of v over the distance to the foot, on either leg.
	onLeft, toLeft, onRight, toRight := s.sums[0][:M*R], s.sums[1][:M*R], s.sums[2][:M*R], s.sums[3][:M*R]
	clear(onLeft)
	clear(toLeft)
	clear(onRight)
	clear(toRight)
	for n := range B {
		xs := x[n*M : (n+1)*M]
		for r, w := range v[n*R : (n+1)*R] {
			if w == 0 {
				continue
			}
			o := r * M
			as, bs, cs, ds := at[o:o+M], bt[o:o+M], ct[o:o+M], dt[o:o+M]
			as, bs, cs, ds = as[:len(xs)], bs[:len(xs)], cs[:len(xs)], ds[:len(xs)]
			for m, u := range xs {
				switch p, q := u-as[m], ds[m]-u; {
				case p > 0 && u < bs[m]:
					onLeft[o+m] += w
					toLeft[o+m] += w / p
				case q > 0 && u > cs[m]:
					onRight[o+m] += w
					toRight[o+m] += w / q
				}
			}
		}
	}
	left, right := s.legs(a, b, c, d, M*R)
	for m := range M {
		for r := range R {
			i, t := m*R+r, r*M+m
			ga[i] = onLeft[t]*left[i] - toLeft[t]
			gb[i] = -onLeft[t] * left[i]
			gc[i] = onRight[t] * right[i]
			gd[i] = toRight[t] - onRight[t]*right[i]
		}
	}
}

// Consequents computes rule outputs y [B,R], the paper's equation (1):
//
//	y[b,r] = bias[r] + sum_m x[b,m] slope[m,r]
func Consequents(y, x, slope, bias []float64, B, M, R int) {
	full := R &^ 3
	for b := 0; b < B; b += 2 {
		b1 := min(b+1, B-1)
		xa, xb := x[b*M:(b+1)*M], x[b1*M:(b1+1)*M]
		xb = xb[:len(xa)]
		ya, yb := y[b*R:(b+1)*R], y[b1*R:(b1+1)*R]
		for r := 0; r < full; r += 4 {
			bt := bias[r : r+4 : r+4]
			a0, a1, a2, a3 := bt[0], bt[1], bt[2], bt[3]
			b0, b1, b2, b3 := a0, a1, a2, a3
			o := r
			for m, va := range xa {
				vb := xb[m]
				w := slope[o : o+4 : o+4]
				w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
				a0 += va * w0
				b0 += vb * w0
				a1 += va * w1
				b1 += vb * w1
				a2 += va * w2
				b2 += vb * w2
				a3 += va * w3
				b3 += vb * w3
				o += R
			}
			ta, tb := ya[r:r+4:r+4], yb[r:r+4:r+4]
			ta[0], ta[1], ta[2], ta[3] = a0, a1, a2, a3
			tb[0], tb[1], tb[2], tb[3] = b0, b1, b2, b3
		}
		for r := full; r < R; r++ {
			a, b := bias[r], bias[r]
			for m, va := range xa {
				a += va * slope[m*R+r]
				b += xb[m] * slope[m*R+r]
			}
			ya[r], yb[r] = a, b
		}
	}
}

// ConsequentsBackward overwrites gslope [M,R] and gbias [R] with the gradients by
// slope and bias, from h [B,R], dL/dy[b,r]; the penalty lambda/2 sum slope^2 is
// included.
func ConsequentsBackward(gslope, gbias, h, x, slope []float64, lambda float64, B, M, R int) {
	gbias = gbias[:R]
	clear(gbias)
	for b := range B {
		for r, v := range h[b*R : (b+1)*R] {
			gbias[r] += v
		}
	}
	full := R &^ 3
	for m := 0; m < M; m += 2 {
		m1 := min(m+1, M-1) // the last of an odd number of features is computed twice
		for r := 0; r < full; r += 4 {
			var a0, a1, a2, a3, b0, b1, b2, b3 float64
			o, i, j := r, m, m1
			for range B {
				va, vb, t := x[i], x[j], h[o:o+4:o+4]
				h0, h1, h2, h3 := t[0], t[1], t[2], t[3]
				a0 += h0 * va
				b0 += h0 * vb
				a1 += h1 * va
				b1 += h1 * vb
				a2 += h2 * va
				b2 += h2 * vb
				a3 += h3 * va
				b3 += h3 * vb
				o, i, j = o+R, i+M, j+M
			}
			ga, wa := gslope[m*R+r:m*R+r+4:m*R+r+4], slope[m*R+r:m*R+r+4:m*R+r+4]
			ga[0], ga[1], ga[2], ga[3] = a0+lambda*wa[0], a1+lambda*wa[1], a2+lambda*wa[2], a3+lambda*wa[3]
			gb, wb := gslope[m1*R+r:m1*R+r+4:m1*R+r+4], slope[m1*R+r:m1*R+r+4:m1*R+r+4]
			gb[0], gb[1], gb[2], gb[3] = b0+lambda*wb[0], b1+lambda*wb[1], b2+lambda*wb[2], b3+lambda*wb[3]
		}
		for r := full; r < R; r++ {
			var a, b float64
			for n := range B {
				a += h[n*R+r] * x[n*M+m]
				b += h[n*R+r] * x[n*M+m1]
			}
			gslope[m*R+r], gslope[m1*R+r] = a+lambda*slope[m*R+r], b+lambda*slope[m1*R+r]
		}
	}
}

// ExpRows turns logarithms of firing levels z [B,R] into firing levels, scaled by
// the largest kept one of each sample, and zero for the dropped rules; mask [B,R]
// is one where a rule is kept. A sample whose largest one is not finite, or of
// which one is no number, gets NaN.
func ExpRows(z, mask []float64, B, R int) {
	for b := range B {
		row, keep := z[b*R:(b+1)*R], mask[b*R:(b+1)*R]
		top := math.Inf(-1)
		for from := 0; from < R; from += listed {
			list, n := kept(keep[from:])
			for _, r := range list[:n] {
				top = max(top, row[from+int(r)])
			}
		}
		if !(math.Abs(top) <= math.MaxFloat64) {
			top = math.NaN()
		}
		for from := 0; from < R; from += listed {
			list, n := kept(keep[from:])
			part := row[from:min(from+listed, R)]
			var levels [listed]float64
			for _, r := range list[:n] {
				levels[r] = math.Exp(part[r] - top)
			}
			copy(part, levels[:])
		}
	}
}

// listed is how many rules are listed at a time.
const listed = 64

// kept lists the rules that a mask keeps, of its first 64, without a branch.
func kept(mask []float64) (list [listed]uint8, n int) {
	for r, k := range mask[:min(listed, len(mask))] {
		list[n&(listed-1)] = uint8(r)
		n += notZero(k)
	}
	return list, n
}
