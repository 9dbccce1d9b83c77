package fit

import (
	"errors"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// newBatches returns the mini-batches of B samples: of all rows if the training set is the
// sample of a Whole and larger than a batch, else of the training set.
func newBatches(t *trainer, B int, seed uint64) (optim.Batches, error) {
	train := t.Recipe.Train
	masks, err := optim.NewDropRule(t.rules.Rules(), min(train.DropRule, train.RuleDropout), seed) // one of them is 1
	if err != nil {
		return nil, err
	}
	if t.data.Whole == nil || B == len(t.x) {
		return optim.NewSampler(t.samples(B), B, masks, seed)
	}
	return optim.NewStream(t.samples(B), &buckets{trainer: t, B: B}, B, masks, seed)
}

// buckets are the buckets of the Whole of a training set as chunks for batches of B
// samples, put through the same functions as its sample.
type buckets struct {
	*trainer
	B     int
	cells []float64 // backs the scaled samples of the bucket in memory
}

// Len returns the number of buckets.
func (b *buckets) Len() int { return b.data.Whole.Buckets() }

// Chunk reads bucket i. A bucket that cannot be read or scaled is a *data.Error.
func (b *buckets) Chunk(i int) (optim.Data, error) {
	d, err := data.WeighedBucket(b.data.Whole, i)
	if err != nil || d == nil {
		return optim.Data{}, err
	}
	x, err := b.scale(d)
	if err != nil {
		return optim.Data{}, err
	}
	y := b.prep.Targets(d)
	train := b.Recipe.Train
	train.Smooth(y, len(d.Schema.Classes))
	d.Whole = b.data.Whole // the classes have the weights of all rows
	return optim.Data{X: x, Y: y, Weight: lossWeights(train, train.LossWeights(d), len(x), b.B)}, nil
}

// scale returns the scaled samples of a bucket, which replace those of the bucket before. It
// scales a part at a time, so that beside them there is one copy of the bucket in memory.
func (b *buckets) scale(d *data.Dataset) ([][]float64, error) {
	const rows = 1024
	width := len(b.x[0])
	b.cells = b.cells[:0]
	for from := 0; from < d.Len(); from += rows {
		scaled, err := b.prep.Scale(d.X[from:min(from+rows, d.Len())])
		if fault := new(model.SampleError); errors.As(err, &fault) {
			return nil, &data.Error{Message: fault.Message, Err: err}
		}
		if err != nil {
			return nil, err
		}
		for _, row := range scaled {
			b.cells = append(b.cells, row...)
		}
	}
	x := make([][]float64, d.Len())
	for n := range x {
		x[n] = b.cells[n*width : (n+1)*width : (n+1)*width]
	}
	return x, nil
}
