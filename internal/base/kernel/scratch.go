package kernel

import "math"

// Scratch is the working memory of kernels, so that they do not allocate. The zero value
// is empty: call [Scratch.Size] once before use. Only one goroutine may use it at a time.
// Kernels keep nothing in it between calls.
type Scratch struct {
	params [6][]float64 // [M,R] each: values derived from parameters
	sums   [4][]float64 // [R,M] each: sums of gradients

	weight []float64 // [B]: nonzero v of a rule, see counting
	row    []int     // [B]: offsets of their samples in x
}

// Size allocates memory for B samples, M features and R rules.
func (s *Scratch) Size(B, M, R int) {
	s.weight, s.row = make([]float64, B), make([]int, B)
	for i := range s.params {
		s.params[i] = make([]float64, M*R)
	}
	for i := range s.sums {
		s.sums[i] = make([]float64, M*R)
	}
}

// transpose writes src [rows,cols] to dst [cols,rows].
func transpose(dst, src []float64, rows, cols int) {
	for i := range rows {
		for j, v := range src[i*cols : (i+1)*cols] {
			dst[j*rows+i] = v
		}
	}
}

// counting lists the samples for which v [B,R] is not zero at rule r. It has no branch,
// since random masks would mispredict it half the time.
func (s *Scratch) counting(v []float64, r, B, M, R int) (weight []float64, row []int) {
	n := 0
	for b := range B {
		w := v[b*R+r]
		s.weight[n], s.row[n] = w, b*M
		n += NotZero(w)
	}
	return s.weight[:n], s.row[:n]
}

// NotZero returns 0 if v is zero, of either sign, and 1 otherwise.
func NotZero(v float64) int {
	bits := math.Float64bits(v) << 1
	return int((bits | -bits) >> 63)
}
