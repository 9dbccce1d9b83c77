package model

import (
	"errors"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// PowerLimit is the largest absolute value of a [Power] transform, in standard deviations.
const PowerLimit = 8.0

const (
	skewed     = 1.0  // least absolute skewness of a feature that is transformed
	powerRange = 5.0  // lambda is searched within plus and minus this
	powerRows  = 4096 // most quantiles that lambda is fitted to
)

// Power is the transform of Yeo and Johnson, "A new family of power transformations
// to improve normality or symmetry", Biometrika 87 (2000), of a z-score z:
//
//	psi(z) = ((z+1)^lambda - 1) / lambda               z >= 0; log(z+1) for lambda 0
//	psi(z) = -((1-z)^(2-lambda) - 1) / (2-lambda)      z < 0; -log(1-z) for lambda 2
//
// standardised to (psi(z) - Mean) / SD and clamped to the range from -8 to 8. It increases with z. The antecedents use it for skewed
// features, so that a long tail does not compress the range of the other samples. [Preprocessing.Straighten] fits it.
type Power struct {
	Lambda float64 `json:"lambda"`
	Mean   float64 `json:"mean"` // of psi over the training part, weighted
	SD     float64 `json:"sd"`   // likewise, divisor n-1
}

// Value returns the transform of a z-score.
func (p *Power) Value(z float64) float64 {
	return max(-PowerLimit, min(PowerLimit, (yeoJohnson(z, p.Lambda)-p.Mean)/p.SD))
}

// values writes the transforms of z-scores z [N] to u [N], to the bit those of Value. spare [N] is memory.
func (p *Power) values(u, z, spare []float64) {
	for n, v := range z {
		if u[n] = v; v < 0 {
			u[n] = -v
		}
	}
	lambdas := [2]float64{p.Lambda, 2 - p.Lambda} // of z >= 0 and z < 0
	if lambdas[0] == 0 || lambdas[1] == 0 {
		for n, v := range z {
			u[n] = p.Value(v)
		}
		return
	}
	each(spare, u, kernel.Log1p, numeric.Log1p)
	for n, v := range z {
		spare[n] *= lambdas[below(v)]
	}
	each(u, spare, kernel.Expm1, numeric.Expm1)
	signs := [2]float64{1, -1}
	for n, v := range z {
		side := below(v)
		u[n] = max(-PowerLimit, min(PowerLimit, (signs[side]*u[n]/lambdas[side]-p.Mean)/p.SD))
	}
}

// below returns 1 for v < 0, else 0, without a branch.
func below(v float64) int {
	if v < 0 {
		return 1
	}
	return 0
}

// each writes a function of x to dst: by a kernel, or one by one where that gives NaN.
func each(dst, x []float64, f func(dst, x []float64), one func(float64) float64) {
	f(dst, x)
	for n, y := range dst {
		if y != y {
			dst[n] = one(x[n])
		}
	}
}

// Inverse returns the z-score whose transform, without clamping, is u; an infinity if u lies outside the range of psi.
func (p *Power) Inverse(u float64) float64 {
	v, lambda, sign := p.Mean+float64(p.SD*u), p.Lambda, 1.0
	if v < 0 {
		v, lambda, sign = -v, 2-lambda, -1
	}
	if lambda == 0 {
		return sign * numeric.Expm1(v)
	}
	if base := float64(lambda*v) + 1; base > 0 {
		return sign * (math.Pow(base, 1/lambda) - 1)
	}
	return math.Inf(int(sign))
}

func yeoJohnson(z, lambda float64) float64 {
	sign := 1.0
	if z < 0 {
		z, lambda, sign = -z, 2-lambda, -1
	}
	if lambda == 0 {
		return float64(sign * numeric.Log1p(z))
	}
	return sign * numeric.Expm1(float64(lambda*numeric.Log1p(z))) / lambda
}

// fitPower returns the transform for the z-scores of a skewed feature. It returns nil if
// the feature is not skewed, has at most two values, or would not become less skewed.
func fitPower(z column) *Power {
	if len(z.values) == 0 {
		return nil
	}
	before := skewness(z)
	if math.Abs(before) <= skewed || atMostTwo(z.values) {
		return nil
	}
	p := &Power{Lambda: likeliestPower(thinned(z))}
	psi := column{make([]float64, len(z.values)), z.weights}
	for i, v := range z.values {
		psi.values[i] = yeoJohnson(v, p.Lambda)
	}
	p.Mean, p.SD, _, _ = moments(psi.values, psi.weights)
	if p.check() != nil || !(math.Abs(skewness(psi)) < math.Abs(before)) {
		return nil
	}
	return p
}

// atMostTwo reports whether there are at most two different values.
func atMostTwo(values []float64) bool {
	other := slices.IndexFunc(values, func(v float64) bool { return v != values[0] })
	return other < 0 || !slices.ContainsFunc(values[other:], func(v float64) bool { return v != values[0] && v != values[other] })
}

// skewness returns the weighted mean of the cubed z-scores of values.
func skewness(c column) float64 {
	mean, sd, _, _ := moments(c.values, c.weights)
	sum := 0.0
	for i, v := range c.values {
		d := (v - mean) / sd
		sum += float64(numeric.WeightAt(c.weights, i) * (d * d * d))
	}
	return sum / numeric.WeightSum(c.weights, len(c.values))
}

// thinned returns at most powerRows values: all of them, sorted if they have no weights, or evenly spaced quantiles of equal weight.
func thinned(c column) column {
	if c.weights != nil && len(c.values) <= powerRows {
		return c
	}
	if len(c.values) <= powerRows {
		return column{numeric.SortedByValue(c.values, nil), nil}
	}
	return column{c.evenly(powerRows), nil}
}

// likeliestPower returns the lambda that maximises the normal likelihood of the
// transformed values, by golden-section search: the likelihood has one maximum.
func likeliestPower(z column) float64 {
	jacobian := 0.0
	for i, v := range z.values {
		jacobian += float64(numeric.WeightAt(z.weights, i) * math.Copysign(numeric.Log1p(math.Abs(v)), v))
	}
	psi, size := make([]float64, len(z.values)), numeric.WeightSum(z.weights, len(z.values))
	likelihood := func(lambda float64) float64 {
		for i, v := range z.values {
			psi[i] = yeoJohnson(v, lambda)
		}
		_, sd, _, _ := moments(psi, z.weights)
		return float64((lambda-1)*jacobian) - float64(size*math.Log(sd))
	}
	low, high := -powerRange, powerRange
	golden := (math.Sqrt(5) - 1) / 2
	for high-low > 1e-3 {
		a, b := high-float64(golden*(high-low)), low+float64(golden*(high-low))
		if likelihood(a) < likelihood(b) {
			low = a
		} else {
			high = b
		}
	}
	return (low + high) / 2
}

// check validates the transform.
func (p *Power) check() error {
	if !numeric.Finite(p.Lambda, p.Mean, p.SD, 1/p.SD) || !(p.SD > 0) || math.Abs(p.Lambda) > powerRange {
		return errors.New("lambda must lie between -5 and 5, mean be finite, sd positive")
	}
	return nil
}

// column holds the values of a feature that are not missing, and their weights; nil: all one.
type column struct{ values, weights []float64 }

// read sets the column to feature m of the samples x [N][M] with weights [N].
func (c *column) read(x [][]float64, weights []float64, m int) {
	c.values, c.weights = c.values[:0], c.weights[:0]
	for n, row := range x {
		if math.IsNaN(row[m]) {
			continue
		}
		c.values = append(c.values, row[m])
		if weights != nil {
			c.weights = append(c.weights, weights[n])
		}
	}
	if weights == nil {
		c.weights = nil
	}
}

// evenly returns n of at least one value, in order, of even ranks from the least to the largest, with weights by these.
func (c column) evenly(n int) []float64 {
	sorted, some := numeric.SortedByValue(c.values, c.weights), make([]float64, n)
	for i := range some {
		some[i] = sorted[i*(len(sorted)-1)/(n-1)]
	}
	return some
}

// moments returns the moments of the values, see [moments]; zero without values.
func (c column) moments() data.Moments {
	if len(c.values) == 0 {
		return data.Moments{}
	}
	mean, sd, low, high := moments(c.values, c.weights)
	return data.Moments{N: len(c.values), Weight: numeric.WeightSum(c.weights, len(c.values)), Mean: mean, SD: sd, Min: low, Max: high}
}

// moments returns the weighted mean, the standard deviation (divisor n-1, with weights sum w (n-1)/n) and the range of values. The values
// and their range must be finite. The deviations are rescaled, so that their squares neither overflow nor underflow.
func moments(values, weights []float64) (mean, sd, low, high float64) {
	low, high = values[0], values[0]
	n, total := float64(len(values)), 0.0
	for i, v := range values {
		low, high = min(low, v), max(high, v)
		w := numeric.WeightAt(weights, i)
		total += w
		mean += (v - mean) / (total / w) // a sum of large values could overflow
	}
	if low == high {
		return low, 0, low, high
	}
	scale := max(high-mean, mean-low)
	sum := 0.0
	for i, v := range values {
		d := (v - mean) / scale
		sum += float64(numeric.WeightAt(weights, i) * (d * d))
	}
	return mean, scale * math.Sqrt(sum*(n/total)/(n-1)), low, high
}
