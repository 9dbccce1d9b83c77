package inference

import "github.com/tskgraph/tskgraph/membership"

// Minimum is the smallest grade (Zadeh, Mamdani), the largest t-norm:
//
//	f_r = min(mu_{r,1}, ..., mu_{r,M})
//
// It does not shrink with the number of features. Its derivative is that of the smallest
// grade, of the first one if several are equal.
type Minimum struct{}

func init() { RegisterTNorm(Minimum{}) }

func (Minimum) Name() string { return "minimum" }

// Meaning describes the minimum.
func (Minimum) Meaning() string { return "the smallest of their grades" }

// Join writes the smaller of f and mu, NaN if either is, to f.
func (Minimum) Join(f, mu []float64) {
	for i, g := range mu {
		f[i] = min(f[i], g)
	}
}

// Gradient writes one for the smallest grade and zero for the others.
func (t Minimum) Gradient(dst, mu []float64) {
	clear(dst)
	dst[t.Piece(mu)] = 1
}

// Piece returns the index of the smallest grade.
func (Minimum) Piece(mu []float64) int {
	least := 0
	for m, g := range mu {
		if g < mu[least] {
			least = m
		}
	}
	return least
}

// Expr returns the smaller one of x and y.
func (Minimum) Expr(b membership.Builder, x, y membership.Term) membership.Term { return b.Min(x, y) }

// JoinLogs is Join: the logarithm is increasing.
func (t Minimum) JoinLogs(f, mu []float64) { t.Join(f, mu) }

// LogGradient is Gradient.
func (t Minimum) LogGradient(dst, mu []float64) { t.Gradient(dst, mu) }

// LogExpr is Expr.
func (t Minimum) LogExpr(b membership.Builder, x, y membership.Term) membership.Term {
	return t.Expr(b, x, y)
}
