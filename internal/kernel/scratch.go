package kernel

import "math"

// Scratch is the memory that kernels work in, so that they allocate nothing. The
// zero value is empty: [Scratch.Size] gives it its size, once. One goroutine uses
// it at a time; nothing in it is kept from one kernel to the next.
type Scratch struct {
	params [6][]float64 // [M,R] each: what is derived from parameters
	sums   [4][]float64 // [R,M] each: gradients, as they add up

	weight []float64 // [B]: those of the samples that count for a rule
	row    []int     // [B]: where these samples begin in x
}

// Size makes room for B samples, M features and R rules.
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

// counting lists the samples for which v [B,R] is not zero at rule r, without a
// branch, which random masks would make the processor guess wrong half the time.
func (s *Scratch) counting(v []float64, r, B, M, R int) (weight []float64, row []int) {
	n := 0
	for b := range B {
		w := v[b*R+r]
		s.weight[n], s.row[n] = w, b*M
		n += NotZero(w)
	}
	return s.weight[:n], s.row[:n]
}

// NotZero is one, or zero for v of zero of either sign.
func NotZero(v float64) int {
	bits := math.Float64bits(v) << 1
	return int((bits | -bits) >> 63)
}
