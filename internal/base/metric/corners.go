package metric

import (
	"cmp"
	"slices"
)

// Corners returns the curve without the points on horizontal and vertical pieces; of more than most points evenly chosen
// ones, with both ends. AUC stays that of the whole curve.
func (c Curve) Corners(most int) Curve {
	last := len(c.FPR) - 1
	at := []int{0}
	for i := 1; i < last; i++ {
		if c.FPR[i-1] != c.FPR[i+1] && c.TPR[i-1] != c.TPR[i+1] {
			at = append(at, i)
		}
	}
	at = append(at, last)
	every := (len(at) + most - 1) / most
	short := Curve{AUC: c.AUC}
	for k := 0; k < len(at); k += every {
		if k+every >= len(at) {
			k = len(at) - 1
		}
		short.FPR, short.TPR = append(short.FPR, c.FPR[at[k]]), append(short.TPR, c.TPR[at[k]])
	}
	return short
}

// MostConfused returns the indices of at most n classes of a confusion matrix [K][K], ascending: those with the most weight
// outside the diagonal, in their row and column.
func MostConfused(confusion [][]float64, n int) []int {
	all, wrong := make([]int, len(confusion)), make([]float64, len(confusion))
	for i, row := range confusion {
		all[i] = i
		for j, w := range row {
			if i != j {
				wrong[i] += w
				wrong[j] += w
			}
		}
	}
	slices.SortStableFunc(all, func(i, j int) int { return cmp.Compare(wrong[j], wrong[i]) })
	all = all[:min(len(all), n)]
	slices.Sort(all)
	return all
}
