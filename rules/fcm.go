package rules

import (
	"math"
	"math/rand/v2"
)

// Fuzzy c-means with fuzzifier m = 2.
const (
	fcmIterations = 100
	fcmTolerance  = 1e-3 // least change of the objective that goes on
)

// FuzzyCMeans clusters the samples by fuzzy c-means (Bezdek 1981) with fuzzifier
// 2, the start of the paper's Algorithm 1. The spread of a cluster is the
// standard deviation about the mean, both weighted by the memberships u; its
// target is the u-weighted mean of y. It starts from a random partition and stops
// after 100 iterations, or when the objective, the sum of u^2 d^2, changes by
// less than 0.001.
func FuzzyCMeans(x [][]float64, y []float64, R int, rng *rand.Rand) (*Clusters, error) {
	if err := checkSamples(x, y, R); err != nil {
		return nil, err
	}
	M := len(x[0])
	u := randomPartition(len(x), R, rng)
	c := &Clusters{Centers: matrix(R, M), Spreads: matrix(R, M), Targets: make([]float64, R)}
	for before := math.Inf(1); c.Iterations < fcmIterations; c.Iterations++ {
		fcmCenters(c.Centers, x, u)
		objective := fcmPartition(u, x, c.Centers)
		if math.Abs(before-objective) < fcmTolerance {
			break
		}
		before = objective
	}
	weightedMoments(c, x, y, u)
	return c.finish(), nil
}

// randomPartition returns memberships [N][R] whose rows sum to one.
func randomPartition(n, R int, rng *rand.Rand) [][]float64 {
	u := matrix(n, R)
	for _, row := range u {
		sum := 0.0
		for r := range row {
			row[r] = rng.Float64() + 1e-12 // never all zero
			sum += row[r]
		}
		for r := range row {
			row[r] /= sum
		}
	}
	return u
}

// fcmCenters moves each center to the u^2-weighted mean of the samples. A center
// to which no sample belongs stays where it is.
func fcmCenters(centers [][]float64, x, u [][]float64) {
	sums, total := matrix(len(centers), len(x[0])), make([]float64, len(centers))
	for n, row := range x {
		for r, sum := range sums {
			w := u[n][r] * u[n][r]
			total[r] += w
			for m, v := range row {
				sum[m] += w * v
			}
		}
	}
	for r, sum := range sums {
		if total[r] > 0 {
			for m, v := range sum {
				centers[r][m] = v / total[r]
			}
		}
	}
}

// fcmPartition returns the objective, the sum of u^2 d^2 over the memberships it
// is given, and replaces them by those for the centers: u proportional to 1/d^2.
// A sample that lies on centers belongs to these alone, in equal parts.
func fcmPartition(u, x, centers [][]float64) float64 {
	objective := 0.0
	for n, row := range x {
		nearest := math.Inf(1)
		for r, center := range centers {
			d2 := squaredDistance(row, center)
			objective += u[n][r] * u[n][r] * d2
			nearest = min(nearest, d2)
			u[n][r] = d2
		}
		sum := 0.0
		for r, d2 := range u[n] {
			u[n][r] = 1
			if d2 > nearest {
				u[n][r] = nearest / d2
			}
			sum += u[n][r]
		}
		for r := range u[n] {
			u[n][r] /= sum
		}
	}
	return objective
}

// weightedMoments sets spreads and targets from the memberships u.
func weightedMoments(c *Clusters, x [][]float64, y []float64, u [][]float64) {
	M := len(x[0])
	mean := make([]float64, M)
	for r := range c.Centers {
		total := 0.0
		clear(mean)
		for n, row := range x {
			w := u[n][r]
			total += w
			c.Targets[r] += w * y[n]
			for m, v := range row {
				mean[m] += w * v
			}
		}
		if total == 0 { // every sample lies on another center
			c.Targets[r] = meanOf(y)
			continue
		}
		c.Targets[r] /= total
		spread := c.Spreads[r]
		for n, row := range x {
			for m, v := range row {
				d := v - mean[m]/total
				spread[m] += u[n][r] * d * d
			}
		}
		for m := range spread {
			spread[m] = math.Sqrt(spread[m] / total)
		}
	}
}
