package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// onShapes runs a test on random shapes, with every implementation.
func onShapes(t *testing.T, test func(t *rapid.T, rng *rand.Rand, B, M, R int)) {
	onImplementations(t, func(t *testing.T, _ *implementation) {
		rapid.Check(t, func(t *rapid.T) {
			B, M, R := drawShape(t)
			test(t, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), B, M, R)
		})
	})
}

// drawShape draws sizes around all edges of the tiles, and some typical ones.
func drawShape(t *rapid.T) (B, M, R int) {
	few, many := rapid.IntRange(1, 9), rapid.IntRange(1, 40)
	B = rapid.OneOf(few, few, few, few, few, few, few, rapid.Just(64)).Draw(t, "B")
	M = rapid.IntRange(1, 17).Draw(t, "M")
	R = rapid.OneOf(many, many, many, many, many, many, many, rapid.IntRange(63, 130)).Draw(t, "R")
	return B, M, R
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

// half returns numbers, every second of which is zero.
func half(rng *rand.Rand, n int) []float64 {
	v := normal(rng, n)
	for i := range v {
		if rng.IntN(2) == 0 {
			v[i] = 0
		}
	}
	return v
}

// rubbish returns values that a kernel must overwrite.
func rubbish(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

func same(t *rapid.T, name string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= 1e-12*max(1, math.Abs(w))) {
			t.Fatalf("%s[%d] = %v, want %v", name, i, got[i], w)
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
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, M, R int) {
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
			s := sigma[m*R+r]
			return v[b*R+r] * (x[b*M+m] - c[m*R+r]) / (s * s)
		}))
		same(t, "gsigma", gsigma, sums(B, M, R, func(b, m, r int) float64 {
			s, d := sigma[m*R+r], x[b*M+m]-c[m*R+r]
			return v[b*R+r] * d * d / (s * s * s)
		}))
	})
}

func TestTrapezoid(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, M, R int) {
		var s Scratch
		s.Size(B, M, R)
		x, v := normal(rng, B*M), half(rng, B*R)
		b, left, top, right := normal(rng, M*R), positive(rng, M*R), positive(rng, M*R), positive(rng, M*R)
		a, c, d := make([]float64, M*R), make([]float64, M*R), make([]float64, M*R)
		for i := range a {
			a[i], c[i] = b[i]-left[i], b[i]+top[i]
			d[i] = c[i] + right[i]
		}
		x[0] = b[0] // kinks, with zero gradient
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
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, M, R int) {
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
	z := []float64{-1000, -1001, 5 /**/, -inf, 0, -inf /**/, -inf, 1, -inf /**/, nan, 0, 0 /**/, nan, 0, -1 /**/, inf, 0, 0}
	mask := []float64{1, 1, 0 /**/, 1, 1, 1 /**/, 1, 0, 1 /**/, 1, 1, 0 /**/, 0, 1, 1 /**/, 1, 1, 0}
	e := math.Exp(-1)
	want := []float64{1, e, 0 /**/, 0, 1, 0 /**/, nan, 0, nan /**/, nan, nan, 0 /**/, 0, 1, e /**/, nan, nan, 0}
	for _, impl := range implementations {
		for _, f := range [][]float64{rubbish(len(z)), slices.Clone(z)} {
			from := z
			if !math.IsNaN(f[0]) {
				from = f // in place
			}
			impl.expRows(f, from, mask, 6, 3)
			for i, w := range want {
				if f[i] != w && !(math.IsNaN(f[i]) && math.IsNaN(w)) {
					t.Errorf("%s: cell %d: %v, want %v", impl.name, i, f[i], w)
				}
			}
		}
	}
}

func TestDropRows(t *testing.T) {
	nan := math.NaN()
	f := []float64{1, 2, 3 /**/, 1, 0, 1 /**/, 0, 0, 5 /**/, nan, 1, 2}
	mask := []float64{0, 1, 1 /**/, 0, 1, 0 /**/, 1, 1, 0 /**/, 1, 0, 0}
	wantLevel := []float64{0, 2, 3 /**/, 1, 0, 1 /**/, 0, 0, 5 /**/, nan, 1, 2}
	wantUsed := []float64{0, 1, 1 /**/, 1, 1, 1 /**/, 1, 1, 1 /**/, 1, 1, 1}
	for _, impl := range implementations {
		level, used := rubbish(len(f)), rubbish(len(f))
		impl.dropRows(level, used, f, mask, 1e-300, 4, 3)
		for i := range f {
			if level[i] != wantLevel[i] && !math.IsNaN(wantLevel[i]) || used[i] != wantUsed[i] {
				t.Errorf("%s: cell %d: level %v, used %v, want %v, %v", impl.name, i, level[i], used[i], wantLevel[i], wantUsed[i])
			}
		}
	}
}

