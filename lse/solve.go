package lse

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// illConditioned is the condition number from which the Cholesky factor is not
// trusted.
const illConditioned = 1e14

// solve solves the symmetric equations g w = b, of a positive diagonal, which it
// overwrites: scaled to a diagonal of ones, by Cholesky's factor or, where g is not
// positive definite but for rounding, by singular values, of which those below 1e-12
// of the largest count as zero; it tells whether it fell back on these.
func solve(g *mat.SymDense, b *mat.VecDense) (w []float64, fellBack bool, err error) {
	if !numeric.Finite(g.RawSymmetric().Data...) || !numeric.Finite(b.RawVector().Data...) {
		return nil, false, ErrNotFinite
	}
	scales := equilibrate(g, b)
	w, fellBack, err = solveScaled(g, b)
	for i := range w {
		w[i] *= scales[i]
	}
	if err != nil || !numeric.Finite(w...) {
		return nil, fellBack, ErrNotFinite
	}
	return w, fellBack, nil
}

// equilibrate scales g to a diagonal of ones, so that no unit of a feature counts, and
// returns what the solution is to be multiplied by.
func equilibrate(g *mat.SymDense, b *mat.VecDense) []float64 {
	raw := g.RawSymmetric()
	scales := make([]float64, raw.N)
	for i := range scales {
		scales[i] = 1 / math.Sqrt(raw.Data[i*raw.Stride+i])
	}
	for i, s := range scales {
		row := raw.Data[i*raw.Stride:]
		for j := i; j < raw.N; j++ {
			row[j] *= s * scales[j]
		}
		b.SetVec(i, b.AtVec(i)*s)
	}
	return scales
}

func solveScaled(g *mat.SymDense, b *mat.VecDense) (solution []float64, fellBack bool, err error) {
	var w mat.VecDense
	var chol mat.Cholesky
	if chol.Factorize(g) && chol.Cond() < illConditioned {
		if err := chol.SolveVecTo(&w, b); err == nil && numeric.Finite(w.RawVector().Data...) {
			return w.RawVector().Data, false, nil
		}
	}
	var svd mat.SVD
	if !svd.Factorize(g, mat.SVDThin) {
		return nil, true, ErrNotFinite
	}
	w.Reset()
	svd.SolveVecTo(&w, b, svd.Rank(1e-12))
	return w.RawVector().Data, true, nil
}
