// Package optim fits the parameters of a model by mini-batch gradient descent: solvers (AdaBound and others),
// mini-batches, DropRule masks, and the training loop.
//
// It knows nothing about fuzzy systems. What is minimised is an [Objective]: parameters with gradients, a function
// that evaluates the loss on a mini-batch, and a projection onto the parameters' domain. In tskgraph that is
// graph.Network, which satisfies the interface without importing this package.
//
// # One iteration
//
// [Train] repeats, for k = 1, 2, ..., K:
//
//  1. draw B of the N samples without replacement and a mask [B,R] ([MaskSource], such as [DropRule]): [Batches], which
//     are a [Sampler] of samples in memory or a [Stream] of chunks read one at a time;
//  2. run the model forward and backward ([Objective.Evaluate]), which leaves the gradient of the loss
//     L = 1/2 sum_n weight_n (y_n - target_n)^2 + penalty, summed over the batch, in the parameters;
//  3. update the parameters ([Solver]); a [Method] such as [Adam] holds the options of a solver, [New] returns it;
//  4. move them back into their domain ([Objective.Project]).
//
// K counts mini-batches, not passes over the data: what the paper calls an epoch is one iteration here.
//
// # Validation and early stopping
//
// With Options.Validate set, the parameters with the lowest validation RMSE are kept and restored at the end;
// Options.Patience ends training when that RMSE has not fallen for so many iterations.
//
// A [LossSolver] (anfis) uses the loss itself and is meant for full batches: without a validation, the parameters with the
// lowest loss are restored at the end.
//
// With Options.Training set, and neither, a training that ends early keeps the parameters of the lowest error of training so far. One that is
// completed keeps them if the last ones exceed that error by more than 1%.
//
// # Divergence
//
// Nothing that is not finite passes silently. A loss, gradient, parameter or validation RMSE that is NaN or infinite
// ends training at once; a data loss beyond a million times that of predicting zero ends it after ten consecutive
// iterations; the best parameters so far are restored and the error wraps [ErrDiverged]. Samples that the model
// could not use (no rule fired) are not divergence: they are counted and reported.
//
// # Reproducibility
//
// The random numbers come from two PCG streams, one for the rows and one for the masks, both seeded by the caller.
// Equal seeds give equal batches and, with a deterministic Objective, bit-identical parameters on the same machine
// architecture. The whole state of a solver, of the batches and of the loop can be saved and restored exactly ([State],
// [SamplerState], [Checkpoint]); each survives JSON without losing a bit.
//
// # Cost
//
// After its first iteration the loop allocates nothing but one float64 per validation and the chunks that a Stream reads;
// callbacks and the Objective add what they allocate themselves.
package optim
