package data

import (
	"fmt"
	"math"
	"slices"
)

// weightBits is to how many significant bits a weight over the smallest is rounded: weights that are proportional,
// which floating-point division cannot keep so to the last bit, become the same numbers; small whole numbers stay
// what they are, and other ratios change by two in a thousand million at most.
const weightBits = 28

// Weighed returns the samples as training and evaluation take them: without those of weight zero, and with weights of
// mean one, which do not depend on the unit of the given ones: a common factor changes no bit. Where all are equal
// there are none, nor a Schema.Weight. A data set without weights is returned as it is; X may be shared. What
// [Dataset.Validate] refuses is the error.
//
// A sum over samples is sum_n w_n v_n, which for N samples has the weight N; where it is divided by N-1 without weights,
// it is so with them: the variance is sum_n w_n d_n^2 / (N-1), that is sum w d^2 / (sum w (N-1)/N) for weights of any unit
// (NIST/SEMATECH, Dataplot Reference Manual, "Weighted standard deviation").
func (d *Dataset) Weighed() (*Dataset, error) {
	if err := d.Validate(); err != nil || d.Weights == nil {
		return d, err
	}
	w := *d.counted()
	smallest, sum := slices.Min(w.Weights), 0.0
	weights := make([]float64, len(w.Weights))
	for i, v := range w.Weights {
		weights[i] = rounded(v / smallest)
		sum += weights[i]
	}
	if !finite(sum) {
		return nil, faultf("", "the sample weights run from %v to %v, too far for 64-bit numbers", smallest, slices.Max(w.Weights))
	}
	mean := sum / float64(len(weights))
	for i := range weights {
		weights[i] /= mean
	}
	if w.Weights = weights; mean == 1 { // the smallest is 1, and so are all
		w.Weights, w.Schema.Weight = nil, ""
	}
	return &w, nil
}

// rounded keeps the leading bits of a positive number.
func rounded(v float64) float64 {
	fraction, exponent := math.Frexp(v)
	return math.Ldexp(math.RoundToEven(math.Ldexp(fraction, weightBits)), exponent-weightBits)
}

// counted returns the samples of positive weight; the data set itself if that is all.
func (d *Dataset) counted() *Dataset {
	if !slices.Contains(d.Weights, 0) {
		return d
	}
	var rows []int
	for i, w := range d.Weights {
		if w != 0 {
			rows = append(rows, i)
		}
	}
	return d.Subset(rows)
}

// checkWeights refuses weights whose sum is zero or overflows.
func (d *Dataset) checkWeights() error {
	if d.Weights == nil {
		return nil
	}
	sum := 0.0
	for _, w := range d.Weights {
		sum += w
	}
	if sum <= 0 || !finite(sum) {
		return fmt.Errorf("the sum of the sample weights is %v: want it positive and finite", sum)
	}
	return nil
}
