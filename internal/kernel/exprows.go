package kernel

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// ExpRows computes firing levels f [B,R] from their logarithms z [B,R], relative to the
// largest kept one of each sample, and zero for dropped rules; mask [B,R] is zero where a
// rule is dropped. The levels of a sample are NaN if its largest kept z is not finite or
// any kept z is NaN. f may be z.
func ExpRows(f, z, mask []float64, B, R int) {
	use.expRows(cut(f, B*R), cut(z, B*R), cut(mask, B*R), B, R)
}

func expRows(f, z, mask []float64, B, R int) {
	for b := range B {
		row, keep := z[b*R:(b+1)*R], mask[b*R:(b+1)*R]
		top := math.Inf(-1)
		for from := 0; from < R; from += listed {
			list, n := kept(keep[from:])
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
			list, n := kept(keep[from:])
			part := row[from:min(from+listed, R)]
			var levels, some [listed]float64
			for i, r := range list[:n] {
				some[i] = part[r] - top
			}
			numeric.Exps(some[:n], some[:n])
			for i, r := range list[:n] {
				levels[r] = some[i]
			}
			copy(f[b*R+from:][:len(part)], levels[:])
		}
	}
}

// listed is the number of rules that kept lists at a time.
const listed = 64

// kept lists the rules that a mask keeps among its first 64, without branches.
func kept(mask []float64) (list [listed]uint8, n int) {
	for r, k := range mask[:min(listed, len(mask))] {
		list[n&(listed-1)] = uint8(r)
		n += NotZero(k)
	}
	return list, n
}
