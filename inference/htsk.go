package inference

import (
	"fmt"

	"github.com/tskgraph/tskgraph/membership"
)

// HTSK is the defuzzification for many features of Y. Cui, D. Wu, Y. Xu, Curse of
// dimensionality for TSK fuzzy neural networks: explanation and solutions, IJCNN 2021:
//
//	w = f^(1/M)    log w = z / M
//
// With the product, it is the geometric mean of the grades, so that the softmax over the rules
// does not saturate as M grows.
type HTSK struct{}

func init() { RegisterDefuzzification(HTSK{}) }

func (HTSK) Name() string { return "htsk" }

// Meaning describes the weight.
func (HTSK) Meaning(firing string, M int) string {
	return fmt.Sprintf("the root of order %d, the number of inputs, of %s", M, firing)
}

// LogWeight returns z / M.
func (HTSK) LogWeight(z float64, M int) float64 { return z / float64(M) }

// Gradient returns 1/M.
func (HTSK) Gradient(_ float64, M int) float64 { return 1 / float64(M) }

// Expr returns z / M.
func (HTSK) Expr(b membership.Builder, z membership.Term, M int) membership.Term {
	return b.Div(z, b.Const(float64(M)))
}