func TestNormalise(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, _, R int) {
		f, outputs, dy := positive(rng, B*R), normal(rng, B*R), normal(rng, B)
		clear(f[:R]) // an uncovered sample
		level, y, scale, covered := slices.Clone(f), rubbish(B), rubbish(B), rubbish(B)
		Normalise(y, scale, covered, level, outputs, 1e-300, B, R)
		byFiring, byOutput := rubbish(B*R), rubbish(B*R)
		NormaliseBackward(byFiring, byOutput, level, f, outputs, y, dy, scale, B, R)
		for b := range B {
			total, sum := 0.0, 0.0
			for r := range R {
				sum += f[b*R+r]
				total += f[b*R+r] * outputs[b*R+r]
			}
			want, wantScale, wantCovered := total/sum, 1/sum, 1.0
			if b == 0 {
				want, wantScale, wantCovered = 0, 0, 0
			}
			same(t, "y", y[b:b+1], []float64{want})
			same(t, "scale", scale[b:b+1], []float64{wantScale})
			same(t, "covered", covered[b:b+1], []float64{wantCovered})
			for r := range R {
				i := b*R + r
				same(t, "level", level[i:i+1], []float64{f[i] * wantScale})
				same(t, "byOutput", byOutput[i:i+1], []float64{dy[b] * f[i] * wantScale})
				same(t, "byFiring", byFiring[i:i+1], []float64{dy[b] * wantScale * f[i] * (outputs[i] - want)})
			}
		}
	})
}

func TestAdaBound(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, _, M, R int) {
		n := M * R
		value, grad, m, v := normal(rng, n), normal(rng, n), normal(rng, n), positive(rng, n)
		grad[0], v[0], m[0] = 0, 0, 0 // does not move
		s := AdaBoundStep{0.02, 1e-8, 0.9, 0.999, 1.5, 3, 0.009, 0.012}
		want, wantM, wantV := make([]float64, n), make([]float64, n), make([]float64, n)
		for i, g := range grad {
			wantM[i] = s.Beta1*m[i] + (1-s.Beta1)*g
			wantV[i] = s.Beta2*v[i] + (1-s.Beta2)*g*g
			rate := s.Alpha / (math.Sqrt(wantV[i]*s.Correction2) + s.Epsilon)
			want[i] = value[i] - math.Max(s.Lower, math.Min(s.Upper, rate))*wantM[i]*s.Correction1
		}
		first := value[0]
		AdaBound(value, grad, m, v, s)
		same(t, "value", value, want)
		same(t, "m", m, wantM)
		same(t, "v", v, wantV)
		testenv.Equal(t, value[0], first, "the value without a gradient")
	})
}

func TestExpandMask(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, _, R int) {
		threshold := rapid.Uint64Range(1, 1<<16).Draw(t, "threshold")
		words := make([]uint64, B*MaskWords(R))
		for i := range words {
			words[i] = rng.Uint64()
		}
		for i := range MaskWords(R) { // a sample without a kept rule
			words[i] = math.MaxUint64
		}
		mask := rubbish(B * R)
		ExpandMask(mask, words, threshold, B, R)
		for b := range B {
			want, some := make([]float64, R), false
			for r := range R {
				if words[b*MaskWords(R)+r/4]>>(r%4*16)&0xffff < threshold {
					want[r], some = 1, true
				}
			}
			if !some {
				want = slices.Repeat([]float64{1}, R)
			}
			testenv.Equal(t, mask[b*R:(b+1)*R], want, "sample %d: mask", b)
		}
	})
}

func TestSumSquares(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, _, M, R int) {
		x, want := normal(rng, M*R), 0.0
		for _, v := range x {
			want += v * v
		}
		same(t, "sum", []float64{SumSquares(x)}, []float64{want})
	})
}

func TestWithin(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, _, _, R int) {
		x, limit := normal(rng, R), 10.0
		if !Within(x, limit) || Within(x, 0) {
			t.Fatalf("within 10: %v, within 0: %v", Within(x, limit), Within(x, 0))
		}
		i := rng.IntN(R)
		for _, v := range []float64{10, -10, math.Inf(1), math.Inf(-1), math.NaN()} {
			if x[i] = v; Within(x, limit) {
				t.Fatalf("%v at %d of %d is not found", v, i, R)
			}
		}
	})
}
