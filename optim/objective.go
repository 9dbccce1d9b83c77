package optim

import "gorgonia.org/gorgonia"

// Objective is a loss with parameters: what a solver minimises. graph.Network satisfies it.
type Objective interface {
	// Params returns the trainable parameters, always in the same order. Values and gradients are contiguous float64
	// tensors, and stay the same tensors: they are updated in place.
	Params() []gorgonia.ValueGrad

	// Evaluate runs forward and backward on one mini-batch: x [B,M] and mask [B,R] in row-major order, target
	// [B,C], weight [B]. The slices are only valid during the call and must not be written to. Evaluate leaves the gradient
	// of data + penalty, summed over the batch, in Params: overwritten, not accumulated.
	//
	// data is sum_n weight_n L(y_n, target_n), for the squared loss of one output 1/2 sum_n weight_n (y_n - target_n)^2; penalty is the
	// regularisation part of the loss. skipped counts the samples that loss and gradient leave out because no rule
	// fired or a number was not finite. An error ends training.
	Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error)

	// Project moves the parameters back into their domain (a floor for the widths, the order of the corners of a
	// trapezoid). The training loop calls it after each update.
	Project()
}
