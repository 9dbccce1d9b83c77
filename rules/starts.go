package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
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
	each := numeric.EachWeight(weight, len(x))
	M := len(x[0])
	features := make([][]float64, M)
	relevance := make([]float64, M)
	for m := range M {
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		features[m] = Columns(x, m, m+1)
		relevance[m] = correlationRatio(features[m], y, each)
	}
	order := make([]int, M)
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(relevance[b], relevance[a]) })

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
		sorted := numeric.SortedByValue(features[m], weight)
		spread := oneFeatureWidth * (sorted[len(sorted)-1] - sorted[0]) / float64(k)
		for j := range k {
			r := i + j*M
			c.Centers[r][m] = quantile(sorted, (float64(j)+0.5)/float64(k))
			c.Spreads[r][m] = spread
			copy(c.Targets[r*C:], meanNear(features[m], y, each, c.Centers[r][m], spread))
		}
	}
	return c.finish(), nil
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
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	C := len(y) / len(x)
	mean, bin := meanTargets(y, weight), numeric.WeightSum(weight, len(weight))/oneFeatureBins
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
			sizes[k] += numeric.WeightAt(s.Weight, n)
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

// MaxGridInputs is the largest number of inputs of a grid: 4096 rules.
const MaxGridInputs = 12

// ErrGrid is wrapped by the error of [Grid] for more than MaxGridInputs inputs.
var ErrGrid = errors.New("rules: too many inputs for a grid")

// Grid gives each of the M features two membership functions, low and high, and returns a
// rule for every combination: R = 2^M rules, as in the original MBGD-RDA. Rules share
// their membership functions ([RuleBase.Tie]): rule r, from 0, uses the high one of
// feature m if bit m of r is set. Consequents are zero.
//
// The two functions are centered at the ends of the samples' range; their spread is the
// standard deviation of the samples (weighted, divisor n-1 as in [KMeans]), or 1 for a
// constant feature. Trapezoids are placed by their [membership.Partitioner], which leaves
// the ends of the range uncovered. The spread floor is the smallest initial spread.
func Grid(shape membership.Function, x [][]float64, weight []float64) (*RuleBase, error) {
	if shape == nil {
		return nil, errors.New("rules: a grid has no shape of membership function")
	}
	if err := (Samples{X: x, Y: make([]float64, len(x)), Weight: weight}).check(1); err != nil {
		return nil, err
	}
	weight = numeric.EachWeight(weight, len(x))
	M := len(x[0])
	if M > MaxGridInputs {
		return nil, fmt.Errorf("%w: %d, of at most %d", ErrGrid, M, MaxGridInputs)
	}
	params := shape.Params()
	rb := &RuleBase{Shape: shape, Parameters: NewParameters(len(params), 1<<M, M), SpreadFloor: math.Inf(1)}
	for r := range rb.Rules() {
		rb.Tie = append(rb.Tie, make([]int, M))
		for m := range M {
			rb.Tie[r][m] = r >> m & 1
		}
	}
	for m := range M {
		low, high, sd := spanOf(x, weight, m)
		rb.SpreadFloor = min(rb.SpreadFloor, sd)
		functions := [][]float64{shape.Place(low, sd), shape.Place(high, sd)}
		if s, ok := shape.(membership.Partitioner); ok && low < high {
			functions = s.Partition(low, high, 2)
		}
		for j, param := range params {
			for r, labels := range rb.Tie {
				v := functions[labels[m]][j]
				rb.Antecedents[j][r][m] = v
				if param.Kind == membership.Spread && v > 0 {
					rb.SpreadFloor = min(rb.SpreadFloor, v)
				}
			}
		}
	}
	rb.Project()
	return rb, nil
}

// spanOf returns the range and standard deviation of feature m; sd is 1 if the feature is
// constant.
func spanOf(x [][]float64, weight []float64, m int) (low, high, sd float64) {
	low, high = math.Inf(1), math.Inf(-1)
	mean, size, n := 0.0, numeric.WeightSum(weight, len(weight)), float64(len(x))
	for i, row := range x {
		low, high = min(low, row[m]), max(high, row[m])
		mean += weight[i] * row[m] / size
	}
	sum := 0.0
	for i, row := range x {
		sum += float64(weight[i] * ((row[m] - mean) * (row[m] - mean)))
	}
	if sd = math.Sqrt(sum * (n / size) / max(n-1, 1)); sd < 1e-9 {
		sd = 1
	}
	return low, high, sd
}
