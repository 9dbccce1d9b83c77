package graph

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/layers"
)

// predictRows is the batch size of the forward-only graph.
const predictRows = 256

// Predict returns the predictions for the samples x [N][M], or [N][2M] with
// Options.TwoParts, any N, with all rules, and which of them a rule covers. An
// uncovered sample, or one whose prediction is not finite, gets zero, the training
// mean in centred units. It runs a forward-only graph over the same parameter
// tensors, in chunks.
func (n *Network) Predict(x [][]float64) (y []float64, covered []bool, err error) {
	defer recovered(&err)
	if n.forward == nil {
		if err := n.buildForward(); err != nil {
			return nil, nil, err
		}
	}
	n.takeLogs()
	width := n.forward.width()
	in := make([]float64, predictRows*width)
	y, covered = make([]float64, len(x)), make([]bool, len(x))
	for start := 0; start < len(x); start += predictRows {
		chunk := x[start:min(start+predictRows, len(x))]
		for i, row := range chunk {
			if len(row) != width {
				return nil, nil, fmt.Errorf("%w: sample %d has %d features; the network takes %d", ErrGraph, start+i, len(row), width)
			}
			copy(in[i*width:], row)
		}
		if err := n.forward.setX(in); err != nil {
			return nil, nil, err
		}
		n.forwardVM.Reset()
		if err := n.forwardVM.RunAll(); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrGraph, err)
		}
		predictions, cover := n.forward.prediction.floats(), n.forward.covered.floats()
		for i := range chunk {
			if cover[i] == 1 && numeric.Finite(predictions[i]) {
				y[start+i], covered[start+i] = predictions[i], true
			}
		}
	}
	return y, covered, nil
}

func (n *Network) buildForward() error {
	layers.Building.Lock()
	defer layers.Building.Unlock()
	f := newNet(Options{Engine: n.options.Engine, Batch: predictRows, TwoParts: n.options.TwoParts}, n.base.Shape, n.params)
	vm, err := f.start()
	if err != nil {
		return err
	}
	keep := f.mask.value.Float64s()
	for i := range keep {
		keep[i] = 1
	}
	n.forward, n.forwardVM = f, vm
	return nil
}
