package rules

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Fuzzy c-means with fuzzifier m = 2.
const (
	fcmIterations = 100
	fcmTolerance  = 1e-3 // least change of the objective to continue

	fcmDrawnTolerance = 1e-6 // likewise for drawn samples, as a share of the objective
)

// FuzzyCMeans clusters the samples by fuzzy c-means (Bezdek 1981) with fuzzifier 2, as
// the paper's Algorithm 1 initialises the rules. The spread of a cluster is the
// standard deviation about the mean, both weighted by the memberships u; its
// target is the u-weighted mean of y. It starts from a random partition and stops
// after 100 iterations, or when the objective, the sum of u^2 d^2, changes by
// less than 0.001, of drawn samples by less than a millionth of it. It is an [Initialiser].
func FuzzyCMeans(ctx context.Context, s Samples, R int, rng *rand.Rand) (*Clusters, error) {
	_, c, err := fuzzyClusters(ctx, s, R, rng)
	if err != nil {
		return nil, err
	}
	return c.finish(), nil
}

// fuzzyClusters returns the fuzzy partition and its clusters, which are not finished.
func fuzzyClusters(ctx context.Context, s Samples, R int, rng *rand.Rand) (*fuzzyPartition, *Clusters, error) {
	if err := errors.Join(s.check(R), given(ctx, rng)); err != nil {
		return nil, nil, err
	}
	f := &fuzzyPartition{x: s.X, weight: numeric.EachWeight(s.Weight, len(s.X)), u: randomPartition(len(s.X), R, rng),
		centers: make([]float64, R*len(s.X[0]))}
	iterations, err := f.iterate(ctx, s.Drawn)
	if err != nil {
		return nil, nil, err
	}
	c := &Clusters{Centers: rowsOf(f.centers, R, len(s.X[0])), Iterations: iterations}
	return f, c, f.moments(ctx, c, s.Y)
}

// iterate runs fuzzy c-means.
func (f *fuzzyPartition) iterate(ctx context.Context, drawn bool) (iterations int, err error) {
	sums, err := f.sums(ctx)
	for before := math.Inf(1); err == nil && iterations < fcmIterations; iterations++ {
		f.moveCenters(sums)
		var objective float64
		sums, objective, err = f.update(ctx)
		tolerance := fcmTolerance
		if drawn {
			tolerance = fcmDrawnTolerance * objective
		}
		if math.Abs(before-objective) < tolerance {
			break
		}
		before = objective
	}
	return iterations, err
}

// randomPartition returns memberships [N][R] whose rows sum to one.
func randomPartition(n, R int, rng *rand.Rand) [][]float64 {
	u := matrix(n, R)
	for _, row := range u {
		sum := 0.0
		for r := range row {
			row[r] = float64(rng.Float64()) + 1e-12 // never all zero
			sum += row[r]
		}
		for r := range row {
			row[r] /= sum
		}
	}
	return u
}

// fuzzyPartition is the state of fuzzy c-means.
type fuzzyPartition struct {
	x       [][]float64 // samples [N][M]
	weight  []float64   // [N], of the samples in all sums
	u       [][]float64 // memberships [N][R]
	centers []float64   // [R*M]
}

// sums returns the sums over the samples of u^2 x [R*M], then of u^2 [R].
func (f *fuzzyPartition) sums(ctx context.Context) ([]float64, error) {
	k := len(f.centers)
	return sumUntil(ctx, len(f.x), k+len(f.u[0]), func(sum []float64, start, end int) {
		addWeighted(sum[:k], sum[k:], f.weight[start:end], f.x[start:end], f.u[start:end])
	})
}

// moveCenters moves each center to the u^2-weighted mean of the samples. A center without
// samples does not move.
func (f *fuzzyPartition) moveCenters(sums []float64) {
	M := len(f.x[0])
	for r, total := range sums[len(f.centers):] {
		if total > 0 {
			for i := r * M; i < (r+1)*M; i++ {
				f.centers[i] = sums[i] / total
			}
		}
	}
}

// update computes, in one pass, the objective, the sum of u^2 d^2 with the current
// memberships, then the new memberships for the centers, u proportional to 1/d^2, and
// their sums. A sample that lies on centers belongs only to these, in equal parts.
func (f *fuzzyPartition) update(ctx context.Context) (sums []float64, objective float64, err error) {
	k, R := len(f.centers), len(f.u[0])
	from := newDistances(f.centers, len(f.x[0]))
	sums, err = sumUntil(ctx, len(f.x), k+R+1, func(sum []float64, start, end int) {
		of := make([]float64, R)
		from.blocks(f.x[start:end], func(first int, d2 []float64, B int) {
			for i := range B {
				for r := range of {
					of[r] = d2[r*B+i]
				}
				n := start + first + i
				sum[k+R] += float64(f.weight[n] * updateMemberships(f.u[n], of))
			}
		})
		addWeighted(sum[:k], sum[k:k+R], f.weight[start:end], f.x[start:end], f.u[start:end])
	})
	return sums[:k+R], sums[k+R], err
}

// updateMemberships updates the memberships u [R] of a sample with squared distances
// d2 [R] and returns its term of the objective.
func updateMemberships(u, d2 []float64) (objective float64) {
	u = u[:len(d2)]
	nearest := math.Inf(1)
	for r, d := range d2 {
		objective += float64(u[r] * u[r] * d)
		if d < nearest {
			nearest = d
		}
	}
	sum := 0.0
	for r, d := range d2 {
		u[r] = 1
		if d > nearest {
			u[r] = nearest / d
		}
		sum += u[r]
	}
	for r := range u {
		u[r] /= sum
	}
	return objective
}

// moments sets the spreads and targets of the clusters from the memberships u.
func (f *fuzzyPartition) moments(ctx context.Context, c *Clusters, y []float64) error {
	R, M, C := len(f.u[0]), len(f.x[0]), len(y)/len(f.x)
	width := 1 + C + M
	// By rule: the sum of u, of u y [C], of u x [M], times the weights.
	cells, err := sumUntil(ctx, len(f.x), R*width, func(sum []float64, start, end int) {
		for n := start; n < end; n++ {
			for r, u := range f.u[n] {
				w, s := float64(f.weight[n]*u), sum[r*width:][:width]
				s[0] += w
				for c, t := range y[n*C:][:C] {
					s[1+c] += float64(w * t)
				}
				for m, v := range f.x[n] {
					s[1+C+m] += float64(w * v)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	sums := rowsOf(cells, R, width)
	for _, s := range sums {
		for m := 1; m < len(s) && s[0] > 0; m++ {
			s[m] /= s[0]
		}
	}
	cells, err = sumUntil(ctx, len(f.x), R*M, func(sum []float64, start, end int) {
		for n := start; n < end; n++ {
			for r, u := range f.u[n] {
				w, mean, s := float64(f.weight[n]*u), sums[r][1+C:], sum[r*M:][:M]
				for m, v := range f.x[n] {
					d := v - mean[m]
					s[m] += float64(w * d * d)
				}
			}
		}
	})
	c.Spreads = rowsOf(cells, R, M)
	c.Targets = make([]float64, R*C)
	for r, s := range sums {
		copy(c.Targets[r*C:], s[1:1+C])
		if s[0] == 0 { // every sample lies on another center
			copy(c.Targets[r*C:], meanTargets(y, f.weight))
			continue
		}
		for m, v := range c.Spreads[r] {
			c.Spreads[r][m] = math.Sqrt(v / s[0])
		}
	}
	return err
}

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
