package kernel

import "math"

// ExpRows turns logarithms of firing levels z [B,R] into firing levels f [B,R],
// scaled by the largest kept one of each sample, and zero for the dropped rules;
// mask [B,R] is zero where a rule is dropped. A sample whose largest one is not
// finite, or of which a kept one is no number, gets NaN. f may be z.
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
				top = max(top, row[from+int(r)])
			}
		}
		if !(math.Abs(top) <= math.MaxFloat64) {
			top = math.NaN()
		}
		for from := 0; from < R; from += listed {
			list, n := kept(keep[from:])
			part := row[from:min(from+listed, R)]
			var levels [listed]float64
			for _, r := range list[:n] {
				levels[r] = math.Exp(part[r] - top)
			}
			copy(f[b*R+from:][:len(part)], levels[:])
		}
	}
}

// listed is how many rules are listed at a time.
const listed = 64

// kept lists the rules that a mask keeps, of its first 64, without a branch.
func kept(mask []float64) (list [listed]uint8, n int) {
	for r, k := range mask[:min(listed, len(mask))] {
		list[n&(listed-1)] = uint8(r)
		n += NotZero(k)
	}
	return list, n
}
