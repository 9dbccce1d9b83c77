package kernel

// AddCurves adds to the rule outputs y [B,R] the values of P curves per sample: with at
// [B,P], the number of the knot below, and share [B,P], the share of the way to the next,
//
//	y[b,r] += sum_p v[at,r] + share (v[at+1,r] - v[at,r])
//
// v is [Q,C], C = R, or [Q,1] for curves that all rules share.
func AddCurves(y []float64, at []int, share, v []float64, B, P, R, C int) {
	if C == 1 {
		addShared(y, at, share, v, B, P, R)
		return
	}
	for b := range B {
		row := y[b*R : (b+1)*R]
		for p := b * P; p < (b+1)*P; p++ {
			t, from := share[p], at[p]*R
			low, high := v[from:from+R], v[from+R:from+2*R]
			for r := range row {
				row[r] += low[r] + float64(t*(high[r]-low[r]))
			}
		}
	}
}

func addShared(y []float64, at []int, share, v []float64, B, P, R int) {
	for b := range B {
		sum := 0.0
		for p := b * P; p < (b+1)*P; p++ {
			low, high := v[at[p]], v[at[p]+1]
			sum += low + float64(share[p]*(high-low))
		}
		row := y[b*R : (b+1)*R]
		for r := range row {
			row[r] += sum
		}
	}
}

// CurvesBackward adds to g [Q,C] the gradient by v of [AddCurves], from h [B,R], dL/dy[b,r].
func CurvesBackward(g []float64, at []int, share, h []float64, B, P, R, C int) {
	for b := range B {
		row := h[b*R : (b+1)*R]
		if C == 1 {
			sum := 0.0
			for _, d := range row {
				sum += d
			}
			for p := b * P; p < (b+1)*P; p++ {
				up := float64(share[p] * sum)
				g[at[p]] += sum - up
				g[at[p]+1] += up
			}
			continue
		}
		for p := b * P; p < (b+1)*P; p++ {
			t, from := share[p], at[p]*R
			low, high := g[from:from+R], g[from+R:from+2*R]
			for r, d := range row {
				up := float64(t * d)
				low[r] += d - up
				high[r] += up
			}
		}
	}
}
