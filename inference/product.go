package inference

import "github.com/tskgraph/tskgraph/membership"

// Product is the product of the grades, the paper's equation (2):
//
//	f_r = mu_{r,1} mu_{r,2} ... mu_{r,M}
type Product struct{}

func init() { RegisterTNorm(Product{}) }

func (Product) Name() string { return "product" }

// Meaning describes the product.
func (Product) Meaning() string { return "the product of their grades" }

// Join multiplies f by mu.
func (Product) Join(f, mu []float64) {
	f = f[:len(mu)]
	for i, g := range mu {
		f[i] *= g
	}
}

// Gradient writes, for each grade, the product of the others, without a division by a grade
// that may be zero.
func (Product) Gradient(dst, mu []float64) {
	running := 1.0
	for m, g := range mu {
		dst[m] = running
		running *= g
	}
	running = 1
	for m := len(mu) - 1; m >= 0; m-- {
		dst[m] *= running
		running *= mu[m]
	}
}

// Piece returns 0: the product is smooth.
func (Product) Piece([]float64) int { return 0 }

// Expr returns x y.
func (Product) Expr(b membership.Builder, x, y membership.Term) membership.Term { return b.Mul(x, y) }

// JoinLogs adds mu to f.
func (Product) JoinLogs(f, mu []float64) {
	f = f[:len(mu)]
	for i, g := range mu {
		f[i] += g
	}
}

// LogGradient writes ones.
func (Product) LogGradient(dst, _ []float64) {
	for m := range dst {
		dst[m] = 1
	}
}

// LogExpr returns x + y.
func (Product) LogExpr(b membership.Builder, x, y membership.Term) membership.Term {
	return b.Add(x, y)
}
