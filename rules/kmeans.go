package rules

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

const (
	kmeansReplicates = 3
	kmeansIterations = 100
	kmeansSettled    = 3e-3 // share of drawn samples that may still move when the iteration ends
)

// KMeans clusters the samples by k-means: k-means++ seeding (Arthur and
// Vassilvitskii 2007), then Lloyd's iteration until no sample moves, or of drawn samples at most three in a thousand, at most 100
// times; the best of three replicates by the sum of squared distances, of drawn samples the first. A cluster
// that loses all samples is moved to the sample farthest from its center.
// The spread is the standard deviation within the cluster, divisor n-1 (with weights, sum
// w (n-1)/n); for a single sample see Clusters.ZeroSpreads. KMeans is an [Initialiser].
func KMeans(ctx context.Context, s Samples, R int, rng *rand.Rand) (*Clusters, error) {
	if err := errors.Join(s.check(R), given(ctx, rng)); err != nil {
		return nil, err
	}
	best, err := kmeans(ctx, s, R, rng)
	if err != nil {
		return nil, err
	}
	return best.clusters(s.Y), nil
}

// kmeans returns the best of the replicates.
func kmeans(ctx context.Context, s Samples, R int, rng *rand.Rand) (best *lloyd, err error) {
	replicates := kmeansReplicates
	if s.Drawn {
		replicates = 1
	}
	for range replicates {
		l := newLloyd(s, R)
		if l.centers, err = kmeansSeed(ctx, s.X, s.Weight, R, rng); err != nil {
			return nil, err
		}
		if err := l.run(ctx); err != nil {
			return nil, err
		}
		if best == nil || l.inertia < best.inertia {
			best = l
		}
	}
	return best, nil
}

// kmeansSeed draws R samples as centers, each with probability proportional to its weight
// times its squared distance from the nearest center so far, or to its weight if every
// sample lies on a center.
func kmeansSeed(ctx context.Context, x [][]float64, weight []float64, R int, rng *rand.Rand) (centers []float64, err error) {
	centers = append(centers, x[pick(weight, len(x), rng)]...)
	each := numeric.EachWeight(weight, len(x))
	d2 := make([]float64, len(x))
	for n := range d2 {
		d2[n] = math.Inf(1)
	}
	for range R - 1 {
		last := centers[len(centers)-len(x[0]):]
		sums, err := sumUntil(ctx, len(x), 1, func(sum []float64, start, end int) {
			for n := start; n < end; n++ {
				d2[n] = min(d2[n], squaredDistance(x[n], last))
				sum[0] += float64(each[n] * d2[n])
			}
		})
		if err != nil {
			return nil, err
		}
		total, at := sums[0], pick(weight, len(x), rng)
		for n, left := 0, float64(rng.Float64()*total); total > 0 && n < len(x); n++ {
			if d2[n] > 0 {
				at = n
				if left -= float64(each[n] * d2[n]); left < 0 {
					break
				}
			}
		}
		centers = append(centers, x[at]...)
	}
	return centers, nil
}

// lloyd is one run of k-means.
type lloyd struct {
	x          [][]float64
	weight     []float64
	R          int
	centers    []float64 // [R*M]
	of         []int     // cluster of each sample
	d2         []float64 // squared distance of each sample from its center
	inertia    float64   // sum of d2, weighted
	iterations int
	empty      int
	settled    int // moved samples, at most, after which the run ends
}

// newLloyd returns a run without centers.
func newLloyd(s Samples, R int) *lloyd {
	N := len(s.X)
	l := &lloyd{x: s.X, weight: numeric.EachWeight(s.Weight, N), R: R, of: make([]int, N), d2: make([]float64, N)}
	if s.Drawn {
		l.settled = int(kmeansSettled * float64(N))
	}
	return l
}

func (l *lloyd) run(ctx context.Context) error {
	_, err := l.assign(ctx)
	for moved := len(l.x); err == nil && moved > l.settled && l.iterations < kmeansIterations; l.iterations++ {
		if err = l.update(ctx); err == nil {
			moved, err = l.assign(ctx)
		}
	}
	return err
}

