package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
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

func TestAmbiguity(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, _, R int) {
		level, outputs, weight := positive(rng, B*R), normal(rng, B*R), positive(rng, B)
		clear(level[:R]) // an uncovered sample
		f := slices.Clone(level)
		y, scale, covered := rubbish(B), rubbish(B), rubbish(B)
		Normalise(y, scale, covered, level, outputs, 1e-300, B, R)
		d, rounding := rubbish(B), rubbish(B)
		total, wantTotal := Ambiguity(d, rounding, level, outputs, y, weight, B, R), 0.0
		byFiring, byOutput := normal(rng, B*R), normal(rng, B*R)
		wantFiring, wantOutput := slices.Clone(byFiring), slices.Clone(byOutput)
		AmbiguityBackward(byFiring, byOutput, level, f, outputs, y, d, rounding, weight, scale, 0.3, B, R)
		for b := range B {
			variance := 0.0
			for i := b * R; i < (b+1)*R; i++ {
				variance += level[i] * (outputs[i] - y[b]) * (outputs[i] - y[b])
			}
			same(t, "d", d[b:b+1], []float64{variance})
			wantTotal += weight[b] * variance
			for i := b * R; i < (b+1)*R; i++ {
				off := outputs[i] - y[b]
				wantOutput[i] += 0.3 * weight[b] * level[i] * off
				wantFiring[i] += 0.15 * weight[b] * scale[b] * f[i] * (off*off - variance)
			}
		}
		same(t, "total", []float64{total}, []float64{wantTotal})
		same(t, "byOutput", byOutput, wantOutput)
		same(t, "byFiring", byFiring, wantFiring)
	})
}

// TestAmbiguityOfDominantRule compares with exact arithmetic where the output of a rule is
// nearly the prediction.
func TestAmbiguityOfDominantRule(t *testing.T) {
	outputs := []float64{731.3, 1290.7, -45.1}
	for _, small := range []float64{1e-6, 1e-12, 1e-14, 1e-30} {
		for _, impl := range implementations {
			level := []float64{1, small, 0.3 * small}
			f, one := slices.Clone(level), []float64{1}
			out := make([]float64, 3+2+6)
			y, scale, covered, d, rounding := out[0:1], out[1:2], out[2:3], out[3:4], out[4:5]
			byFiring, byOutput := out[5:8], out[8:11]
			impl.normalise(y, scale, covered, level, outputs, 1e-300, 1, 3)
			impl.ambiguity(d, rounding, level, outputs, y, one, 1, 3)
			impl.ambiguityBackward(byFiring, byOutput, level, level, outputs, y, d, rounding, one, one, 1, 1, 3)
			wantD, wantFiring, wantOutput := exactAmbiguity(f, outputs)
			for i, pair := range [][2][]float64{{d, {wantD}}, {byFiring, wantFiring}, {byOutput, wantOutput}} {
				for r, want := range pair[1] {
					if got := pair[0][r]; !(math.Abs(got-want) <= 1e-11*math.Abs(want)) {
						t.Errorf("%s, level %v: result %d of rule %d is %v, want %v", impl.name, small, i, r, got, want)
					}
				}
			}
		}
	}
}

// exactAmbiguity returns the variance of the outputs of a sample with the firing levels f,
// and the gradients of half of it by log f and by the outputs.
func exactAmbiguity(f, outputs []float64) (d float64, byFiring, byOutput []float64) {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	add := func(a, b *big.Float) *big.Float { return number(0).Add(a, b) }
	sub := func(a, b *big.Float) *big.Float { return number(0).Sub(a, b) }
	mul := func(a, b *big.Float) *big.Float { return number(0).Mul(a, b) }
	sum, y, variance := number(0), number(0), number(0)
	for r, v := range f {
		sum, y = add(sum, number(v)), add(y, mul(number(v), number(outputs[r])))
	}
	y.Quo(y, sum)
	var levels, off []*big.Float
	for r, v := range f {
		levels, off = append(levels, number(0).Quo(number(v), sum)), append(off, sub(number(outputs[r]), y))
		variance = add(variance, mul(levels[r], mul(off[r], off[r])))
	}
	for r := range f {
		z, _ := mul(number(0.5), mul(levels[r], sub(mul(off[r], off[r]), variance))).Float64()
		o, _ := mul(levels[r], off[r]).Float64()
		byFiring, byOutput = append(byFiring, z), append(byOutput, o)
	}
	d, _ = variance.Float64()
	return d, byFiring, byOutput
}

// TestCurve: the places of any number of samples on one curve are those of a plain search, to the bit.
func TestCurve(t *testing.T) {
	onImplementations(t, func(t *testing.T, _ *implementation) {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{3, 4, 12, 33} {
			knots := normal(rng, n)
			slices.Sort(knots)
			z := slices.Concat(normal(rng, 40), knots, []float64{-9, 9, math.NaN(), math.Inf(1), math.Inf(-1)})
			c := NewCurve(knots)
			for size := 1; size <= len(z); size += 1 + size/4 {
				at, share := make([]int, size), make([]float64, size)
				c.Locate(at, share, z[len(z)-size:])
				for i, v := range z[len(z)-size:] {
					q := 0
					for q < n-2 && v >= knots[q+1] {
						q++
					}
					want := max(0, min(1, (v-knots[q])/(knots[q+1]-knots[q])))
					if at[i] != q || share[i] != want && !(math.IsNaN(v) && math.IsNaN(share[i])) {
						t.Fatalf("%d of %d on %d knots: %v is at %d, %v; want %d, %v", i, size, n, v, at[i], share[i], q, want)
					}
				}
			}
		}
	})
}
