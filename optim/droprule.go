package optim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

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

// State is described at MaskSource.
func (d *DropRule) State() MaskState {
	stream, _ := d.stream.MarshalBinary() // a PCG always can
	return MaskState{Rules: d.rules, Keep: d.keep, Masks: stream}
}

// Restore is described at MaskSource.
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
