package kernel

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
