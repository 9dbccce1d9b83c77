package kernel

// Shrink writes to g [n,R], which may have no rows, the gradient of a penalty of the means of the rows of v [n,R] and
// of the deviations from them,
//
//	g[i,r] = by mean[i] + deviation (v[i,r] - mean[i])
//
// and returns the sums of the squares of the means and of the deviations.
func Shrink(g, v []float64, by, deviation float64, R int) (means, deviations float64) {
	n := len(v) / R
	if n == 0 {
		return 0, 0
	}
	return use.shrink(cut(g, n*R), cut(v, n*R), by, deviation, n, R)
}

func shrink(g, v []float64, by, deviation float64, n, R int) (means, deviations float64) {
	for i := range n {
		row, out := v[i*R:][:R], g[i*R:][:R]
		mean := 0.0
		for _, x := range row {
			mean += x
		}
		mean /= float64(R)
		means += float64(mean * mean)
		for r, x := range row {
			off := x - mean
			deviations += float64(off * off)
			out[r] = float64(by*mean) + float64(deviation*off)
		}
	}
	return means, deviations
}
