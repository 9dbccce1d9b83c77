package optim

import (
	"fmt"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/kernel"
)

// The streams of random numbers differ in the second word of their PCG seed: their purpose, in ASCII.
const (
	rowStream  = 0x726f7773   // "rows"
	maskStream = 0x6d61736b73 // "masks"
)

// Sampler draws mini-batches with DropRule masks. Samples are drawn without replacement within a batch, and each
// batch from all samples. Its random numbers come from two streams of its own, so that, for one seed, the rows
// do not depend on the masks. A Sampler is not safe for concurrent use.
type Sampler struct {
	data   Data
	rules  int
	keep   float64
	drop   dropRule
	rows   *rand.PCG
	order  []int // a permutation of the samples; its first B are the current batch
	x      []float64
	target []float64
	mask   []float64
	words  []uint64 // random bits that the masks are drawn from
	weight []float64
}

// NewSampler returns a sampler of batches of min(batch, N) samples and masks over the given number of rules, each rule
// kept with probability keep (the paper's P), in (0,1] and rounded to a multiple of 2^-16. The data are read at each
// draw, not copied: they must not change. Errors wrap ErrData or ErrOption.
func NewSampler(d Data, batch, rules int, keep float64, seed uint64) (*Sampler, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if batch < 1 {
		return nil, fmt.Errorf("%w: batch size is %d, must be at least 1", ErrOption, batch)
	}
	if rules < 1 {
		return nil, fmt.Errorf("%w: number of rules is %d, must be at least 1", ErrOption, rules)
	}
	drop, err := newDropRule(keep, rand.NewPCG(seed, maskStream))
	if err != nil {
		return nil, err
	}
	n := len(d.X)
	b := min(batch, n)
	s := &Sampler{
		data: d, rules: rules, keep: keep, drop: drop,
		rows:   rand.NewPCG(seed, rowStream),
		order:  make([]int, n),
		x:      make([]float64, b*len(d.X[0])),
		target: make([]float64, b),
		mask:   make([]float64, b*rules),
		words:  make([]uint64, b*kernel.MaskWords(rules)),
		weight: make([]float64, b),
	}
	for i := range s.order {
		s.order[i] = i
	}
	for _, v := range [][]float64{s.mask, s.weight} {
		for i := range v {
			v[i] = 1
		}
	}
	return s, nil
}

// Batch returns the number B of samples in each batch.
func (s *Sampler) Batch() int { return len(s.target) }

// Next draws the next mini-batch: x [B,M] and mask [B,R] in row-major order, target [B] and weight [B]. A mask cell is
// 1 if the rule is kept for the sample, else 0; no row is all 0. The slices are the sampler's own: the next call
// overwrites them, and they must not be written to. Nothing is allocated.
func (s *Sampler) Next() (x, target, mask, weight []float64) {
	s.shuffle()
	m := len(s.x) / len(s.target)
	for b := range s.target {
		i := s.order[b]
		copy(s.x[b*m:(b+1)*m], s.data.X[i])
		s.target[b] = s.data.Y[i]
		if s.data.Weight != nil {
			s.weight[b] = s.data.Weight[i]
		}
	}
	if !s.drop.always() {
		s.drop.draw(s.mask, s.words, len(s.target), s.rules)
	}
	return s.x, s.target, s.mask, s.weight
}

// shuffle brings B randomly chosen samples to the front of the order: the first B steps of a Fisher-Yates shuffle. Its
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
func (s *Sampler) zeroLoss() float64 { return float64(s.Batch()) * s.data.meanZeroLoss() }
