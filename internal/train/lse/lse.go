// Package lse estimates the consequents of a rulebase by least squares for fixed
// antecedents. In ANFIS (Jang 1993) it alternates with gradient descent on the
// antecedents; package tskgraph calls the two together the least-squares objective.
//
// Given the normalised firing levels f_r, the output is linear in the consequents w, so
// the consequents that minimise the loss solve linear equations. The loss is the paper's
// equation (7), [loss.Squared] and [penalty.Slopes] towards zero, with sample weights,
//
//	1/2 sum_n weight_n (y(x_n) - y_n)^2 + lambda/2 sum_r sum_m>0 w_{r,m}^2
//
// plus [Ridge]/2 times the sum of all squared w, which makes the solution unique for any
// data: duplicate columns, rules that never fire or are equal, more unknowns than
// samples.
package lse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/rules"
)

// Ridge is the penalty of all consequents, including biases. It is that of MATLAB's anfis,
// whose recursive estimate starts with the covariance 1e6.
const Ridge = 1e-6

// ErrNotFinite is returned if the equations or their solution overflow.
var ErrNotFinite = errors.New("lse: the least-squares equations are not finite")

// blockRows is the number of samples processed at a time. It determines the last bits of
// sums over all samples, which are sums over blocks.
const blockRows = 512

// Estimator estimates consequents. It holds the products of the data, which do not depend
// on the antecedents. It is not safe for concurrent use.
type Estimator struct {
	// Fallbacks counts the estimates so far that used singular values because the Cholesky
	// factorisation failed or was ill-conditioned.
	Fallbacks int

	// Rows, if not zero, is the number of samples, evenly spaced, that estimates use, in whole blocks of 512.
	Rows int

	x       [][]float64
	lambda  float64
	squares blas64.General // [N, P(P+1)/2]: weight x_a x_b, a <= b, of P = M+1 with x_0 = 1
	moments blas64.General // [N, P]: weight y x_a

	products blas64.General // [blockRows, R(R+1)/2]: f_i f_j, i <= j
	levels   blas64.General // [blockRows, R]
	gram     blas64.General // [R(R+1)/2, P(P+1)/2]
	right    blas64.General // [R, P]
}

// Limits of the problem size, which bound memory and time: 128 MB for the matrix, 2 GB
// for the products of the features.
const (
	MaxUnknowns = 1 << 12 // R (M+1)
	MaxProducts = 1 << 28 // N (M+1)(M+2)/2
)

// ErrSize is wrapped by the errors of CheckSize.
var ErrSize = errors.New("lse: too large for least squares")

// CheckSize returns an error that wraps [ErrSize] if N samples, R rules and M features, all at least zero,
// exceed the limits.
func CheckSize(N, R, M int) error {
	switch P := M + 1; {
	case R > MaxUnknowns/P:
		return fmt.Errorf("%w: %d rules over %d inputs have %d consequents; at most %d are allowed", ErrSize, R, M, R*P, MaxUnknowns)
	case N > MaxProducts/pairs(P):
		return fmt.Errorf("%w: %d samples of %d inputs have %d products; at most %d are allowed", ErrSize, N, M, N*pairs(P), MaxProducts)
	}
	return nil
}

// New returns an estimator for R rules on the samples x [N][M] with targets y [N]
// and weights [N] (nil: all one), which are not copied. If ctx ends, the error is that of ctx. No samples or rules, and
// samples, targets or weights of other sizes, are errors, and so are those of [CheckSize].
func New(ctx context.Context, x [][]float64, y, weight []float64, R int, lambda float64) (*Estimator, error) {
	if len(x) == 0 || R < 1 || len(y) != len(x) || weight != nil && len(weight) != len(x) {
		return nil, fmt.Errorf("lse: %d samples, %d targets, %d weights and %d rules: want at least one rule, and a target and a weight of "+
			"each sample", len(x), len(y), len(weight), R)
	}
	for n, row := range x {
		if len(row) != len(x[0]) {
			return nil, fmt.Errorf("lse: sample %d has %d features, sample 0 has %d", n, len(row), len(x[0]))
		}
	}
	if err := CheckSize(len(x), R, len(x[0])); err != nil {
		return nil, err
	}
	P := len(x[0]) + 1
	e := &Estimator{x: x, lambda: lambda, squares: general(len(x), pairs(P)), moments: general(len(x), P)}
	for n, row := range x {
		if n%blockRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w := 1.0
		if weight != nil {
			w = weight[n]
		}
		at := func(a int) float64 {
			if a == 0 {
				return 1
			}
			return row[a-1]
		}
		squares := rowOf(e.squares, n)[:0]
		for a := range P {
			e.moments.Data[n*P+a] = w * y[n] * at(a)
			for b := a; b < P; b++ {
				squares = append(squares, w*at(a)*at(b))
			}
		}
	}
	e.products, e.levels = general(blockRows, pairs(R)), general(blockRows, R)
	e.gram, e.right = general(pairs(R), pairs(P)), general(R, P)
	return e, nil
}

