package kernel

import "math"

// GaussianForward computes logarithms of firing levels z [B,R]:
//
//	z[b,r] = -sum_m (x[b,m] - c[m,r])^2 / (2 sigma[m,r]^2)
func GaussianForward(z, x, c, sigma []float64, B, M, R int, s *Scratch) {
	k := cut(s.params[0], M*R) // 1 / (sqrt(2) sigma)
	use.divide(k, math.Sqrt2/2, cut(sigma, M*R))
	use.gaussianForward(cut(z, B*R), cut(x, B*M), cut(c, M*R), k, B, M, R)
}

func gaussianForward(z, x, c, k []float64, B, M, R int) {
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
				a0 -= float64(u * u)
				b0 -= float64(v * v)
				u, v = (va-c1)*k1, (vb-c1)*k1
				a1 -= float64(u * u)
				b1 -= float64(v * v)
				c0, k0, c1, k1 = ct[2], kt[2], ct[3], kt[3]
				u, v = (va-c0)*k0, (vb-c0)*k0
				a2 -= float64(u * u)
				b2 -= float64(v * v)
				u, v = (va-c1)*k1, (vb-c1)*k1
				a3 -= float64(u * u)
				b3 -= float64(v * v)
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
				a -= float64(u * u)
				b -= float64(v * v)
			}
			za[r], zb[r] = a, b
		}
	}
}

// GaussianBackward overwrites gc and gsigma [M,R] with the gradients by c and sigma
// from v [B,R], dL/dlog f. With d = x-c:
//
//	dL/dc[m,r]     = sum_b v d / sigma^2
//	dL/dsigma[m,r] = sum_b v d^2 / sigma^3
func GaussianBackward(gc, gsigma, v, x, c, sigma []float64, B, M, R int, s *Scratch) {
	use.gaussianBackward(cut(gc, M*R), cut(gsigma, M*R), cut(v, B*R), cut(x, B*M), cut(c, M*R), cut(sigma, M*R), B, M, R, s)
}

// gaussianBackward skips the samples where v is zero: half of them under DropRule.
func gaussianBackward(gc, gsigma, v, x, c, sigma []float64, B, M, R int, s *Scratch) {
	for r := range R {
		weight, row := s.counting(v, r, B, M, R)
		for m := 0; m < M; m += 4 {
			if m+4 > M { // the last four features, some of them a second time
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
				t0, t1, t2, t3 := float64(w*d0), float64(w*d1), float64(w*d2), float64(w*d3)
				p0 += t0
				p1 += t1
				p2 += t2
				p3 += t3
				q0 += float64(t0 * d0)
				q1 += float64(t1 * d1)
				q2 += float64(t2 * d2)
				q3 += float64(t3 * d3)
			}
			gc[o], gc[o+R], gc[o+2*R], gc[o+3*R] = p0, p1, p2, p3
			gsigma[o], gsigma[o+R], gsigma[o+2*R], gsigma[o+3*R] = q0, q1, q2, q3
		}
		for m := 0; m < M && M < 4; m++ {
			var p, q float64
			for i, w := range weight {
				d := x[row[i]+m] - c[m*R+r]
				p += float64(w * d)
				q += float64(w * d * d)
			}
			gc[m*R+r], gsigma[m*R+r] = p, q
		}
	}
	for i, v := range sigma {
		k := 1 / v
		gc[i] *= k * k
		gsigma[i] *= k * k * k
	}
}

// TrapezoidForward computes firing levels f [B,R], the products over m of
//
//	max(0, min(1, (x-a)/(b-a), (d-x)/(d-c)))
func TrapezoidForward(f, x, a, b, c, d []float64, B, M, R int, s *Scratch) {
	n := M * R
	left, right := cut(s.params[0], n), cut(s.params[1], n)
	use.legs(left, right, cut(a, n), cut(b, n), cut(c, n), cut(d, n))
	use.trapezoidForward(cut(f, B*R), cut(x, B*M), a[:n], d[:n], left, right, B, M, R)
}

func trapezoidForward(f, x, a, d, left, right []float64, B, M, R int) {
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

// legs computes 1/(b-a) and 1/(d-c).
func legs(left, right, a, b, c, d []float64) {
	for i := range left {
		left[i], right[i] = 1/(b[i]-a[i]), 1/(d[i]-c[i])
	}
}

// TrapezoidBackward overwrites ga, gb, gc and gd [M,R] with the gradients by a, b, c
// and d from v [B,R], f dL/df. On the left leg, a < x < b,
//
//	dlog mu/da = 1/(b-a) - 1/(x-a)    dlog mu/db = -1/(b-a)
//
// and on the right leg, c < x < d,
//
//	dlog mu/dc = 1/(d-c)              dlog mu/dd = 1/(d-x) - 1/(d-c)
func TrapezoidBackward(ga, gb, gc, gd, v, x, a, b, c, d []float64, B, M, R int, s *Scratch) {
	n := M * R
	use.trapezoidBackward(cut(ga, n), cut(gb, n), cut(gc, n), cut(gd, n), cut(v, B*R), cut(x, B*M),
		cut(a, n), cut(b, n), cut(c, n), cut(d, n), B, M, R, s)
}

// trapezoidBackward skips the cells where v is zero: half of them under DropRule.
func trapezoidBackward(ga, gb, gc, gd, v, x, a, b, c, d []float64, B, M, R int, s *Scratch) {
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
	left, right := s.params[0][:M*R], s.params[1][:M*R]
	legs(left, right, a, b, c, d)
	for m := range M {
		for r := range R {
			i, t := m*R+r, r*M+m
			ga[i] = float64(onLeft[t]*left[i]) - toLeft[t]
			gb[i] = -onLeft[t] * left[i]
			gc[i] = onRight[t] * right[i]
			gd[i] = toRight[t] - float64(onRight[t]*right[i])
		}
	}
}
