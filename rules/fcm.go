package rules

import (
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/weighted"
)

// Fuzzy c-means with fuzzifier m = 2.
const (
	fcmIterations = 100
	fcmTolerance  = 1e-3 // least change of the objective to continue
)

// FuzzyCMeans clusters the samples by fuzzy c-means (Bezdek 1981) with fuzzifier 2, as
// the paper's Algorithm 1 initialises the rules. The spread of a cluster is the
// standard deviation about the mean, both weighted by the memberships u; its
// target is the u-weighted mean of y. It starts from a random partition and stops
// after 100 iterations, or when the objective, the sum of u^2 d^2, changes by
// less than 0.001. It is an [Initialiser].
func FuzzyCMeans(x [][]float64, y, weight []float64, R int, rng *rand.Rand) (*Clusters, error) {
	if err := checkSamples(x, y, weight, R); err != nil {
		return nil, err
	}
	f, iterations := partition(x, weight, R, rng)
	c := &Clusters{Centers: rowsOf(f.centers, R, len(x[0])), Iterations: iterations}
	f.moments(c, y)
	return c.finish(), nil
}

// partition runs fuzzy c-means.
func partition(x [][]float64, weight []float64, R int, rng *rand.Rand) (f *fuzzyPartition, iterations int) {
	f = &fuzzyPartition{x: x, weight: weighted.Each(weight, len(x)), u: randomPartition(len(x), R, rng), centers: make([]float64, R*len(x[0]))}
	sums := f.sums()
	for before := math.Inf(1); iterations < fcmIterations; iterations++ {
		f.moveCenters(sums)
		var objective float64
		sums, objective = f.update()
		if math.Abs(before-objective) < fcmTolerance {
			break
		}
		before = objective
	}
	return f, iterations
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
func (f *fuzzyPartition) sums() []float64 {
	k := len(f.centers)
	return sumBlocks(len(f.x), k+len(f.u[0]), func(sum []float64, start, end int) {
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
func (f *fuzzyPartition) update() (sums []float64, objective float64) {
	k, R := len(f.centers), len(f.u[0])
	sums = sumBlocks(len(f.x), k+R+1, func(sum []float64, start, end int) {
		d2 := make([]float64, R)
		for n := start; n < end; n++ {
			squaredDistances(d2, f.x[n], f.centers)
			sum[k+R] += float64(f.weight[n] * updateMemberships(f.u[n], d2))
		}
		addWeighted(sum[:k], sum[k:k+R], f.weight[start:end], f.x[start:end], f.u[start:end])
	})
	return sums[:k+R], sums[k+R]
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
func (f *fuzzyPartition) moments(c *Clusters, y []float64) {
	R, M, C := len(f.u[0]), len(f.x[0]), len(y)/len(f.x)
	width := 1 + C + M
	// By rule: the sum of u, of u y [C], of u x [M], times the weights.
	sums := rowsOf(sumBlocks(len(f.x), R*width, func(sum []float64, start, end int) {
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
	}), R, width)
	for _, s := range sums {
		for m := 1; m < len(s) && s[0] > 0; m++ {
			s[m] /= s[0]
		}
	}
	c.Spreads = rowsOf(sumBlocks(len(f.x), R*M, func(sum []float64, start, end int) {
		for n := start; n < end; n++ {
			for r, u := range f.u[n] {
				w, mean, s := float64(f.weight[n]*u), sums[r][1+C:], sum[r*M:][:M]
				for m, v := range f.x[n] {
					d := v - mean[m]
					s[m] += float64(w * d * d)
				}
			}
		}
	}), R, M)
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
}
