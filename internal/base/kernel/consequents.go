package kernel

// Consequents computes rule outputs y [B,R], the paper's equation (1):
//
//	y[b,r] = bias[r] + sum_m x[b,m] slope[m,r]
func Consequents(y, x, slope, bias []float64, B, M, R int) {
	use.consequents(cut(y, B*R), cut(x, B*M), cut(slope, M*R), cut(bias, R), B, M, R)
}

func consequents(y, x, slope, bias []float64, B, M, R int) {
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
				a0 += float64(va * w0)
				b0 += float64(vb * w0)
				a1 += float64(va * w1)
				b1 += float64(vb * w1)
				a2 += float64(va * w2)
				b2 += float64(vb * w2)
				a3 += float64(va * w3)
				b3 += float64(vb * w3)
				o += R
			}
			ta, tb := ya[r:r+4:r+4], yb[r:r+4:r+4]
			ta[0], ta[1], ta[2], ta[3] = a0, a1, a2, a3
			tb[0], tb[1], tb[2], tb[3] = b0, b1, b2, b3
		}
		for r := full; r < R; r++ {
			a, b := bias[r], bias[r]
			for m, va := range xa {
				a += float64(va * slope[m*R+r])
				b += float64(xb[m] * slope[m*R+r])
			}
			ya[r], yb[r] = a, b
		}
	}
}

// ConsequentsBackward overwrites gslope [M,R] and gbias [R] with the gradients by
// slope and bias from h [B,R], dL/dy[b,r]. They include the penalty
// lambda/2 sum slope^2.
func ConsequentsBackward(gslope, gbias, h, x, slope []float64, lambda float64, B, M, R int) {
	use.consequentsBackward(cut(gslope, M*R), cut(gbias, R), cut(h, B*R), cut(x, B*M), cut(slope, M*R), lambda, B, M, R)
}

func consequentsBackward(gslope, gbias, h, x, slope []float64, lambda float64, B, M, R int) {
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
				a0 += float64(h0 * va)
				b0 += float64(h0 * vb)
				a1 += float64(h1 * va)
				b1 += float64(h1 * vb)
				a2 += float64(h2 * va)
				b2 += float64(h2 * vb)
				a3 += float64(h3 * va)
				b3 += float64(h3 * vb)
				o, i, j = o+R, i+M, j+M
			}
			ga, wa := gslope[m*R+r:m*R+r+4:m*R+r+4], slope[m*R+r:m*R+r+4:m*R+r+4]
			ga[0], ga[1], ga[2], ga[3] = a0+float64(lambda*wa[0]), a1+float64(lambda*wa[1]), a2+float64(lambda*wa[2]), a3+float64(lambda*wa[3])
			gb, wb := gslope[m1*R+r:m1*R+r+4:m1*R+r+4], slope[m1*R+r:m1*R+r+4:m1*R+r+4]
			gb[0], gb[1], gb[2], gb[3] = b0+float64(lambda*wb[0]), b1+float64(lambda*wb[1]), b2+float64(lambda*wb[2]), b3+float64(lambda*wb[3])
		}
		for r := full; r < R; r++ {
			var a, b float64
			for n := range B {
				a += float64(h[n*R+r] * x[n*M+m])
				b += float64(h[n*R+r] * x[n*M+m1])
			}
			gslope[m*R+r], gslope[m1*R+r] = a+float64(lambda*slope[m*R+r]), b+float64(lambda*slope[m1*R+r])
		}
	}
}
