package optim

import "fmt"

// Batches draws the mini-batches of a training: [Sampler] from samples in memory, [Stream] from chunks of samples of which
// one is in memory. A program may have its own, such as batches with equally many samples of each class. Implementations
// are not safe for concurrent use.
type Batches interface {
	// Batch returns the number B of samples in each batch.
	Batch() int

	// Next draws the next mini-batch: x [B,M] and mask [B,R] in row-major order, target [B,C] and weight [B]. The slices belong
	// to the Batches and its source of masks: the next call overwrites them, and they must not be written to. An error, of
	// samples that could not be read, leaves the state as it was.
	Next() (x, target, mask, weight []float64, err error)

	// State returns a deep copy of what determines the batches that are still to be drawn, besides the samples.
	State() SamplerState

	// Restore sets the state: the Batches draw what those that the state is from would have drawn next. It refuses, as
	// ErrState and without changing the state, one that is malformed or of another training. Whether the samples are the
	// same is for the caller to check.
	Restore(SamplerState) error

	// Sample returns samples like those of the batches, at least one: from the loss of predicting zero for them, training
	// judges whether it diverges.
	Sample() Data
}

// batch holds the samples of a mini-batch.
type batch struct{ x, target, weight []float64 }

// newBatch returns a batch of B samples with the features and targets of d.
func newBatch(d Data, B int) batch {
	return batch{x: make([]float64, B*len(d.X[0])), target: make([]float64, B*len(d.Y)/len(d.X)), weight: make([]float64, B)}
}

// size returns B.
func (b *batch) size() int { return len(b.weight) }

// set copies sample n of d to place i.
func (b *batch) set(i int, d Data, n int) {
	m, c := len(b.x)/b.size(), len(b.target)/b.size()
	copy(b.x[i*m:(i+1)*m], d.X[n])
	copy(b.target[i*c:(i+1)*c], d.targets(n))
	b.weight[i] = 1
	if d.Weight != nil {
		b.weight[i] = d.Weight[n]
	}
}

// checkBatches refuses, as ErrData or ErrOption, what neither a Sampler nor a Stream can draw.
func checkBatches(d Data, size int, masks MaskSource) error {
	if err := d.check(); err != nil {
		return err
	}
	if size < 1 {
		return fmt.Errorf("%w: batch size is %d, must be at least 1", ErrOption, size)
	}
	if masks == nil {
		return fmt.Errorf("%w: the source of masks is nil", ErrOption)
	}
	return nil
}
