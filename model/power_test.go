package model

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// smallBent is small with a transform, a target in its own unit and limits.
func smallBent() *Model {
	m := small()
	m.Features[0].Power = &Power{Lambda: 0, Mean: 0.25, SD: 0.5}
	m.Target.SD, m.Target.Margin = 2, 0.05
	return m
}

func TestPowerByHand(t *testing.T) {
	for _, c := range []struct{ lambda, z, want float64 }{
		{1, 3, 3}, {1, -3, -3}, // the identity
		{0, math.E - 1, 1}, {2, 1 - math.E, -1}, // the logarithms
		{0.5, 3, 2}, {2, 3, 7.5}, {0, -1, -1.5}, {-1, 1, 0.5}, {3, -1, -0.5},
	} {
		p := &Power{Lambda: c.lambda, Mean: 0.5, SD: 2}
		u := (c.want - 0.5) / 2
		if got := p.Value(c.z); math.Abs(got-u) > 1e-15 {
			t.Errorf("lambda %v: value at %v is %v, want %v", c.lambda, c.z, got, u)
		}
		if got := p.Inverse(u); math.Abs(got-c.z) > 1e-14 {
			t.Errorf("lambda %v: inverse of %v is %v, want %v", c.lambda, u, got, c.z)
		}
	}
	p := &Power{Lambda: -1, SD: 0.1}
	if low, high := p.Value(-1e9), p.Value(1e9); low != -8 || high != 8 {
		t.Errorf("limits: %v, %v", low, high)
	}
	if got := p.Inverse(10.5); !math.IsInf(got, 1) { // psi stays below 1
		t.Errorf("inverse beyond all values is %v", got)
	}
}

func TestStraightenTakesAwaySkewness(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tail, even, two := make([]float64, 9000), make([]float64, 9000), make([]float64, 9000)
	for i := range tail {
		tail[i], even[i] = 3-math.Exp(rng.NormFloat64()), 100*rng.NormFloat64()
		if i%20 == 0 {
			two[i] = 1
		}
	}
	d := columns("error", []string{"tail", "even", "two"}, tail, even, two)
	p := fit(t, d)
	p.Straighten(context.Background(), d.X, nil)
	if p.Features[1].Power != nil || p.Features[2].Power != nil || p.Features[0].Power == nil {
		t.Fatalf("transforms %v: want one for the first feature only", p.Features)
	}
	rows := testenv.Must(p.Scale(d.X))
	u := make([]float64, len(rows))
	for n, row := range rows {
		if u[n] = row[0]; len(row) != 6 || row[1] != row[4] || row[2] != row[5] {
			t.Fatalf("row %v: want six values, those of even and two twice", row)
		}
		if f := p.Features[0]; math.Abs(f.Unscaled(u[n])-tail[n]) > 1e-9 {
			t.Fatalf("%v is transformed to %v, which is %v", tail[n], u[n], f.Unscaled(u[n]))
		}
	}
	mean, sd, _, _ := moments(u, nil)
	if s := skewness(column{u, nil}); math.Abs(s) > 0.5 || math.Abs(mean) > 1e-12 || math.Abs(sd-1) > 1e-12 {
		t.Errorf("skewness %v, mean %v, standard deviation %v; before, the skewness was %v", s, mean, sd, skewness(column{tail, nil}))
	}
}

func TestStraightenMissing(t *testing.T) {
	d := columns("mean", []string{"a", "b"}, []float64{1, math.NaN(), 1, 1, 2, 1, 2, 1, 9}, slices.Repeat([]float64{4}, 9))
	p := fit(t, d)
	p.Straighten(context.Background(), d.X, nil)
	if p.Features[0].Power == nil || p.Features[1].Power != nil {
		t.Fatalf("transforms %v: want one for the first only: the second is constant", p.Features)
	}
	rows := testenv.Must(p.Scale(d.X))
	if at := p.Features[0].Power.Value(0); rows[1][0] != at || rows[1][1] != 0 {
		t.Errorf("a missing value is %v, want the transform of the mean, %v, and 0", rows[1], at)
	}
}

func TestStraightenedModel(t *testing.T) {
	m := smallBent()
	// At 10+2(e-1) the input of the antecedents is (1-0.25)/0.5 = 1.5, of the consequents e-1.
	z := math.E - 1
	at := 10 + 2*z
	rows := testenv.Must(m.Scale([][]float64{{at}}))
	if math.Abs(rows[0][0]-1.5) > 1e-15 || math.Abs(rows[0][1]-z) > 1e-15 || len(rows[0]) != 2 {
		t.Errorf("scaled to %v, want 1.5 and %v", rows[0], z)
	}
	v, w := math.Exp(-1.5*1.5/2), math.Exp(-0.5*0.5/8)
	want := 5 + 2*(v*(1+2*z)+w*(-1+0.5*z))/(v+w)
	p := predict(t, m, [][]float64{{at}, {-1e5}, {1e5}})
	if math.Abs(p.Values[0]-want) > 1e-14 {
		t.Errorf("prediction %v, want %v", p.Values[0], want)
	}
	if math.Abs(p.Values[1]-0.65) > 1e-14 || math.Abs(p.Values[2]-8.35) > 1e-14 || p.Limited != 2 {
		t.Errorf("predictions %v, %d limited: want the last two at the limits, 0.65 and 8.35", p.Values, p.Limited)
	}
	if got := m.Targets(&data.Dataset{X: make([][]float64, 2), Y: []float64{5, 9}}); got[0] != 0 || got[1] != 2 {
		t.Errorf("targets 5 and 9 are %v in the rules' unit, want 0 and 2", got)
	}
	back := decode(t, encode(t, m))
	if q := predict(t, back, [][]float64{{at}, {-1e5}, {1e5}}); !sameBits(q.Values, p.Values) {
		t.Errorf("the loaded model predicts %v, want %v", q.Values, p.Values)
	}
}

