package optim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
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

// MaskSource draws the masks of mini-batches: which columns, such as rules, each sample uses. [DropRule] is one.
type MaskSource interface {
	// Next draws the mask [rows,R] of the next batch, row-major: 1 where the sample uses the column, else 0; no row is all
	// 0. The slice belongs to the source: the next call overwrites it, and it must not be written to. Nothing is allocated
	// after the first call, as long as rows stays the same.
	Next(rows int) []float64

	// State returns a deep copy of what determines the masks that are still to be drawn.
	State() MaskState

	// Restore sets the state. It refuses, as ErrState and without changing anything, one that is malformed or of a source
	// with other options.
	Restore(MaskState) error
}

// MaskState is the state of a MaskSource. It keeps every bit through JSON.
type MaskState struct {
	Rules int     `json:"rules"`
	Keep  float64 `json:"keep"`
	Masks []byte  `json:"masks"` // the stream of random numbers, as rand.PCG marshals itself
}

// DropRule is the [MaskSource] of the paper (section II-D): each rule is kept for a sample with probability P,
// independently of all others. A sample whose rules were all dropped uses all of them.
type DropRule struct {
	rules     int
	keep      float64
	threshold uint64 // round(P 2^16): a cell is kept if its 16 random bits are below
	stream    *rand.PCG
	mask      []float64
	words     []uint64 // random bits that the mask is made from
}

// maskStream is the second word of the stream's PCG seed: its purpose, in ASCII.
const maskStream = 0x6d61736b73 // "masks"

// LeastKeep is the lowest probability of keeping a rule: a lower one is zero when rounded to a multiple of 2^-16.
const LeastKeep = 0x1p-17

// NewDropRule returns a source of masks over the given number of rules, each kept with probability keep, in (0,1] and
// rounded to a multiple of 2^-16. It refuses, as ErrOption, fewer rules than one, a probability outside (0,1], and one so
// small that no rule would ever be kept.
func NewDropRule(rules int, keep float64, seed uint64) (*DropRule, error) {
	if rules < 1 {
		return nil, fmt.Errorf("%w: number of rules is %d, must be at least 1", ErrOption, rules)
	}
	if !(keep > 0 && keep <= 1) {
		return nil, fmt.Errorf("%w: probability of keeping a rule is %g, must lie in (0,1]", ErrOption, keep)
	}
	if keep < LeastKeep {
		return nil, fmt.Errorf("%w: probability of keeping a rule is %g, must be at least %g", ErrOption, keep, LeastKeep)
	}
	return &DropRule{rules: rules, keep: keep, threshold: uint64(math.Round(keep * 0x1p16)), stream: rand.NewPCG(seed, maskStream)}, nil
}

// Next is described at MaskSource. One random word serves four rules, the lowest 16 bits the first of them; each sample
// starts a new word. Nothing is drawn if every rule is kept.
func (d *DropRule) Next(rows int) []float64 {
	if len(d.mask) != rows*d.rules {
		d.mask = make([]float64, rows*d.rules)
		d.words = make([]uint64, rows*kernel.MaskWords(d.rules))
		for i := range d.mask {
			d.mask[i] = 1
		}
	}
	if d.threshold == 1<<16 {
		return d.mask
	}
	words, stream := d.words, d.stream
	for i := range words {
		words[i] = stream.Uint64()
	}
	kernel.ExpandMask(d.mask, words, d.threshold, rows, d.rules)
	return d.mask
}

func (d *DropRule) State() MaskState {
	stream, _ := d.stream.MarshalBinary() // a PCG always can
	return MaskState{Rules: d.rules, Keep: d.keep, Masks: stream}
}

func (d *DropRule) Restore(st MaskState) error {
	switch {
	case st.Rules != d.rules:
		return fmt.Errorf("%w: masks over %d rules, here over %d", ErrState, st.Rules, d.rules)
	case st.Keep != d.keep:
		return fmt.Errorf("%w: probability of keeping a rule is %g, here %g", ErrState, st.Keep, d.keep)
	}
	var stream rand.PCG
	if err := stream.UnmarshalBinary(st.Masks); err != nil {
		return fmt.Errorf("%w: stream of masks: %w", ErrState, err)
	}
	*d.stream = stream
	return nil
}
