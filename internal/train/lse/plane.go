package lse

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// Plane returns the ordinary least-squares solution, the intercept and M slopes [M+1],
// for samples x [N][M] with targets y [N] and weights [N] (nil: all one). For collinear
// features it is the solution of least norm; if the singular value decomposition does not
// converge, it is zero. There must be at least one sample.
func Plane(x [][]float64, y, weights []float64) []float64 {
	a, b := mat.NewDense(len(x), len(x[0])+1, nil), mat.NewDense(len(y), 1, nil)
	for n, row := range x {
		root := math.Sqrt(weighted.At(weights, n))
		a.Set(n, 0, root)
		for m, v := range row {
			a.Set(n, m+1, root*v)
		}
		b.Set(n, 0, root*y[n])
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return make([]float64, len(x[0])+1)
	}
	var w mat.Dense
	svd.SolveTo(&w, b, svd.Rank(1e-12))
	return mat.Col(nil, 0, &w)
}