func TestDecodeRefusesTransforms(t *testing.T) {
	refusedEdits(t, smallBent(), []edit{
		{"features.0.power.sd", 0.0, `features[0].power ("a"): lambda`},
		{"features.0.power.lambda", 6.0, `features[0].power ("a"): lambda`},
		{"features.0.power.mean", remove{}, "features[0].power.mean is missing"},
		{"features.0.power.knots", 3.0, "unknown field"},
		{"target.sd", -1.0, "target: sd -1"},
		{"target.margin", -0.1, "target: margin -0.1"},
	})
}

func TestAtMostTwo(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{1, 1}, true}, {[]float64{1, 2, 1, 2}, true}, {[]float64{1, 1, 2, 1, 3}, false}, {[]float64{2, 1, 0}, false},
	} {
		if got := atMostTwo(c.values); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

// TestScaleInBlocks: samples of several blocks are scaled as one by one, and the first that cannot be is named.
func TestScaleInBlocks(t *testing.T) {
	p := Preprocessing{Features: []Feature{{Name: "a", Mean: 1, SD: 2}, {Name: "b", SD: 1, Power: &Power{Lambda: 0.5, SD: 1}}}}
	var x [][]float64
	for n := range 3*blockRows + 5 {
		x = append(x, []float64{float64(n), float64(n % 7)})
	}
	all := testenv.Must(p.Scale(x))
	for n, row := range x {
		one, err := p.Scale([][]float64{row})
		if err != nil || !slices.Equal(one[0], all[n]) {
			t.Fatalf("sample %d: %v with others, %v alone: %v", n, all[n], one, err)
		}
	}
	x[2*blockRows+1][0], x[3*blockRows][1] = math.NaN(), math.NaN()
	var fault *SampleError
	if _, err := p.Scale(x); !errors.As(err, &fault) || fault.Sample != 2*blockRows+1 {
		t.Errorf("error %v, want one of sample %d", err, 2*blockRows+1)
	}
}

// TestPowerValues compares the transforms of columns with those of single z-scores, to the bit: for all exponents, and
// for z-scores of all sizes, close to powers of two minus one, and not finite.
func TestPowerValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, lambda := range []float64{-5, -2, -0.3, 0, 1e-9, 0.5, 1, 1.7, 2, 2 - 1e-12, 3.1, 5} {
		p := Power{Lambda: lambda, Mean: 0.1 * rng.NormFloat64(), SD: 1e-3 + rng.Float64()}
		for range 400 {
			z := make([]float64, 1+rng.IntN(70))
			for n := range z {
				switch rng.IntN(6) {
				case 0:
					z[n] = math.Ldexp(rng.NormFloat64(), rng.IntN(140)-80)
				case 1:
					z[n] = math.Ldexp(1, rng.IntN(5)) - 1 + math.Ldexp(rng.NormFloat64(), -rng.IntN(56))
				case 2:
					z[n] = []float64{0, math.Copysign(0, -1), math.Sqrt2 - 1, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300,
						5e-324}[rng.IntN(11)]
				default:
					z[n] = 3 * rng.NormFloat64()
				}
			}
			u := make([]float64, len(z))
			p.values(u, z, make([]float64, len(z)))
			for n, v := range z {
				if want := p.Value(v); math.Float64bits(u[n]) != math.Float64bits(want) && !(math.IsNaN(want) && math.IsNaN(u[n])) {
					t.Fatalf("lambda %v, z %v: %v, want %v", lambda, v, u[n], want)
				}
			}
		}
	}
}

// TestOrdinary compares the kernels of the transforms with the functions of package numeric: in assembly nearly all
// elements are ordinary.
func TestOrdinary(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	x, y := make([]float64, 64), make([]float64, 64)
	for name, f := range map[string]struct {
		kernel func(dst, x []float64)
		one    func(float64) float64
		size   int // of the exponents
	}{"log1p": {kernel.Log1p, numeric.Log1p, 50}, "expm1": {kernel.Expm1, numeric.Expm1, 3}} {
		left := 0
		for range 10_000 {
			for n := range x {
				x[n] = math.Ldexp(rng.NormFloat64(), rng.IntN(f.size+20)-20)
				if name == "log1p" {
					x[n] = math.Abs(x[n])
				}
			}
			f.kernel(y, x)
			for n, v := range y {
				if math.IsNaN(v) {
					left++
				} else if want := f.one(x[n]); math.Float64bits(v) != math.Float64bits(want) {
					t.Fatalf("%s(%v) = %v, want %v", name, x[n], v, want)
				}
			}
		}
		if kernel.Name() == "avx2" && left > 640_000/20 {
			t.Errorf("%s leaves %d of 640000", name, left)
		}
	}
}
