package rules

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// KMeansByClass finds clusters class by class, so that every class has rules of its own: k-means on the
// samples of each class, with a number of clusters in proportion to the weight of the class, but at least
// one. Spreads and targets are those of all samples, of any class, at their nearest center. With fewer
// clusters than classes it is [KMeans].
//
// The targets are indicators of classes, [N] zeros and ones of two classes or [N K] with a one in the
// column of the class. KMeansByClass is an [Initialiser].
func KMeansByClass(ctx context.Context, s Samples, R int, rng *rand.Rand) (*Clusters, error) {
	if err := errors.Join(s.check(R), given(ctx, rng)); err != nil {
		return nil, err
	}
	classes := byClass(s.Y, len(s.X))
	if R < len(classes) {
		return KMeans(ctx, s, R, rng)
	}
	sizes := make([]float64, len(classes))
	for k, rows := range classes {
		for _, n := range rows {
			sizes[k] += weighted.At(s.Weight, n)
		}
	}
	l := newLloyd(s, R)
	for k, count := range shares(sizes, R) {
		class := Samples{X: pickRows(s.X, classes[k]), Drawn: s.Drawn}
		if s.Weight != nil {
			class.Weight = pickRows(s.Weight, classes[k])
		}
		best, err := kmeans(ctx, class, count, rng)
		if err != nil {
			return nil, err
		}
		l.centers = append(l.centers, best.centers...)
		l.iterations, l.empty = l.iterations+best.iterations, l.empty+best.empty
	}
	if _, err := l.assign(ctx); err != nil {
		return nil, err
	}
	return l.clusters(s.Y), nil
}

// byClass returns the samples of each class that occurs, in the order of the classes.
func byClass(y []float64, N int) [][]int {
	C := len(y) / N
	classes := make([][]int, max(2, C))
	for n := range N {
		k := 0
		for c, t := range y[n*C:][:C] {
			if t > 0.5 {
				k = c
			}
		}
		if C == 1 && y[n] > 0.5 {
			k = 1
		}
		classes[k] = append(classes[k], n)
	}
	return slices.DeleteFunc(classes, func(rows []int) bool { return rows == nil })
}

// shares divides R, at least the number of sizes, in proportion to the sizes: at least one each, then by the
// largest quotient of size and the next number of shares (Webster).
func shares(sizes []float64, R int) []int {
	count := slices.Repeat([]int{1}, len(sizes))
	for range R - len(sizes) {
		quotient := func(k int) float64 { return sizes[k] / (float64(count[k]) + 0.5) }
		at := 0
		for k := range sizes {
			if cmp.Less(quotient(at), quotient(k)) {
				at = k
			}
		}
		count[at]++
	}
	return count
}

func pickRows[T any](all []T, rows []int) []T {
	some := make([]T, len(rows))
	for i, n := range rows {
		some[i] = all[n]
	}
	return some
}
