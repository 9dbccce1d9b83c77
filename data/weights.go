package data

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Weighed returns the samples that training and evaluation use: without those of weight zero, and with weights of
// mean one, which do not depend on the unit of the given weights: a common factor changes no bit. If all are equal,
// there are neither weights nor a Schema.Weight. A data set without weights is returned unchanged; X may be shared, and Whole is the same.
// The error is that of [Dataset.Validate].
//
// A sum over samples is sum_n w_n v_n, which for N samples has the weight N; where it is divided by N-1 without weights,
// it is so with them: the variance is sum_n w_n d_n^2 / (N-1), that is sum w d^2 / (sum w (N-1)/N) for weights of any unit
// (NIST/SEMATECH, Dataplot Reference Manual, "Weighted standard deviation").
func (d *Dataset) Weighed() (*Dataset, error) {
	if err := d.Validate(); err != nil || d.Weights == nil {
		return d, err
	}
	w := *counted(d)
	smallest, sum := slices.Min(w.Weights), 0.0
	weights := make([]float64, len(w.Weights))
	for i, v := range w.Weights {
		weights[i] = rounded(v / smallest)
		sum += weights[i]
	}
	if !numeric.Finite(sum) {
		return nil, table.Faultf("", "the sample weights run from %v to %v, too far for 64-bit numbers", smallest, slices.Max(w.Weights))
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

// weightBits is to how many significant bits a weight over the smallest is rounded: weights that are proportional,
// which floating-point division cannot keep so to the last bit, become the same numbers; small whole numbers stay
// what they are, and other ratios change by two in a thousand million at most.
const weightBits = 28

// rounded keeps the leading bits of a positive number.
func rounded(v float64) float64 {
	fraction, exponent := math.Frexp(v)
	return math.Ldexp(math.RoundToEven(math.Ldexp(fraction, weightBits)), exponent-weightBits)
}

// counted returns the samples of positive weight; the data set itself if that is all.
func counted(d *Dataset) *Dataset {
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
func checkWeights(weights []float64) error {
	if weights == nil {
		return nil
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if sum <= 0 || !numeric.Finite(sum) {
		return fmt.Errorf("the sum of the sample weights is %v: want it positive and finite", sum)
	}
	return nil
}

// WeighedBucket returns bucket i of w with weights of mean one over all rows of w, which do not depend on the unit of the given
// weights, see [Dataset.Weighed]; nil if it has no rows. Its error is that of Bucket.
func WeighedBucket(w Whole, i int) (*Dataset, error) {
	d, err := w.Bucket(i)
	if err != nil || d == nil || d.Weights == nil {
		return d, err
	}
	weighed, mean := *d, w.Weight()/float64(w.Len())
	weighed.Weights = make([]float64, len(d.Weights))
	for n, v := range d.Weights {
		weighed.Weights[n] = rounded(v / mean)
	}
	return &weighed, nil
}
