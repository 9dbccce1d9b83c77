package rules

import (
	"math"
	"math/rand/v2"
)

// GenFIS clusters the samples as MATLAB's genfis does before anfis: by fuzzy c-means
// over the features and the target, as one more feature, here scaled to the standard
// deviation 1. A cluster's spread is the sigma of the Gaussian about its center that
// has the membership u_n at the sample x_n, the mean over the samples of
//
//	|x_n - c| / sqrt(-2 log u_n)
//
// without those that lie on a center (u_n is 0 or 1). The target of a cluster is the
// target's coordinate of its center. A single cluster, which every sample belongs to
// with u_n = 1, has the standard deviation as spread.
//
// MATLAB starts all consequents at the least-squares plane: that is
// Clusters.Plane, for the caller to set.
func GenFIS(x [][]float64, y []float64, R int, rng *rand.Rand) (*Clusters, error) {
	if err := checkSamples(x, y, R); err != nil {
		return nil, err
	}
	M := len(x[0])
	joined := matrix(len(x), M+1)
	for n, row := range x {
		copy(joined[n], row)
		joined[n][M] = y[n]
	}
	_, _, sd := spanOf(joined, M)
	for _, row := range joined {
		row[M] /= sd
	}
	f, iterations := partition(joined, R, rng)
	c := &Clusters{Iterations: iterations, Targets: make([]float64, R)}
	for r, center := range rowsOf(f.centers, R, M+1) {
		c.Centers = append(c.Centers, center[:M:M])
		c.Targets[r] = center[M] * sd
	}
	c.Spreads = inverted(x, f.u, c.Centers)
	if R == 1 {
		for m := range M {
			_, _, c.Spreads[0][m] = spanOf(x, m)
		}
	}
	return c.finish(), nil
}

// inverted returns the spreads of Gaussians about the centers from the memberships u
// [N][R].
func inverted(x, u, centers [][]float64) [][]float64 {
	R, M := len(centers), len(centers[0])
	// By rule: the number of samples, the sum of |x-c| / sqrt(-2 log u) [M].
	sums := rowsOf(sumBlocks(len(x), R*(1+M), func(sum []float64, start, end int) {
		for n := start; n < end; n++ {
			for r, v := range u[n] {
				if v == 0 || v == 1 {
					continue
				}
				s, scale := sum[r*(1+M):][:1+M], 1/math.Sqrt(-2*math.Log(v))
				s[0]++
				for m, v := range x[n] {
					s[1+m] += math.Abs(v-centers[r][m]) * scale
				}
			}
		}
	}), R, 1+M)
	spreads := matrix(R, M)
	for r, s := range sums {
		for m := range spreads[r] {
			if s[0] > 0 {
				spreads[r][m] = s[1+m] / s[0]
			}
		}
	}
	return spreads
}
