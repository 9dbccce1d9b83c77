package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// curveKnots is the mean number of knots of a curve in the tests.
const curveKnots = 4

// ofKnots returns the size of a matrix with a row for each knot, of one cell or of one per rule.
func ofKnots(perRule bool) func(B, M, R int) int {
	return func(_, M, R int) int {
		if perRule {
			return curveKnots * M * R
		}
		return curveKnots * M
	}
}

// places are the operands of places on curves: see knotsBelow, and the shares.
var places = []operand{{samples, between(0, 1), false}, {samples, between(0, 1), true}}

// knotsBelow returns the numbers of knots for cells in [0,1).
func knotsBelow(cells []float64, M int) []int {
	at := make([]int, len(cells))
	for i, v := range cells {
		at[i] = int(v * float64(curveKnots*M-1))
	}
	return at
}

// testCurves returns M curves with 3 to 9 knots.
func testCurves(B, M int) *Curves {
	var knots [][]float64
	for m := range M {
		var k []float64
		for q := range 3 + m%7 {
			k = append(k, -1+0.4*float64(q)+0.1*float64(m%3))
		}
		knots = append(knots, k)
	}
	return NewCurves(knots, B)
}

// TestCurves compares places, sums and gradients with those by the tents of all knots.
func TestCurves(t *testing.T) {
	onImplementations(t, func(t *testing.T, _ *implementation) {
		rng := rand.New(rand.NewPCG(1, 2))
		const B, R = 70, 5
		var knots [][]float64
		for _, n := range []int{3, 4, 12, 40, 5, 3, 9} {
			k := normal(rng, n)
			slices.Sort(k)
			knots = append(knots, k)
		}
		P, z := len(knots), normal(rng, B*len(knots))
		for i := range B { // at the knots, and beyond
			z[i*P+i%P] = append(knots[i%P], -9, 9)[i%(len(knots[i%P])+2)]
		}
		c := NewCurves(knots, B)
		c.Locate(z)
		for _, C := range []int{1, R} {
			v, h := normal(rng, len(c.knots)*C), normal(rng, B*R)
			y, g := make([]float64, B*R), make([]float64, len(v))
			c.Add(y, v, R, C)
			c.Backward(g, h, R, C)
			for b := range B {
				q := 0
				for p, k := range knots {
					for i := range k {
						tent := tent(k, i, z[b*P+p])
						for r := range R {
							y[b*R+r] -= tent * v[q*C+r%C]
							g[q*C+r%C] -= tent * h[b*R+r]
						}
						q++
					}
				}
			}
			for i, d := range slices.Concat(y, g) {
				if !(math.Abs(d) < 1e-12) {
					t.Errorf("C=%d: cell %d is %v off", C, i, d)
				}
			}
		}
	})
}

// tent is 1 at knot i, 0 at its neighbours, linear between, and constant beyond the ends.
func tent(k []float64, i int, z float64) float64 {
	v := 1.0
	if i > 0 {
		v = min(v, (z-k[i-1])/(k[i]-k[i-1]))
	}
	if i < len(k)-1 {
		v = min(v, (k[i+1]-z)/(k[i+1]-k[i]))
	}
	return max(0, v)
}
