package lse

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/rules"
)

// constrained minimises 1/2 w'Gw - b'w over consequents w of which some are fixed and some are
// bounded by a sign, by an active-set method: it solves for the free ones, moves towards the
// solution until the first bound, fixes what is there, and at a minimum frees the bounded ones
// that the gradient pulls inside (J. Nocedal, S. Wright, Numerical Optimization, 2nd ed., 2006,
// algorithm 16.3). The objective never increases, and w satisfies the bounds after every step.
type constrained struct {
	g    *mat.SymDense
	b    []float64
	w    []float64 // satisfies the bounds
	sign []int     // 1: w_i >= 0; -1: w_i <= 0; 0: no bound
	kept []bool    // w_i does not change
	free []bool    // w_i is solved for; the others are kept, or zero
}

// blockRounds is the number of minima at which all that can be freed are; from then on only one
// is, so that the method ends.
const blockRounds = 10

// newConstrained returns the problem with the constraints of rb, starting from its consequents;
// nil if it has no constraints.
func newConstrained(rb *rules.RuleBase, g *mat.SymDense, b []float64) *constrained {
	marks := rules.Kept(rb)
	if marks == nil && rb.Signs == nil {
		return nil
	}
	c := &constrained{g: g, b: b}
	for r, row := range rb.Consequents {
		for a, v := range row {
			sign, kept := 0, marks != nil && marks.Consequents[r][a] == 1
			if rb.Signs != nil {
				sign = rb.Signs[a]
			}
			c.w, c.sign, c.kept = append(c.w, v), append(c.sign, sign), append(c.kept, kept)
			c.free = append(c.free, !kept && (sign == 0 || v != 0))
		}
	}
	return c
}

// minimise sets w to the minimum. fellBack is that of solve.
func (c *constrained) minimise() (fellBack bool, err error) {
	for minima := 0; ; {
		of, z, fell, err := c.solve()
		fellBack = fellBack || fell
		if err != nil {
			return fellBack, err
		}
		one := minima > blockRounds
		if c.move(of, z, one) {
			continue
		}
		if minima++; !c.release(one) {
			return fellBack, nil
		}
	}
}

// solve returns the free consequents and their values at the minimum without bounds.
func (c *constrained) solve() (of []int, z []float64, fellBack bool, err error) {
	for i, free := range c.free {
		if free {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return nil, nil, false, nil
	}
	g, b := mat.NewSymDense(len(of), nil), mat.NewVecDense(len(of), nil)
	for k, i := range of {
		right := c.b[i]
		for j, w := range c.w {
			if !c.free[j] {
				right -= float64(c.g.At(i, j) * w)
			}
		}
		b.SetVec(k, right)
		for l := k; l < len(of); l++ {
			g.SetSym(k, l, c.g.At(i, of[l]))
		}
	}
	z, fellBack, err = solve(g, b)
	return of, z, fellBack, err
}

// move moves the consequents of to z or, if z is beyond bounds, to the first of them, and fixes
// those that are there. It reports whether a bound stopped it. If only one was freed and it stops
// at once, which only rounding can cause, it is not freed again.
func (c *constrained) move(of []int, z []float64, one bool) (stopped bool) {
	step := 1.0
	for k, i := range of {
		if rules.Signed(z[k], c.sign[i]) != z[k] {
			step, stopped = min(step, c.w[i]/(c.w[i]-z[k])), true
		}
	}
	for k, i := range of {
		beyond := rules.Signed(z[k], c.sign[i]) != z[k]
		switch {
		case !stopped:
			c.w[i] = z[k]
		case beyond && c.w[i]/(c.w[i]-z[k]) <= step:
			c.w[i], c.free[i] = 0, false
			c.kept[i] = one && step == 0
		default:
			c.w[i] = rules.Signed(c.w[i]+float64(step*(z[k]-c.w[i])), c.sign[i])
		}
	}
	return stopped
}

// release frees bounded consequents whose gradient points inside the bounds: all or, with one,
// the steepest. It reports whether there is any.
func (c *constrained) release(one bool) bool {
	steepest, most := -1, 0.0
	for i, free := range c.free {
		if free || c.kept[i] {
			continue
		}
		slope, size := -c.b[i], math.Abs(c.b[i])
		for j, w := range c.w {
			v := float64(c.g.At(i, j) * w)
			slope += v
			size += math.Abs(v)
		}
		inside := -slope * float64(c.sign[i])
		if !(inside > 1e-10*size) {
			continue
		}
		if c.free[i] = !one; inside > most {
			steepest, most = i, inside
		}
	}
	if steepest >= 0 {
		c.free[steepest] = true
	}
	return steepest >= 0
}

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
