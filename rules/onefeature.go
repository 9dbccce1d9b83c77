package rules

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

const (
	oneFeatureWidth = 0.6 // of the narrow antecedent: spread / distance of neighbours on an even grid
	nearlyFlat      = 4.0 // mean spread of the others, in standard deviations of a scaled feature
	oneFeatureBins  = 8   // quantile bins of the correlation ratio
)

// OneFeature starts each rule on a single feature. The R rules are distributed over the
// features in turn, in decreasing order of their correlation ratio with y. The k rules of
// a feature have their centers at its quantiles (i+1/2)/k and the spread 0.6 (max -
// min)/k; all their other antecedents are nearly flat: spreads between 3 and 5 and
// centers near zero, drawn at random so that all rules differ. The target is the mean of
// y, weighted by a Gaussian around the center.
//
// It assumes samples scaled to mean zero and standard deviation one. Quantiles and means
// are weighted. OneFeature is an [Initialiser].
func OneFeature(ctx context.Context, s Samples, R int, rng *rand.Rand) (*Clusters, error) {
	if err := errors.Join(s.check(R), given(ctx, rng)); err != nil {
		return nil, err
	}
	x, y, weight := s.X, s.Y, s.Weight
	each := weighted.Each(weight, len(x))
	M := len(x[0])
	columns := make([][]float64, M)
	relevance := make([]float64, M)
	for m := range M {
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		for _, row := range x {
			columns[m] = append(columns[m], row[m])
		}
		relevance[m] = correlationRatio(columns[m], y, each)
	}
	order := make([]int, M)
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(a, b int) int { return descending(relevance[a], relevance[b]) })

	C := len(y) / len(x)
	c := &Clusters{Centers: matrix(R, M), Spreads: matrix(R, M), Targets: make([]float64, R*C)}
	for r := range R {
		for m := range M {
			c.Centers[r][m] = 0.3 * numeric.Normal(rng)
			c.Spreads[r][m] = nearlyFlat * (0.75 + float64(0.5*rng.Float64()))
		}
	}
	for i, m := range order[:min(M, R)] {
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		k := (R - i + M - 1) / M // rules i, i+M, i+2M, ...
		sorted := weighted.Sorted(columns[m], weight)
		spread := oneFeatureWidth * (sorted[len(sorted)-1] - sorted[0]) / float64(k)
		for j := range k {
			r := i + j*M
			c.Centers[r][m] = quantile(sorted, (float64(j)+0.5)/float64(k))
			c.Spreads[r][m] = spread
			copy(c.Targets[r*C:], meanNear(columns[m], y, each, c.Centers[r][m], spread))
		}
	}
	return c.finish(), nil
}

func descending(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// quantile returns the p-quantile of sorted values, linearly interpolated.
func quantile(sorted []float64, p float64) float64 {
	at := float64(p * float64(len(sorted)-1))
	i := int(at)
	if i >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}

// meanNear returns the means [C] of y [N C] weighted by weight and a Gaussian of x [N].
func meanNear(x, y, weight []float64, center, spread float64) []float64 {
	C := len(y) / len(x)
	sum, weights := make([]float64, C), 0.0
	for n, v := range x {
		z := (v - center) / spread
		if w := float64(numeric.Exp(-0.5*z*z) * weight[n]); w > 0 { // z is NaN if the spread is zero
			for c, t := range y[n*C:][:C] {
				sum[c] += float64(w * t)
			}
			weights += w
		}
	}
	if weights == 0 {
		return meanTargets(y, weight)
	}
	for c := range sum {
		sum[c] /= weights
	}
	return sum
}

// correlationRatio returns the share of the variance of y [N C], summed over the outputs, that lies between
// quantile bins of x: Pearson's eta squared, weighted. Equal values of x share a bin.
func correlationRatio(x, y, weight []float64) float64 {
	order := make([]int, len(x))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return descending(x[b], x[a]) })
	C := len(y) / len(x)
	mean, bin := meanTargets(y, weight), weighted.Sum(weight, len(weight))/oneFeatureBins
	between, total := 0.0, 0.0
	for i, v := range y {
		d := v - mean[i%C]
		total += float64(weight[i/C] * (d * d))
	}
	sum := make([]float64, C)
	for start := 0; start < len(order); {
		end, size := start, 0.0
		clear(sum)
		for end < len(order) && (size < bin || x[order[end]] == x[order[end-1]]) {
			n := order[end]
			size += weight[n]
			for c, v := range y[n*C:][:C] {
				sum[c] += float64(weight[n] * (v - mean[c]))
			}
			end++
		}
		for _, s := range sum {
			between += float64(s * s / size)
		}
		start = end
	}
	if total == 0 {
		return 0
	}
	return between / total
}
