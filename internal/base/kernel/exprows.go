package kernel

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// ExpRows computes firing levels f [B,R] from their logarithms z [B,R], relative to the
// largest kept one of each sample, and zero for dropped rules; mask [B,R] is zero where a
// rule is dropped. The levels of a sample are NaN if its largest kept z is not finite or
// any kept z is NaN. f may be z.
func ExpRows(f, z, mask []float64, B, R int) {
	use.expRows(cut(f, B*R), cut(z, B*R), cut(mask, B*R), B, R)
}

func expRows(f, z, mask []float64, B, R int) {
	var list [listed]uint8
	var levels [listed]float64
	for b := range B {
		row, keep, out := z[b*R:(b+1)*R], mask[b*R:(b+1)*R], f[b*R:(b+1)*R]
		top, n := math.Inf(-1), 0
		for from := 0; from < R; from += listed {
			n = kept(&list, keep[from:])
			for _, r := range list[:n] {
				if v := row[from+int(r)]; v > top || v != v { // max, which is a call in WebAssembly
					top = v
				}
			}
		}
		if !(math.Abs(top) <= math.MaxFloat64) {
			top = math.NaN()
		}
		for from := 0; from < R; from += listed {
			if R > listed {
				n = kept(&list, keep[from:])
			}
			part, out := row[from:min(from+listed, R)], out[from:min(from+listed, R)]
			for i, r := range list[:n] {
				levels[i] = part[r] - top
			}
			numeric.Exps(levels[:n], levels[:n])
			clear(out)
			for i, r := range list[:n] {
				out[r] = levels[i]
			}
		}
	}
}

// listed is the number of rules that kept lists at a time.
const listed = 64

// kept lists the rules that a mask keeps among its first 64, without branches, and returns their number.
func kept(list *[listed]uint8, mask []float64) (n int) {
	for r, k := range mask[:min(listed, len(mask))] {
		list[n&(listed-1)] = uint8(r)
		n += NotZero(k)
	}
	return n
}
