package graph

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// Evaluate runs the network forward and backward on one mini-batch: x [B,M], or
// [B,2M] with Options.TwoParts, and mask [B,R] row by row, target [B] and weight [B]. It returns the data part and
// the penalty of the loss and leaves the gradients of their sum in Params.
//
// A sample whose kept rules all have firing level zero uses all rules. One that
// no rule covers even so, or whose prediction is not finite, is left out; skipped
// counts these (samples of weight zero are not counted). Every row of mask must
// keep at least one rule.
func (n *Network) Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error) {
	defer recovered(&err)
	if err := n.net.setX(x); err != nil {
		return 0, 0, 0, err
	}
	for _, in := range []struct {
		input
		name   string
		values []float64
	}{{n.net.target, "target", target}, {n.net.mask, "mask", mask}, {n.net.weight, "weight", weight}} {
		if len(in.values) != in.value.Size() {
			return 0, 0, 0, fmt.Errorf("%w: %s has %d values; the network takes %d", ErrGraph, in.name, len(in.values), in.value.Size())
		}
		copy(in.value.Float64s(), in.values)
	}
	if err := n.run(); err != nil {
		return 0, 0, 0, err
	}
	for _, rescue := range []func(row int){n.useAllRules, n.leaveOut} {
		if data = n.net.data.scalar(); numeric.Finite(data) {
			break
		}
		for row, y := range n.net.prediction.floats() {
			if !numeric.Finite(y) || !numeric.Finite(y*y) {
				rescue(row)
			}
		}
		if err := n.run(); err != nil {
			return 0, 0, 0, err
		}
	}
	for row, covered := range n.net.covered.floats() {
		if covered != 1 && weight[row] != 0 || n.net.weight.value.Float64s()[row] != weight[row] {
			skipped++
		}
	}
	if n.ties != nil {
		n.ties.sum()
	}
	if n.net.penalty.node != nil {
		penalty = n.net.penalty.scalar()
	}
	return n.net.data.scalar(), penalty, skipped, nil
}

// Predictions returns the predictions y(x_n) [B] of the last Evaluate, with its
// mask. A sample that no rule covers has zero.
func (n *Network) Predictions() []float64 { return slices.Clone(n.net.prediction.floats()) }

// useAllRules lifts the DropRule mask of a sample.
func (n *Network) useAllRules(row int) {
	R := n.net.mask.value.Shape()[1]
	for i := range R {
		n.net.mask.value.Float64s()[row*R+i] = 1
	}
}

// leaveOut replaces a sample by the origin, with weight zero.
func (n *Network) leaveOut(row int) {
	M := n.net.M
	clear(n.net.x.value.Float64s()[row*M : (row+1)*M])
	clear(n.net.z.value.Float64s()[row*M : (row+1)*M])
	n.net.target.value.Float64s()[row] = 0
	n.net.weight.value.Float64s()[row] = 0
}

// run runs the graph.
func (n *Network) run() error {
	n.vm.Reset()
	if err := n.vm.RunAll(); err != nil {
		return fmt.Errorf("%w: %w", ErrGraph, err)
	}
	return nil
}

func (o *output) scalar() float64 {
	if v, ok := (*o.value).(*gorgonia.F64); ok {
		return float64(*v)
	}
	return (*o.value).Data().(float64)
}

func (o *output) floats() []float64 { return (*o.value).(*tensor.Dense).Float64s() }
