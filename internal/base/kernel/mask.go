package kernel

import "math"

// MaskWords returns the number of random words per sample for a mask of R rules: one
// for four rules.
func MaskWords(R int) int { return (R + 3) / 4 }

// ExpandMask writes a mask [B,R] of ones and zeros from random words [B,MaskWords(R)]:
// rule r of a sample is kept, one, if bits 16 (r mod 4) and the following 15 of word r/4
// are below threshold, at most 2^16. A sample without a kept rule gets all ones.
func ExpandMask(mask []float64, words []uint64, threshold uint64, B, R int) {
	n := B * MaskWords(R)
	_ = words[n-1]
	use.expandMask(cut(mask, B*R), words[:n], threshold, B, R)
}

func expandMask(mask []float64, words []uint64, threshold uint64, B, R int) {
	for b := range B {
		row, drawn := mask[b*R:(b+1)*R], words[b*MaskWords(R):(b+1)*MaskWords(R)]
		var some uint64
		for i, w := range drawn {
			rest := row[4*i:]
			if len(rest) >= 4 {
				k0, k1, k2, k3 := below(w, threshold), below(w>>16, threshold), below(w>>32, threshold), below(w>>48, threshold)
				rest[0], rest[1], rest[2], rest[3] = one(k0), one(k1), one(k2), one(k3)
				some |= k0 | k1 | k2 | k3
				continue
			}
			for j := range rest {
				k := below(w>>(16*j), threshold)
				rest[j] = one(k)
				some |= k
			}
		}
		if some == 0 {
			for r := range row {
				row[r] = 1
			}
		}
	}
}

// below returns 1 if the lowest 16 bits are below the threshold, else 0: the sign bit of
// the difference, without a branch.
func below(bits, threshold uint64) uint64 { return (bits&0xffff - threshold) >> 63 }

// one returns float64(k) for k of 0 or 1, without a conversion.
func one(k uint64) float64 { return math.Float64frombits(-k & 0x3ff0000000000000) }
