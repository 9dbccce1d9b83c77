package optim

import (
	"fmt"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/loss"
)

// rowStream is the second word of the PCG seed of the rows: their purpose, in ASCII.
const rowStream = 0x726f7773 // "rows"

// Sampler draws mini-batches. Samples are drawn without replacement within a batch, and each batch from all samples. The
// masks are drawn by a [MaskSource], which has random numbers of its own: for one seed, the rows do not depend on the
// masks. A Sampler is not safe for concurrent use.
type Sampler struct {
	data   Data
	masks  MaskSource
	rows   *rand.PCG
	order  []int // a permutation of the samples; its first B are the current batch
	x      []float64
	target []float64
	weight []float64
}

// NewSampler returns a sampler of batches of min(batch, N) samples, whose masks come from masks. The data are read at
// each draw, not copied: they must not change. Errors wrap ErrData or ErrOption.
func NewSampler(d Data, batch int, masks MaskSource, seed uint64) (*Sampler, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if batch < 1 {
		return nil, fmt.Errorf("%w: batch size is %d, must be at least 1", ErrOption, batch)
	}
	if masks == nil {
		return nil, fmt.Errorf("%w: the source of masks is nil", ErrOption)
	}
	n := len(d.X)
	b := min(batch, n)
	s := &Sampler{
		data: d, masks: masks,
		rows:   rand.NewPCG(seed, rowStream),
		order:  make([]int, n),
		x:      make([]float64, b*len(d.X[0])),
		target: make([]float64, b*len(d.Y)/n),
		weight: make([]float64, b),
	}
	for i := range s.order {
		s.order[i] = i
	}
	for i := range s.weight {
		s.weight[i] = 1
	}
	return s, nil
}

// Batch returns the number B of samples in each batch.
func (s *Sampler) Batch() int { return len(s.weight) }

// Next draws the next mini-batch: x [B,M] and mask [B,R] in row-major order, target [B,C] and weight [B]. The slices belong
// to the sampler and its source of masks: the next call overwrites them, and they must not be written to. Nothing is
// allocated after the first call.
func (s *Sampler) Next() (x, target, mask, weight []float64) {
	s.shuffle()
	m, c := len(s.x)/s.Batch(), len(s.target)/s.Batch()
	for b := range s.weight {
		i := s.order[b]
		copy(s.x[b*m:(b+1)*m], s.data.X[i])
		copy(s.target[b*c:(b+1)*c], s.data.targets(i))
		if s.data.Weight != nil {
			s.weight[b] = s.data.Weight[i]
		}
	}
	return s.x, s.target, s.masks.Next(s.Batch()), s.weight
}

// shuffle moves B randomly chosen samples to the front of the order: the first B steps of a Fisher-Yates shuffle. Its
// result is uniform whatever the order was before. A batch of all samples stays in the order of the data.
func (s *Sampler) shuffle() {
	n, b := len(s.order), s.Batch()
	if b == n {
		return
	}
	r := rand.New(s.rows)
	for i := range b {
		j := i + r.IntN(n-i)
		s.order[i], s.order[j] = s.order[j], s.order[i]
	}
}

// zeroLoss is the data loss of predicting zero on an average batch.
func (s *Sampler) zeroLoss(l loss.Loss) float64 {
	return float64(s.Batch()) * s.data.meanZeroLoss(l)
}
