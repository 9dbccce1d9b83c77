package kernel

import (
	"math"
	"slices"
)

// Consequents computes rule outputs y [B,R], the paper's equation (1):
//
//	y[b,r] = bias[r] + sum_m x[b,m] slope[m,r]
func Consequents(y, x, slope, bias []float64, B, M, R int) {
	use.consequents(cut(y, B*R), cut(x, B*M), cut(slope, M*R), cut(bias, R), B, M, R)
}

func consequents(y, x, slope, bias []float64, B, M, R int) {
	full := R &^ 3
	for b := 0; b < B; b += 2 {
		b1 := min(b+1, B-1)
		xa, xb := x[b*M:(b+1)*M], x[b1*M:(b1+1)*M]
		xb = xb[:len(xa)]
		ya, yb := y[b*R:(b+1)*R], y[b1*R:(b1+1)*R]
		for r := 0; r < full; r += 4 {
			bt := bias[r : r+4 : r+4]
			a0, a1, a2, a3 := bt[0], bt[1], bt[2], bt[3]
			b0, b1, b2, b3 := a0, a1, a2, a3
			o := r
			for m, va := range xa {
				vb := xb[m]
				w := slope[o : o+4 : o+4]
				w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
				a0 += float64(va * w0)
				b0 += float64(vb * w0)
				a1 += float64(va * w1)
				b1 += float64(vb * w1)
				a2 += float64(va * w2)
				b2 += float64(vb * w2)
				a3 += float64(va * w3)
				b3 += float64(vb * w3)
				o += R
			}
			ta, tb := ya[r:r+4:r+4], yb[r:r+4:r+4]
			ta[0], ta[1], ta[2], ta[3] = a0, a1, a2, a3
			tb[0], tb[1], tb[2], tb[3] = b0, b1, b2, b3
		}
		for r := full; r < R; r++ {
			a, b := bias[r], bias[r]
			for m, va := range xa {
				a += float64(va * slope[m*R+r])
				b += float64(xb[m] * slope[m*R+r])
			}
			ya[r], yb[r] = a, b
		}
	}
}

// ConsequentsBackward overwrites gslope [M,R] and gbias [R] with the gradients by
// slope and bias from h [B,R], dL/dy[b,r]. They include the penalty
// lambda/2 sum slope^2.
func ConsequentsBackward(gslope, gbias, h, x, slope []float64, lambda float64, B, M, R int) {
	use.consequentsBackward(cut(gslope, M*R), cut(gbias, R), cut(h, B*R), cut(x, B*M), cut(slope, M*R), lambda, B, M, R)
}

func consequentsBackward(gslope, gbias, h, x, slope []float64, lambda float64, B, M, R int) {
	clear(gbias)
	for b := range B {
		for r, v := range h[b*R : (b+1)*R] {
			gbias[r] += v
		}
	}
	full := R &^ 3
	for m := 0; m < M; m += 2 {
		m1 := min(m+1, M-1) // the last of an odd number of features is computed twice
		for r := 0; r < full; r += 4 {
			var a0, a1, a2, a3, b0, b1, b2, b3 float64
			o, i, j := r, m, m1
			for range B {
				va, vb, t := x[i], x[j], h[o:o+4:o+4]
				h0, h1, h2, h3 := t[0], t[1], t[2], t[3]
				a0 += float64(h0 * va)
				b0 += float64(h0 * vb)
				a1 += float64(h1 * va)
				b1 += float64(h1 * vb)
				a2 += float64(h2 * va)
				b2 += float64(h2 * vb)
				a3 += float64(h3 * va)
				b3 += float64(h3 * vb)
				o, i, j = o+R, i+M, j+M
			}
			ga, wa := gslope[m*R+r:m*R+r+4:m*R+r+4], slope[m*R+r:m*R+r+4:m*R+r+4]
			ga[0], ga[1], ga[2], ga[3] = a0+float64(lambda*wa[0]), a1+float64(lambda*wa[1]), a2+float64(lambda*wa[2]), a3+float64(lambda*wa[3])
			gb, wb := gslope[m1*R+r:m1*R+r+4:m1*R+r+4], slope[m1*R+r:m1*R+r+4:m1*R+r+4]
			gb[0], gb[1], gb[2], gb[3] = b0+float64(lambda*wb[0]), b1+float64(lambda*wb[1]), b2+float64(lambda*wb[2]), b3+float64(lambda*wb[3])
		}
		for r := full; r < R; r++ {
			var a, b float64
			for n := range B {
				a += float64(h[n*R+r] * x[n*M+m])
				b += float64(h[n*R+r] * x[n*M+m1])
			}
			gslope[m*R+r], gslope[m1*R+r] = a+float64(lambda*slope[m*R+r]), b+float64(lambda*slope[m1*R+r])
		}
	}
}

// Curves are P functions that are linear between their knots, at the places of B samples.
type Curves struct {
	samples, curves int // B and P

	knots []float64 // of all curves, [Q]
	first []int     // the number of the first knot of each curve, [4,P]
	inner []float64 // the knots of each curve except the first and the last, then NaN, [T,4,P]
	T     int       // even

	at    []int     // the number of the knot below, [B,P]
	share []float64 // the share of the way to the next one, [B,P]
}

