package lse

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// RemoveTerms returns the consequents [R][M+1] of rb after the removal of terms, one by
// one, until a THEN part has at most mean terms on average. A removed term has slope zero;
// one that is zero already counts as removed and stays zero. Biases are not removed. THEN parts
// that are kept do not change; their terms count.
//
// Curves do not change: the loss stays quadratic in the consequents, with the same Hessian.
//
// Each step is one of the optimal brain surgeon (Hassibi and Stork, NIPS 5, 1992) at a
// minimum of the loss with Hessian H: it removes the term i whose removal costs least, and
// adjusts the other consequents,
//
//	cost_i = w_i^2 / (2 [H^-1]_ii)    w -= w_i / [H^-1]_ii H^-1 e_i
//
// As i costs least, no other slope changes by more than its size: slopes keep their signs.
//
// For more than 512 consequents, H has blocks of at most 128 consequents of one rule. Of
// more than 8192 samples, H is computed from evenly spaced ones. Of equal costs, the first
// term is removed. The rulebase must be valid, with one output.
func RemoveTerms(rb *rules.RuleBase, mean float64, loss Curvature) [][]float64 {
	w := rules.NewParameters(0, rb.Rules(), rb.Features()).Consequents
	for r := range w {
		copy(w[r], rb.Consequents[r])
	}
	R := float64(rb.Rules())
	excess := int(math.Round(rb.Terms()*R)) - int(mean*R)
	if excess <= 0 {
		return w
	}
	blocks := loss.blocks(rb)
	if len(blocks) == 0 {
		return w
	}
	for range excess {
		cheapest := slices.MinFunc(blocks, func(a, b *block) int { return cmp.Compare(a.cost, b.cost) })
		if cheapest.next < 0 {
			break // the other terms are kept
		}
		cheapest.remove()
	}
	for _, b := range blocks {
		for i, p := range b.of {
			w[p.r][p.a] = b.w[i]
			if rb.Signs != nil { // rounding can exceed zero
				w[p.r][p.a] = rules.Signed(b.w[i], rb.Signs[p.a])
			}
		}
	}
	return w
}

// block is a part of the consequents, with the inverse of its Hessian for those that are
// not removed.
type block struct {
	of      []consequent
	w       []float64
	removed []bool
	inverse [][]float64

	next int     // term to remove next
	cost float64 // of its removal; infinite if there is no term
}

// newBlock returns the block of some consequents of rb with the Hessian h.
func newBlock(rb *rules.RuleBase, of []consequent, h *mat.SymDense) *block {
	b := &block{of: of, removed: make([]bool, len(of)), inverse: inverse(h)}
	for _, p := range of {
		b.w = append(b.w, rb.Consequents[p.r][p.a])
	}
	b.choose()
	return b
}

// choose finds the next term.
func (b *block) choose() {
	b.next, b.cost = -1, math.Inf(1)
	for i, p := range b.of {
		if p.a == 0 || b.removed[i] {
			continue
		}
		cost := b.w[i] * b.w[i] / (2 * b.inverse[i][i])
		if !(cost >= 0 && cost < math.MaxFloat64) { // by rounding, or of a huge slope
			cost = math.MaxFloat64
		}
		if cost < b.cost {
			b.next, b.cost = i, cost
		}
	}
}

// remove removes the next term and adjusts the other consequents and the inverse.
func (b *block) remove() {
	i := b.next
	column, w := b.inverse[i], b.w[i]
	b.w[i], b.removed[i] = 0, true
	for j, row := range b.inverse {
		if b.removed[j] || !(column[i] > 0) {
			continue
		}
		factor := column[j] / column[i]
		b.w[j] -= float64(factor * w)
		for k := range row {
			row[k] -= float64(factor * column[k])
		}
	}
	b.choose()
}

// inverse returns the inverse of h plus a ridge that makes it numerically positive
// definite: 1e-8 of the largest diagonal element or, if that does not suffice, more. If
// none suffices, it is the identity.
func inverse(h *mat.SymDense) [][]float64 {
	n := h.SymmetricDim()
	largest := 0.0
	for i := range n {
		largest = max(largest, h.At(i, i))
	}
	inv := mat.NewSymDense(n, nil)
	var chol mat.Cholesky
	for ridge, added := 1e-8, 0.0; ridge <= 1 && numeric.Finite(h.RawSymmetric().Data...); ridge = float64(ridge * 100) {
		for i := range n {
			h.SetSym(i, i, h.At(i, i)+float64((ridge-added)*largest))
		}
		added = ridge
		if chol.Factorize(h) && chol.InverseTo(inv) == nil {
			return rowsOfSym(inv)
		}
	}
	for i := range n {
		inv.SetSym(i, i, 1)
	}
	return rowsOfSym(inv)
}

// rowsOfSym returns all rows of a symmetric matrix.
func rowsOfSym(s *mat.SymDense) [][]float64 {
	rows := make([][]float64, s.SymmetricDim())
	for i := range rows {
		rows[i] = mat.Row(nil, i, s)
	}
	return rows
}

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
		t.Weights[i] = numeric.WeightAt(c.Weights, i*N/n) * float64(N) / float64(n)
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
func (c Curvature) addProducts(h *mat.SymDense, rb *rules.RuleBase, of []consequent, levels [][]float64, factor float64,
	g func(float64) float64) {
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
