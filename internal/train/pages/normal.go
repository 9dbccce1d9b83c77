package pages

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// products returns the sums over the rows of each class of weight times products of values [m][n], [classes][m][m]. Most values of a row
// may be zero.
func products(values [][]float64, weight []float64, class []int, classes int) [][]float64 {
	m := len(values)
	sums := make([][]float64, classes)
	for c := range sums {
		sums[c] = make([]float64, m*m)
	}
	at, of := make([]int, m), make([]float64, m)
	for i, c := range class {
		n := 0
		for k, v := range values {
			if u := v[i]; u != 0 {
				at[n], of[n] = k, u
				n++
			}
		}
		for a, k := range at[:n] {
			row, v := sums[c][k*m:(k+1)*m], float64(weight[i]*of[a])
			for b, l := range at[:a+1] {
				row[l] += float64(v * of[b])
			}
		}
	}
	for _, s := range sums {
		for k := range m {
			for l := range k {
				s[l*m+k] = s[k*m+l]
			}
		}
	}
	return sums
}

// solution returns the weights of least squares for the products of the unknowns and the target, which is last, with penalties of the
// squares of the weights, and the penalised sum of squared errors. It overwrites the products.
func solution(a, ridge []float64) (w []float64, squares float64) {
	m := len(ridge)
	width := m + 1
	for k, v := range ridge {
		a[k*width+k] += v
		sweep(a, width, k)
	}
	w = make([]float64, m)
	for k := range w {
		w[k] = a[k*width+m]
	}
	return w, a[m*width+m]
}

// crossed returns the root mean square error of a page in cross-validation, of the target in standard deviations: that of least squares, as
// it is before numbers are rounded and the value is limited.
func (f *fitted) crossed(folds []Fold) float64 {
	n := len(f.weight)
	kind, kinds, class := make([]uint64, n), []uint64{}, make([]int, n) // bits of the folds that train on a row, and that hold it out
	for k, fold := range folds {
		for _, i := range fold.Train {
			kind[i] |= 1 << k
		}
		for _, i := range fold.Held {
			kind[i] |= 1 << (k + len(folds))
		}
	}
	for i, bits := range kind {
		if class[i] = slices.Index(kinds, bits); class[i] < 0 {
			class[i], kinds = len(kinds), append(kinds, bits)
		}
	}
	target, mean := make([]float64, n), numeric.WeightedMean(f.s.Y, f.weight)
	for i, y := range f.s.Y {
		target[i] = (y - mean) / f.sd
	}
	values, ridge := f.unknowns()
	sums := products(append(values, target), f.weight, class, len(kinds))
	total := func(bit int) []float64 {
		all := make([]float64, len(sums[0]))
		for c, bits := range kinds {
			if bits&(1<<bit) != 0 {
				for i, v := range sums[c] {
					all[i] += v
				}
			}
		}
		return all
	}
	squares := 0.0
	for k := range folds {
		w, _ := solution(total(k), ridge)
		squares += quadratic(total(k+len(folds)), append(w, -1))
	}
	return math.Sqrt(squares / f.s.heldWeight(folds))
}

// quadratic returns the product w' a w with a matrix [m][m].
func quadratic(a, w []float64) (sum float64) {
	for i, v := range w {
		row := 0.0
		for j, u := range w {
			row += float64(a[i*len(w)+j] * u)
		}
		sum += float64(v * row)
	}
	return sum
}
