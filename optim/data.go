package optim

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// Data are the training samples, on the scale of the objective: scaled features and, for each output, a target.
type Data struct {
	X      [][]float64 // features [N,M]
	Y      []float64   // targets [N,C] of C outputs, row-major
	Weight []float64   // weight of each sample in the loss [N], none negative; nil: all 1
}

// check refuses, as ErrData, data without samples or features, lengths that differ, numbers that are not finite, negative
// weights, and weights that are all zero.
func (d Data) check() error {
	n := len(d.X)
	if n == 0 {
		return fmt.Errorf("%w: no samples", ErrData)
	}
	m := len(d.X[0])
	if m == 0 {
		return fmt.Errorf("%w: no features", ErrData)
	}
	if len(d.Y) == 0 || len(d.Y)%n != 0 {
		return fmt.Errorf("%w: %d samples, but %d targets", ErrData, n, len(d.Y))
	}
	if d.Weight != nil && len(d.Weight) != n {
		return fmt.Errorf("%w: %d samples, but %d weights", ErrData, n, len(d.Weight))
	}
	for i, x := range d.X {
		if len(x) != m {
			return fmt.Errorf("%w: sample %d has %d features, sample 0 has %d", ErrData, i, len(x), m)
		}
		for j, v := range x {
			if !numeric.Finite(v) {
				return fmt.Errorf("%w: feature %d of sample %d is %g", ErrData, j, i, v)
			}
		}
		for _, y := range d.targets(i) {
			if !numeric.Finite(y) {
				return fmt.Errorf("%w: target of sample %d is %g", ErrData, i, y)
			}
		}
	}
	return d.checkWeights()
}

func (d Data) checkWeights() error {
	var sum float64
	for i, w := range d.Weight {
		if !numeric.Finite(w) || w < 0 {
			return fmt.Errorf("%w: weight of sample %d is %g", ErrData, i, w)
		}
		sum += w
	}
	if d.Weight != nil && sum == 0 {
		return fmt.Errorf("%w: all weights are zero", ErrData)
	}
	return nil
}

// targets returns the targets [C] of a sample.
func (d Data) targets(i int) []float64 {
	C := len(d.Y) / len(d.X)
	return d.Y[i*C : (i+1)*C]
}

// meanZeroLoss is the mean over all samples of the weighted loss of predicting zero.
func (d Data) meanZeroLoss(l loss.Loss) float64 {
	var sum float64
	all, zero := loss.Joint(l, nil), make([]float64, len(d.Y)/len(d.X))
	for i := range d.X {
		w := 1.0
		if d.Weight != nil {
			w = d.Weight[i]
		}
		sum += float64(w * all.Value(zero, d.targets(i)))
	}
	return sum / float64(len(d.X))
}
