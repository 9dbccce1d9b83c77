package rules

import (
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/membership"
)

// product computes the firing levels of a rule by a kernel for the product of its grades,
// or the sum of their logarithms, over all features: to the bit as feature by feature.
type product struct {
	packed   [][]float64 // [R], the parameters of the kernel
	column   func(f, x, p []float64, B, M int)
	moderate bool // the kernel needs moderate inputs
}

// newProduct returns nil if the shape, the t-norm or the parameters have no kernel.
func newProduct(rb *RuleBase) *product {
	if inference.OrProduct(rb.TNorm) != (inference.Product{}) {
		return nil
	}
	R, M, p := rb.Rules(), rb.Features(), rb.Antecedents
	corners := func(b, c, d int) *product { // of a trapezoid, as indices of parameters
		packed := matrix(R, 6*M)
		for r, to := range packed {
			if !kernel.PackTrapezoid(to, p[0][r], p[b][r], p[c][r], p[d][r]) {
				return nil
			}
		}
		return &product{packed, kernel.TrapezoidColumn, true}
	}
	switch rb.Shape.(type) {
	case membership.Gaussian:
		packed := matrix(R, 2*M)
		for r, to := range packed {
			kernel.PackGaussian(to, p[0][r], p[1][r])
		}
		return &product{packed, kernel.GaussianColumn, false}
	case membership.Trapezoid:
		return corners(1, 2, 3)
	case membership.Triangular: // the legs meet at grade one
		return corners(1, 1, 2)
	}
	return nil
}

// holds reports whether the kernel computes the levels of inputs x.
func (p *product) holds(x []float64) bool { return !p.moderate || kernel.Moderate(x) }