// Estimate returns the consequents [R][M+1], bias first, that minimise the loss for the
// antecedents of rb, without dropping rules: those of THEN parts that are kept are those of rb,
// and the others have the signs of rb (see [rules.RuleBase.Signs]). Uncovered samples are
// ignored. The error is [ErrNotFinite], or that of ctx if it ends. A rulebase that is invalid or of other sizes is an error that wraps
// [rules.ErrInvalid].
func (e *Estimator) Estimate(ctx context.Context, rb *rules.RuleBase) ([][]float64, error) {
	if err := rb.Validate(); err != nil {
		return nil, err
	}
	if R, M := e.right.Rows, e.right.Cols-1; rb.Rules() != R || rb.Features() != M || rb.OutputCount() != 1 {
		return nil, fmt.Errorf("%w: %d outputs of %d rules over %d features; the estimator is for one of %d over %d",
			rules.ErrInvalid, rb.OutputCount(), rb.Rules(), rb.Features(), R, M)
	}
	clear(e.gram.Data)
	clear(e.right.Data)
	step := blockRows
	if e.Rows > 0 {
		step *= max(1, len(e.x)/e.Rows)
	}
	for start := 0; start < len(e.x); start += step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e.add(rb, start, min(start+blockRows, len(e.x)))
	}
	R, P := e.right.Rows, e.right.Cols
	w, fellBack, err := e.minimum(ctx, rb)
	if err != nil {
		return nil, err
	}
	if fellBack {
		e.Fallbacks++
	}
	consequents := make([][]float64, R)
	for r := range consequents {
		consequents[r] = w[r*P : (r+1)*P : (r+1)*P]
	}
	return consequents, nil
}

// minimum solves the equations under the constraints of rb.
func (e *Estimator) minimum(ctx context.Context, rb *rules.RuleBase) (w []float64, fellBack bool, err error) {
	var s struct { // what is not shared with a solution that ctx leaves behind
		w        []float64
		fellBack bool
		err      error
	}
	g, b := e.equations(), slices.Clone(e.right.Data)
	c := newConstrained(rb, g, b)
	ended := parallel.Await(ctx, func() {
		if c == nil {
			s.w, s.fellBack, s.err = solve(g, mat.NewVecDense(len(b), b))
			return
		}
		s.fellBack, s.err = c.minimise()
		s.w = c.w
	})
	if ended != nil {
		return nil, false, ended
	}
	return s.w, s.fellBack, s.err
}

// add adds the samples from start up to end to gram and right.
func (e *Estimator) add(rb *rules.RuleBase, start, end int) {
	products, levels := e.products, e.levels
	products.Rows, levels.Rows = end-start, end-start
	for n, f := range rb.FiringLevels(e.x[start:end], nil) {
		copy(rowOf(levels, n), f)
		row := rowOf(products, n)
		for i, fi := range f {
			for j, fj := range f[i:] {
				row[j] = fi * fj
			}
			row = row[len(f)-i:]
		}
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, products, rowsOf(e.squares, start, end), 1, e.gram)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, levels, rowsOf(e.moments, start, end), 1, e.right)
}

// equations returns the matrix of the normal equations [R P, R P].
func (e *Estimator) equations() *mat.SymDense {
	R, P := e.right.Rows, e.right.Cols
	g := mat.NewSymDense(R*P, nil)
	raw := g.RawSymmetric() // only the upper triangle is used
	pair := 0
	for i := range R {
		for j := i; j < R; j++ {
			v := rowOf(e.gram, pair)
			pair++
			for a := range P {
				for b := a; b < P; b++ {
					raw.Data[(i*P+a)*raw.Stride+j*P+b] = v[0]
					if i != j {
						raw.Data[(i*P+b)*raw.Stride+j*P+a] = v[0]
					}
					v = v[1:]
				}
			}
		}
		for a := range P {
			at := (i*P+a)*raw.Stride + i*P + a
			raw.Data[at] += Ridge
			if a > 0 {
				raw.Data[at] += e.lambda
			}
		}
	}
	return g
}

// pairs returns the number of pairs i <= j of n indices.
func pairs(n int) int { return n * (n + 1) / 2 }

func general(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

func rowOf(g blas64.General, i int) []float64 { return g.Data[i*g.Stride : i*g.Stride+g.Cols] }

func rowsOf(g blas64.General, from, to int) blas64.General {
	return blas64.General{Rows: to - from, Cols: g.Cols, Stride: g.Stride, Data: g.Data[from*g.Stride : to*g.Stride]}
}

// Plane returns the ordinary least-squares solution, the intercept and M slopes [M+1],
// for samples x [N][M] with targets y [N] and weights [N] (nil: all one). For collinear
// features it is the solution of least norm; if the singular value decomposition does not
// converge, it is zero. There must be at least one sample.
func Plane(x [][]float64, y, weights []float64) []float64 {
	a, b := mat.NewDense(len(x), len(x[0])+1, nil), mat.NewDense(len(y), 1, nil)
	for n, row := range x {
		root := math.Sqrt(numeric.WeightAt(weights, n))
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
