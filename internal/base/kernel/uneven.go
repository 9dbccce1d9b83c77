package kernel

// Unevenness writes to uneven [R] the difference between the mean over the samples of
// each rule's normalised firing level [B,R] and 1/R.
func Unevenness(uneven, level []float64, B, R int) {
	uneven = uneven[:R]
	clear(uneven)
	for b := range B {
		row := level[b*R:][:len(uneven)]
		for r, f := range row {
			uneven[r] += f
		}
	}
	for r, sum := range uneven {
		uneven[r] = sum/float64(B) - 1/float64(R)
	}
}

// LevelsBackward adds to byFiring [B,R] the gradient of a term of the loss whose
// derivative by the normalised firing levels is by times u[b,r]:
//
//	byFiring[b,r] += by scale[b] factor[b,r] (u[b,r] - sum_i level[b,i] u[b,i])
//
// u is [B,R], or one row [R] for all samples. level, factor and scale are as in
// [NormaliseBackward].
func LevelsBackward(byFiring, level, factor, u, scale []float64, by float64, B, R int) {
	for b := range B {
		u := u[(b*R)%len(u):]
		out := byFiring[b*R : (b+1)*R]
		levels, f, u := level[b*R:][:len(out)], factor[b*R:][:len(out)], u[:len(out)]
		mean := 0.0
		for r, v := range levels {
			mean += float64(v * u[r])
		}
		s := by * scale[b]
		for r := range out {
			out[r] += float64(s * f[r] * (u[r] - mean))
		}
	}
}
