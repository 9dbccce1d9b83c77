package optim

import (
	"fmt"
	"math"
	"math/rand/v2"
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

// draw fills the mask of one sample with 1 (kept) and 0 (dropped). One random word serves four rules, the lowest
// 16 bits the first of them; each sample starts a new word.
func (d dropRule) draw(mask []float64) {
	var some uint64
	rest := mask
	for ; len(rest) >= 4; rest = rest[4:] {
		w := d.stream.Uint64()
		a, b, c, e := d.kept(w), d.kept(w>>16), d.kept(w>>32), d.kept(w>>48)
		rest[0], rest[1], rest[2], rest[3] = cell(a), cell(b), cell(c), cell(e)
		some |= a | b | c | e
	}
	if len(rest) > 0 {
		w := d.stream.Uint64()
		for i := range rest {
			k := d.kept(w >> (16 * i))
			rest[i] = cell(k)
			some |= k
		}
	}
	if some == 0 {
		fill(mask, 1)
	}
}

// kept is 1 if the lowest 16 bits are below the threshold, else 0, without a branch: the difference is negative.
func (d dropRule) kept(bits uint64) uint64 { return (bits&0xffff - d.threshold) >> 63 }

// cell is float64(k) for k of 0 or 1, without a conversion.
func cell(k uint64) float64 { return math.Float64frombits(-k & 0x3ff0000000000000) }

func fill(s []float64, v float64) {
	for i := range s {
		s[i] = v
	}
}
