package lse

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// Curvature describes a loss that, for fixed antecedents, is quadratic in the consequents:
//
//	1/2 sum_n weight_n ((y(x_n) - y_n)^2 + alpha sum_r f_r (y_r(x_n) - y(x_n))^2) + P(w)
//
// with the normalised firing levels f_r of x_n.
type Curvature struct {
	X       [][]float64 // samples [N][M], or [N][2M] as for [rules.RuleBase.Forward]
	Weights []float64   // [N]; nil: all one

	Alpha  float64        // weight of the disagreement of the rules
	Slopes penalty.Slopes // P
}

// A Hessian of at most largestWhole consequents is computed as a whole. Otherwise it has
// blocks of at most largestBlock consequents of one rule, and products between blocks are
// ignored: time and memory grow in proportion to the number of consequents.
const (
	largestWhole = 512
	largestBlock = 128
)

// mostRows is the largest number of samples that a Hessian is computed from; of more
// samples, evenly spaced ones are used.
const mostRows = 8192

// consequent identifies a consequent w_{r,a}.
type consequent struct{ r, a int }

// blocks returns the blocks of consequents of rb that are biases or not zero, and not kept.
func (c Curvature) blocks(rb *rules.RuleBase) []*block {
	var blocks []*block
	var free []consequent
	for r, w := range rb.Consequents {
		if rb.Keeps(r, rules.KeepThen) {
			continue
		}
		for a, v := range w {
			if a == 0 || v != 0 {
				free = append(free, consequent{r, a})
			}
		}
	}
	c = c.thinned()
	levels := rb.FiringLevels(c.X, nil)
	whole := len(free) <= largestWhole
	for len(free) > 0 {
		n := len(free)
		if !whole {
			for n = 1; n < min(len(free), largestBlock) && free[n].r == free[0].r; n++ {
			}
		}
		blocks = append(blocks, newBlock(rb, free[:n], c.hessian(rb, free[:n], levels)))
		free = free[n:]
	}
	return blocks
}

// thinned returns the loss on at most mostRows samples, with the same sum of weights if
// all are equal.
func (c Curvature) thinned() Curvature {
	N := len(c.X)
	n := min(N, mostRows)
	t := c
	t.X, t.Weights = make([][]float64, n), make([]float64, n)
	for i := range n {
		t.X[i] = c.X[i*N/n]
		t.Weights[i] = weighted.At(c.Weights, i*N/n) * float64(N) / float64(n)
	}
	return t
}

// hessian returns the second derivatives of the loss by the given consequents, at samples
// with the normalised firing levels [N][R]:
//
//	(1 - alpha) sum_n weight_n f_r f_s z_a z_b + [r=s] alpha sum_n weight_n f_r z_a z_b + P''
//
// where z is 1 followed by the inputs of the consequents.
func (c Curvature) hessian(rb *rules.RuleBase, of []consequent, levels [][]float64) *mat.SymDense {
	h := mat.NewSymDense(len(of), nil)
	c.addProducts(h, rb, of, levels, 1-c.Alpha, func(f float64) float64 { return f })
	for from := 0; c.Alpha != 0 && from < len(of); {
		to := from + 1
		for to < len(of) && of[to].r == of[from].r {
			to++
		}
		within := h.SliceSym(from, to).(*mat.SymDense)
		c.addProducts(within, rb, of[from:to], levels, c.Alpha, math.Sqrt)
		from = to
	}
	for i, p := range of {
		for j := i; j < len(of); j++ {
			if q := of[j]; p.a == q.a && p.a > 0 {
				h.SetSym(i, j, h.At(i, j)+c.penalised(p.r, q.r, rb.Rules()))
			}
		}
	}
	return h
}

// penalised returns the second derivative of the penalty by the slopes of rules r and s of
// the same feature.
func (c Curvature) penalised(r, s, R int) float64 {
	v := 0.0
	if r == s {
		v = c.Slopes.Lambda
	}
	if c.Slopes.ToMean {
		v -= c.Slopes.Lambda / float64(R)
	}
	return v
}

// addProducts adds factor sum_n weight_n g(f_r) z_a g(f_s) z_b to h.
func (c Curvature) addProducts(h *mat.SymDense, rb *rules.RuleBase, of []consequent, levels [][]float64, factor float64, g func(float64) float64) {
	rows := general(blockRows, len(of))
	for start := 0; start < len(c.X); start += blockRows {
		end := min(start+blockRows, len(c.X))
		for n := start; n < end; n++ {
			row, z := rowOf(rows, n-start), rb.ThenPart(c.X[n])
			root := math.Sqrt(c.Weights[n])
			for i, p := range of {
				row[i] = root * g(levels[n][p.r])
				if p.a > 0 {
					row[i] *= z[p.a-1]
				}
			}
		}
		blas64.Syrk(blas.Trans, factor, rowsOf(rows, 0, end-start), 1, h.RawSymmetric())
	}
}
