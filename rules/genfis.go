package rules

import (
	"context"
	"math"
	"math/rand/v2"
)

// GenFIS clusters the samples as [FuzzyCMeans] does and computes the spreads as MATLAB's
// genfis does before anfis. The sigma of the Gaussian about a center that equals the
// membership u_n at the sample x_n is averaged, weighted, over the samples:
//
//	|x_n - c| / sqrt(-2 log u_n)
//
// excluding samples that lie on a center (u_n is 0 or 1). If no sample is left, as with a
// single cluster, the spread is that of FuzzyCMeans.
//
// MATLAB also clusters over the target and starts all consequents at the least-squares
// plane, for which the caller sets Clusters.Plane. GenFIS is an [Initialiser].
func GenFIS(ctx context.Context, s Samples, R int, rng *rand.Rand) (*Clusters, error) {
	f, c, err := fuzzyClusters(ctx, s, R, rng)
	if err != nil {
		return nil, err
	}
	if err := f.invert(ctx, c); err != nil {
		return nil, err
	}
	return c.finish(), nil
}

// invert sets the spreads of Gaussians about the centers from the memberships u.
func (f *fuzzyPartition) invert(ctx context.Context, c *Clusters) error {
	R, M := len(c.Centers), len(c.Centers[0])
	// By rule: the weight of the samples, the weighted sum of |x-c| / sqrt(-2 log u) [M].
	cells, err := sumUntil(ctx, len(f.x), R*(1+M), func(sum []float64, start, end int) {
		for n := start; n < end; n++ {
			for r, u := range f.u[n] {
				if u == 0 || u == 1 {
					continue
				}
				w, s, scale := f.weight[n], sum[r*(1+M):][:1+M], 1/math.Sqrt(-2*math.Log(u))
				s[0] += w
				for m, v := range f.x[n] {
					s[1+m] += float64(w * (math.Abs(v-c.Centers[r][m]) * scale))
				}
			}
		}
	})
	for r, s := range rowsOf(cells, R, 1+M) {
		for m := 0; m < M && s[0] > 0; m++ {
			c.Spreads[r][m] = s[1+m] / s[0]
		}
	}
	return err
}
