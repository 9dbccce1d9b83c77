package lse

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// illConditioned is the condition number from which on the Cholesky factorisation is not
// used.
const illConditioned = 1e14

// solve solves the symmetric equations g w = b, where g has a positive diagonal; it
// overwrites both. It scales g to a unit diagonal and uses the Cholesky factorisation or,
// if g is numerically not positive definite, singular values, of which those below 1e-12
// of the largest count as zero; fellBack reports the latter.
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

// equilibrate scales g to a unit diagonal, so that the units of the features do not
// matter, and returns the factors of the solution.
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
