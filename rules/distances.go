package rules

// squaredDistances writes |x - c_r|^2 to d2 [R] for centers [R*M]. It processes four
// centers at a time for speed; each distance is summed in the order of the features.
func squaredDistances(d2, x, centers []float64) {
	M, r := len(x), 0
	for ; r+4 <= len(d2); r += 4 {
		at := centers[r*M : (r+4)*M]
		c0, c1, c2, c3 := at[:M], at[M:][:M], at[2*M:][:M], at[3*M:][:M]
		var s0, s1, s2, s3 float64
		for m, v := range x {
			e0, e1, e2, e3 := v-c0[m], v-c1[m], v-c2[m], v-c3[m]
			s0 += float64(e0 * e0)
			s1 += float64(e1 * e1)
			s2 += float64(e2 * e2)
			s3 += float64(e3 * e3)
		}
		to := d2[r : r+4 : r+4]
		to[0], to[1], to[2], to[3] = s0, s1, s2, s3
	}
	for ; r < len(d2); r++ {
		d2[r] = squaredDistance(x, centers[r*M:(r+1)*M])
	}
}

// addWeighted adds the sums over samples of g u^2 x to sums [R*M] and of g u^2 to
// total [R], with weights g, in the order of the samples. It processes four samples at
// a time, which saves loads and stores.
func addWeighted(sums, total, g []float64, x, u [][]float64) {
	n := 0
	for ; n+4 <= len(x); n += 4 {
		M := len(x[n])
		x0, x1, x2, x3 := x[n], x[n+1][:M], x[n+2][:M], x[n+3][:M]
		g0, g1, g2, g3 := g[n], g[n+1], g[n+2], g[n+3]
		u0 := u[n]
		u1, u2, u3 := u[n+1][:len(u0)], u[n+2][:len(u0)], u[n+3][:len(u0)]
		for r, w0 := range u0 {
			w1, w2, w3 := u1[r], u2[r], u3[r]
			w0, w1, w2, w3 = float64(g0*(w0*w0)), float64(g1*(w1*w1)), float64(g2*(w2*w2)), float64(g3*(w3*w3))
			total[r] = total[r] + w0 + w1 + w2 + w3
			sum := sums[r*M:][:M]
			for m, v := range x0 {
				sum[m] = sum[m] + float64(w0*v) + float64(w1*x1[m]) + float64(w2*x2[m]) + float64(w3*x3[m])
			}
		}
	}
	for ; n < len(x); n++ {
		M := len(x[n])
		for r, w := range u[n] {
			w = float64(g[n] * (w * w))
			total[r] += w
			sum := sums[r*M:][:M]
			for m, v := range x[n] {
				sum[m] += float64(w * v)
			}
		}
	}
}
