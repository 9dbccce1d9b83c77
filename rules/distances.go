package rules

import "github.com/tskgraph/tskgraph/internal/base/kernel"

// distances computes squared distances of samples from centers, a block of samples at a time, each summed in
// the order of the features.
type distances struct {
	packed [][]float64 // [R][M,2], each center as a Gaussian of [kernel.GaussianColumn] whose logarithm is minus the squared distance
}

// newDistances returns the distances from centers [R*M] of M features, without samples.
func newDistances(centers []float64, M int) *distances {
	d := &distances{packed: matrix(len(centers)/M, 2*M)}
	for r, p := range d.packed {
		for m, v := range centers[r*M : (r+1)*M] {
			p[2*m], p[2*m+1] = v, 1
		}
	}
	return d
}

// blocks calls do for blocks of the samples x [N][M] with the number of the first sample and the squared distances d2 [R,B] of
// the B samples of the block. Several goroutines may call it.
func (d *distances) blocks(x [][]float64, do func(start int, d2 []float64, B int)) {
	R, M, most := len(d.packed), len(x[0]), min(len(x), EvaluatorRows)
	columnwise, d2 := make([]float64, M*most), make([]float64, R*most)
	for start := 0; start < len(x); start += EvaluatorRows {
		rows := x[start:min(start+EvaluatorRows, len(x))]
		B := len(rows)
		columns(columnwise[:M*B], rows, 0)
		for r, p := range d.packed {
			of := d2[r*B : (r+1)*B]
			kernel.GaussianColumn(of, columnwise[:M*B], p, B, M)
			for n, v := range of {
				of[n] = 0 - v // not -0
			}
		}
		do(start, d2[:R*B], B)
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