// assign assigns each sample to its nearest center and returns the number of assignments that
// changed.
func (l *lloyd) assign(ctx context.Context) (moved int, err error) {
	from := newDistances(l.centers, len(l.x[0]))
	sums, err := sumUntil(ctx, len(l.x), 2, func(sum []float64, start, end int) {
		nearest := make([]int, EvaluatorRows)
		from.blocks(l.x[start:end], func(first int, d2 []float64, B int) {
			clear(nearest)
			least := d2[:B]
			for r := 1; r < l.R; r++ {
				for i, d := range d2[r*B : (r+1)*B] {
					if d < least[i] {
						nearest[i], least[i] = r, d
					}
				}
			}
			for i, d := range least {
				n := start + first + i
				if l.of[n] != nearest[i] {
					l.of[n] = nearest[i]
					sum[1]++
				}
				l.d2[n] = d
				sum[0] += float64(l.weight[n] * d)
			}
		})
	})
	l.inertia = sums[0]
	return int(sums[1]), err
}

// update moves each center to the weighted mean of its samples.
func (l *lloyd) update(ctx context.Context) error {
	M := len(l.x[0])
	count := make([]int, l.R)
	for _, r := range l.of {
		count[r]++
	}
	for r := range count {
		if count[r] == 0 {
			l.reseed(r, count)
		}
	}
	sizes := l.sizes()
	sums, err := sumUntil(ctx, len(l.x), l.R*M, func(sum []float64, start, end int) {
		for n := start; n < end; n++ {
			s, w, size := sum[l.of[n]*M:][:M], l.weight[n], sizes[l.of[n]]
			for m, v := range l.x[n] {
				s[m] += w * v / size
			}
		}
	})
	for i, v := range sums {
		if count[i/M] > 0 {
			l.centers[i] = v
		}
	}
	return err
}

// sizes returns the sum of the weights of each cluster's samples, [R].
func (l *lloyd) sizes() []float64 {
	sizes := make([]float64, l.R)
	for n, r := range l.of {
		sizes[r] += l.weight[n]
	}
	return sizes
}

// reseed assigns to the empty cluster r the sample farthest from its center among those
// in clusters of several samples. If all of these lie on their centers, the center of r
// stays.
func (l *lloyd) reseed(r int, count []int) {
	far, d := -1, 0.0
	for n, v := range l.d2 {
		if v > d && count[l.of[n]] > 1 {
			far, d = n, v
		}
	}
	l.empty++
	if far < 0 {
		return
	}
	count[l.of[far]]--
	l.of[far], l.d2[far], count[r] = r, 0, 1
}

// clusters returns centers, spreads and mean targets.
func (l *lloyd) clusters(y []float64) *Clusters {
	R, M, C := l.R, len(l.x[0]), len(y)/len(l.x)
	c := &Clusters{Centers: rowsOf(l.centers, R, M), Spreads: matrix(R, M), Targets: make([]float64, R*C), Iterations: l.iterations,
		Empty: l.empty}
	count, sizes := make([]float64, R), l.sizes()
	for n, r := range l.of {
		count[r]++
		for i, t := range y[n*C:][:C] {
			c.Targets[r*C+i] += float64(l.weight[n] * t)
		}
		for m, v := range l.x[n] {
			d := v - c.Centers[r][m]
			c.Spreads[r][m] += float64(l.weight[n] * (d * d))
		}
	}
	for r, n := range count {
		if n == 0 {
			copy(c.Targets[r*C:], meanTargets(y, l.weight))
			continue // its spreads are zero
		}
		for i := range C {
			c.Targets[r*C+i] /= sizes[r]
		}
		for m, sum := range c.Spreads[r] {
			c.Spreads[r][m] = math.Sqrt(sum * (n / sizes[r]) / max(n-1, 1))
		}
	}
	return c.finish()
}