// NewCurves returns curves over the given knots, ascending, at least three each. It allocates
// memory for B samples.
func NewCurves(knots [][]float64, B int) *Curves {
	c := &Curves{samples: B, curves: len(knots)}
	for _, k := range knots {
		c.first = append(c.first, len(c.knots))
		c.knots = append(c.knots, k...)
		c.T = max(c.T, (len(k)-1)&^1)
	}
	for t := range c.T {
		row := make([]float64, c.curves)
		for p, k := range knots {
			if row[p] = math.NaN(); t+1 < len(k)-1 {
				row[p] = k[t+1]
			}
		}
		c.inner = append(c.inner, slices.Repeat(row, together)...)
	}
	c.at, c.share = slices.Repeat(c.first, B), make([]float64, B*c.curves)
	c.first = slices.Repeat(c.first, together)
	return c
}

// Locate finds the places of samples z [B,P] between the knots. The share of the way to the
// next knot is 0 before the first knot of a curve, 1 after the last, and NaN for NaN.
func (c *Curves) Locate(z []float64) { c.locate(use, c.at, c.share, cut(z, c.samples*c.curves)) }

// Curve is a function that is linear between its knots.
type Curve struct{ of *Curves }

// NewCurve returns a curve over the given knots, ascending, at least three.
func NewCurve(knots []float64) *Curve {
	c := NewCurves([][]float64{knots, knots, knots, knots}, 0) // whose vectors are whole, and found at the same time
	clear(c.first)
	return &Curve{c}
}

// Locate finds the places of numbers z between the knots: the number of the knot below, and the share of the way to the
// next one as [Curves.Locate] does. In portable Go and assembly they are the same to the bit.
func (c *Curve) Locate(at []int, share, z []float64) {
	n := len(z)
	c.of.locate(use, at[:n:n], cut(share, n), z)
}

// together is the number of samples that are located together, so that vectors are whole.
const together = 4

func (c *Curves) locate(i *implementation, at []int, share, z []float64) {
	row := together * c.curves
	n := len(z) / row
	if n > 0 {
		i.locate(at, share, z, c.inner, c.knots, c.first, n, row, row, c.T)
	}
	if done := n * row; done < len(z) {
		i.locate(at[done:], share[done:], z[done:], c.inner, c.knots, c.first, 1, len(z)-done, row, c.T)
	}
}

// locate finds the places of n rows of cells; rows of inner are stride cells apart.
func locate(at []int, share, z, inner, knots []float64, first []int, n, cells, stride, T int) {
	for row := range n {
		from := row * cells
		at, share := at[from:from+cells], share[from:from+cells]
		for i, v := range z[from : from+cells] {
			q := first[i]
			for k := i; k < T*stride && v >= inner[k]; k += stride {
				q++
			}
			t := (v - knots[q]) / (knots[q+1] - knots[q])
			if !(t > 0 && t < 1) {
				t = max(0, min(1, t))
			}
			at[i], share[i] = q, t
		}
	}
}

// Add adds the sums of the curves with values v [Q,C] at the knots to the rule outputs y
// [B,R]; C is R, or 1 for curves that all rules share. At the places of [Curves.Locate],
//
//	y[b,r] += sum_p (1-share[b,p]) v[at[b,p],r] + share[b,p] v[at[b,p]+1,r]
func (c *Curves) Add(y, v []float64, R, C int) {
	add := use.addCurves
	if C == 1 {
		add = use.addShared
	}
	add(cut(y, c.samples*R), c.at, c.share, cut(v, len(c.knots)*C), c.samples, c.curves, R)
}

func addCurves(y []float64, at []int, share, v []float64, B, P, R int) {
	for b := range B {
		row := y[b*R:][:R]
		for p, q := range at[b*P:][:P] {
			t := share[b*P+p]
			low, high := v[q*R:][:R], v[q*R+R:][:R]
			for r := range row {
				row[r] += float64((1-t)*low[r]) + float64(t*high[r])
			}
		}
	}
}

func addShared(y []float64, at []int, share, v []float64, B, P, R int) {
	for b := range B {
		sum := 0.0
		for p, q := range at[b*P:][:P] {
			t := share[b*P+p]
			sum += float64((1-t)*v[q]) + float64(t*v[q+1])
		}
		for r := range R {
			y[b*R+r] += sum
		}
	}
}

// Backward adds the gradient by v of [Curves.Add] to g [Q,C], from h [B,R], dL/dy[b,r].
func (c *Curves) Backward(g, h []float64, R, C int) {
	backward := use.curvesBackward
	if C == 1 {
		backward = use.sharedBackward
	}
	backward(cut(g, len(c.knots)*C), c.at, c.share, cut(h, c.samples*R), c.samples, c.curves, R)
}

func curvesBackward(g []float64, at []int, share, h []float64, B, P, R int) {
	for b := range B {
		row := h[b*R:][:R]
		for p, q := range at[b*P:][:P] {
			t := share[b*P+p]
			low, high := g[q*R:][:R], g[q*R+R:][:R]
			for r, d := range row {
				low[r] += float64((1 - t) * d)
				high[r] += float64(t * d)
			}
		}
	}
}

func sharedBackward(g []float64, at []int, share, h []float64, B, P, R int) {
	for b := range B {
		sum := 0.0
		for _, d := range h[b*R:][:R] {
			sum += d
		}
		for p, q := range at[b*P:][:P] {
			t := share[b*P+p]
			g[q] += float64((1 - t) * sum)
			g[q+1] += float64(t * sum)
		}
	}
}
