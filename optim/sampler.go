package optim

import "math/rand/v2"

// rowStream is the second word of the PCG seed of the rows: their purpose, in ASCII.
const rowStream = 0x726f7773 // "rows"

// Sampler draws mini-batches from samples in memory. Samples are drawn without replacement within a batch, and each batch
// from all samples. The masks are drawn by a [MaskSource], which has random numbers of its own: for one seed, the rows do not
// depend on the masks.
type Sampler struct {
	data  Data
	masks MaskSource
	rows  *rand.PCG
	order []int // a permutation of the samples; its first B are the current batch
	batch batch
}

// NewSampler returns a sampler of batches of min(batch, N) samples, whose masks come from masks. The data are read at
// each draw, not copied: they must not change. Errors wrap ErrData or ErrOption.
func NewSampler(d Data, batch int, masks MaskSource, seed uint64) (*Sampler, error) {
	if err := checkBatches(d, batch, masks); err != nil {
		return nil, err
	}
	n := len(d.X)
	s := &Sampler{data: d, masks: masks, rows: rand.NewPCG(seed, rowStream), order: make([]int, n), batch: newBatch(d, min(batch, n))}
	for i := range s.order {
		s.order[i] = i
	}
	return s, nil
}

// Batch is described at [Batches].
func (s *Sampler) Batch() int { return s.batch.size() }

// Next is described at [Batches]. Its error is nil, and nothing is allocated after the first call.
func (s *Sampler) Next() (x, target, mask, weight []float64, err error) {
	s.shuffle()
	for b := range s.Batch() {
		s.batch.set(b, s.data, s.order[b])
	}
	return s.batch.x, s.batch.target, s.masks.Next(s.Batch()), s.batch.weight, nil
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

// Sample is described at [Batches].
func (s *Sampler) Sample() Data { return s.data }
