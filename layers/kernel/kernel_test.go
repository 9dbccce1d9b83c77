package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// sizes are edges of the tiles, and sizes that occur.
var sizes = []struct{ B, M, R int }{
	{1, 1, 1}, {1, 2, 3}, {2, 1, 4}, {3, 3, 5}, {1, 13, 32}, {5, 4, 8}, {64, 11, 32}, {3, 2, 130}, {7, 5, 7}, {2, 2, 2},
}

func onSizes(t *testing.T, test func(t *testing.T, rng *rand.Rand, B, M, R int)) {
	for i, s := range sizes {
		t.Run(fmt.Sprintf("B=%d/M=%d/R=%d", s.B, s.M, s.R), func(t *testing.T) {
			test(t, rand.New(rand.NewPCG(uint64(i), 1)), s.B, s.M, s.R)
		})
	}
}

func normal(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// positive returns numbers of at least 1/2.
func positive(rng *rand.Rand, n int) []float64 {
	v := normal(rng, n)
	for i := range v {
		v[i] = 0.5 + math.Abs(v[i])
	}
	return v
}

// half returns numbers every second of which is zero.
func half(rng *rand.Rand, n int) []float64 {
	v := normal(rng, n)
	for i := range v {
		if rng.IntN(2) == 0 {
			v[i] = 0
		}
	}
	return v
}

// rubbish returns what a kernel must overwrite.
func rubbish(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

func same(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= 1e-13*max(1, math.Abs(w))) {
			t.Errorf("%s[%d] = %v, want %v", name, i, got[i], w)
			return
		}
	}
}

// sums returns the sums over b of term, [M,R].
func sums(B, M, R int, term func(b, m, r int) float64) []float64 {
	g := make([]float64, M*R)
	for m := range M {
		for r := range R {
			for b := range B {
				g[m*R+r] += term(b, m, r)
			}
		}
	}
	return g
}

func TestGaussian(t *testing.T) {
	onSizes(t, func(t *testing.T, rng *rand.Rand, B, M, R int) {
		var s Scratch
		s.Size(B, M, R)
		x, c, sigma, v := normal(rng, B*M), normal(rng, M*R), positive(rng, M*R), half(rng, B*R)
		z, want := rubbish(B*R), make([]float64, B*R)
		GaussianForward(z, x, c, sigma, B, M, R, &s)
		for b := range B {
			for r := range R {
				for m := range M {
					u := (x[b*M+m] - c[m*R+r]) / sigma[m*R+r]
					want[b*R+r] -= u * u / 2
				}
			}
		}
		same(t, "z", z, want)
		gc, gsigma := rubbish(M*R), rubbish(M*R)
		GaussianBackward(gc, gsigma, v, x, c, sigma, B, M, R, &s)
		same(t, "gc", gc, sums(B, M, R, func(b, m, r int) float64 {
			return v[b*R+r] * (x[b*M+m] - c[m*R+r]) / math.Pow(sigma[m*R+r], 2)
		}))
		same(t, "gsigma", gsigma, sums(B, M, R, func(b, m, r int) float64 {
			return v[b*R+r] * math.Pow(x[b*M+m]-c[m*R+r], 2) / math.Pow(sigma[m*R+r], 3)
		}))
	})
}

func TestTrapezoid(t *testing.T) {
	onSizes(t, func(t *testing.T, rng *rand.Rand, B, M, R int) {
		var s Scratch
		s.Size(B, M, R)
		x, v := normal(rng, B*M), half(rng, B*R)
		b, left, top, right := normal(rng, M*R), positive(rng, M*R), positive(rng, M*R), positive(rng, M*R)
		a, c, d := make([]float64, M*R), make([]float64, M*R), make([]float64, M*R)
		for i := range a {
			a[i], c[i] = b[i]-left[i], b[i]+top[i]
			d[i] = c[i] + right[i]
		}
		x[0] = b[0] // kinks, where nothing depends on the parameters
		if B > 1 {
			x[M] = d[0]
		}
		f, want := rubbish(B*R), make([]float64, B*R)
		TrapezoidForward(f, x, a, b, c, d, B, M, R, &s)
		grade := func(n, m, r int) float64 {
			u, i := x[n*M+m], m*R+r
			return max(0, min(1, (u-a[i])/(b[i]-a[i]), (d[i]-u)/(d[i]-c[i])))
		}
		for n := range B {
			for r := range R {
				want[n*R+r] = 1
				for m := range M {
					want[n*R+r] *= grade(n, m, r)
				}
			}
		}
		same(t, "f", f, want)
		g := [4][]float64{rubbish(M * R), rubbish(M * R), rubbish(M * R), rubbish(M * R)}
		TrapezoidBackward(g[0], g[1], g[2], g[3], v, x, a, b, c, d, B, M, R, &s)
		for j, name := range []string{"ga", "gb", "gc", "gd"} {
			same(t, name, g[j], sums(B, M, R, func(n, m, r int) float64 {
				u, i := x[n*M+m], m*R+r
				switch {
				case u > a[i] && u < b[i]:
					w := b[i] - a[i]
					return v[n*R+r] / grade(n, m, r) * []float64{(u - b[i]) / w / w, (a[i] - u) / w / w, 0, 0}[j]
				case u > c[i] && u < d[i]:
					w := d[i] - c[i]
					return v[n*R+r] / grade(n, m, r) * []float64{0, 0, (d[i] - u) / w / w, (u - c[i]) / w / w}[j]
				}
				return 0
			}))
		}
	})
}

func TestConsequents(t *testing.T) {
	onSizes(t, func(t *testing.T, rng *rand.Rand, B, M, R int) {
		x, slope, bias, h := normal(rng, B*M), normal(rng, M*R), normal(rng, R), half(rng, B*R)
		y, want := rubbish(B*R), make([]float64, B*R)
		Consequents(y, x, slope, bias, B, M, R)
		for b := range B {
			for r := range R {
				want[b*R+r] = bias[r]
				for m := range M {
					want[b*R+r] += x[b*M+m] * slope[m*R+r]
				}
			}
		}
		same(t, "y", y, want)
		gslope, gbias := rubbish(M*R), rubbish(R)
		ConsequentsBackward(gslope, gbias, h, x, slope, 0.05, B, M, R)
		wantSlope := sums(B, M, R, func(b, m, r int) float64 { return h[b*R+r] * x[b*M+m] })
		for i := range wantSlope {
			wantSlope[i] += 0.05 * slope[i]
		}
		same(t, "gslope", gslope, wantSlope)
		same(t, "gbias", gbias, sums(B, 1, R, func(b, _, r int) float64 { return h[b*R+r] }))
	})
}

func TestExpRows(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	z := []float64{-1000, -1001, 5 /**/, -inf, 0, -inf /**/, -inf, 1, -inf /**/, nan, 0, 0 /**/, nan, 0, -1}
	mask := []float64{1, 1, 0 /**/, 1, 1, 1 /**/, 1, 0, 1 /**/, 1, 1, 0 /**/, 0, 1, 1}
	ExpRows(z, z, mask, 5, 3)
	e := math.Exp(-1)
	want := []float64{1, e, 0 /**/, 0, 1, 0 /**/, nan, 0, nan /**/, nan, nan, 0 /**/, 0, 1, e}
	for i, w := range want {
		if z[i] != w && !(math.IsNaN(z[i]) && math.IsNaN(w)) {
			t.Errorf("cell %d: %v, want %v", i, z[i], w)
		}
	}
}
