package optim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/kernel"
)

// dropRule draws DropRule masks (the paper, section II-D): each rule is kept for a sample with probability P,
// independently of all others. A sample whose rules were all dropped uses all of them.
type dropRule struct {
	threshold uint64 // round(P 2^16): a cell is kept if its 16 random bits are below
	stream    *rand.PCG
}

// newDropRule refuses, as ErrOption, a P outside (0,1], and one so small that no rule would ever be kept.
func newDropRule(keep float64, stream *rand.PCG) (dropRule, error) {
	if !(keep > 0 && keep <= 1) {
		return dropRule{}, fmt.Errorf("%w: probability of keeping a rule is %g, must lie in (0,1]", ErrOption, keep)
	}
	t := math.Round(keep * 0x1p16)
	if t == 0 {
		return dropRule{}, fmt.Errorf("%w: probability of keeping a rule is %g, at least %g is needed", ErrOption, keep, 0x1p-17)
	}
	return dropRule{uint64(t), stream}, nil
}

// always reports whether every rule is kept, so that nothing need be drawn.
func (d dropRule) always() bool { return d.threshold == 1<<16 }

// draw fills the masks [B,R] of a batch with 1 (kept) and 0 (dropped). One random word serves four rules, the lowest
// 16 bits the first of them; each sample starts a new word. words holds the B kernel.MaskWords(R) words.
func (d dropRule) draw(mask []float64, words []uint64, B, R int) {
	for i := range words {
		words[i] = d.stream.Uint64()
	}
	kernel.ExpandMask(mask, words, d.threshold, B, R)
}
