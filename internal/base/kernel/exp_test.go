package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// ulps returns the distance of got from want in units in the last place of want.
func ulps(got float64, want *big.Float) float64 {
	near, _ := want.Float64()
	unit := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
	d := new(big.Float).Sub(want, new(big.Float).SetFloat64(got))
	u, _ := d.Quo(d, new(big.Float).SetFloat64(unit)).Float64()
	return math.Abs(u)
}

const precision = 120 // bits of the reference values

func exact(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }

// bigExp returns e^x: the Taylor series of x/2^20, squared 20 times.
func bigExp(x *big.Float) *big.Float {
	const halvings = 20
	r := new(big.Float).SetPrec(precision+2*halvings).SetMantExp(x, -halvings)
	sum, term := exact(1), exact(1)
	sum.SetPrec(precision + 2*halvings)
	term.SetPrec(precision + 2*halvings)
	for k := 1; k < 50; k++ {
		term.Mul(term, r)
		term.Quo(term, exact(float64(k)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns log x as y + t - t^2/2 with t = x e^-y - 1. The error of y is 1e-13, so
// that of the result is 1e-39.
func bigLog(x float64) *big.Float {
	fraction, exponent := math.Frexp(x)
	y := math.Log(fraction) + float64(exponent)*math.Ln2
	t := new(big.Float).Mul(exact(x), bigExp(exact(-y)))
	t.Sub(t, exact(1))
	square := new(big.Float).Mul(t, t)
	return new(big.Float).Add(exact(y), t.Sub(t, square.Quo(square, exact(2))))
}

func TestBigExp(t *testing.T) {
	// e to 34 digits.
	testenv.Equal(t, bigExp(exact(1)).Text('f', 33), "2.718281828459045235360287471352662", "e")
	testenv.Equal(t, bigLog(10).Text('f', 30), "2.302585092994045684017991454684", "log 10")
}

var (
	expOf = func(i *implementation) func(dst, x []float64) { return i.exp }
	logOf = func(i *implementation) func(dst, x []float64) { return i.log }
)

// TestExpIsAccurate checks the documented accuracy of Exp, also for subnormal results.
func TestExpIsAccurate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var x []float64
	for range 800 {
		x = append(x, -745.2+rng.Float64()*(709.78+745.2), -40*rng.Float64(), rng.NormFloat64(),
			-700-45*rng.Float64(), math.Ldexp(rng.NormFloat64(), -rng.IntN(60)))
	}
	for n := -1075; n <= 1024; n += 7 { // where the multiple of ln 2 changes
		v := (float64(n) + 0.5) * math.Ln2
		x = append(x, v, math.Nextafter(v, 1000), math.Nextafter(v, -1000))
	}
	x = append(x, 709.7827, -708.3964185322641, -708.3964185322642, -745.1332191019411, -744.4400719213812, 5e-324, -5e-324, 1e-20)
	accurate(t, expOf, x, func(v float64) *big.Float { return bigExp(exact(v)) }, map[string]float64{"avx2": 1, "go": 3})
}

// accurate checks that results for x are within a number of units in the last place, by implementation.
func accurate(t *testing.T, of func(*implementation) func(dst, x []float64), x []float64, exact func(float64) *big.Float,
	limits map[string]float64) {
	onImplementations(t, func(t *testing.T, i *implementation) {
		got := make([]float64, len(x))
		of(i)(got, x)
		worst, at := 0.0, 0.0
		for j, v := range x {
			if u := ulps(got[j], exact(v)); !(u <= worst) {
				worst, at = u, v
			}
		}
		t.Logf("at most %.3f ulp, at %v", worst, at)
		if !(worst <= limits[i.name]) {
			t.Errorf("%v ulp at %v", worst, at)
		}
	})
}

// TestLogIsAccurate checks the documented accuracy of Log, also for subnormal numbers.
func TestLogIsAccurate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var x []float64
	for range 800 {
		x = append(x, math.Exp(-745+1450*rng.Float64()), rng.Float64(), 0.5+rng.Float64(),
			1+math.Ldexp(rng.NormFloat64(), -4-rng.IntN(45)), math.Ldexp(1+rng.Float64(), -1074+rng.IntN(60)))
	}
	for _, v := range []float64{math.Sqrt2 / 2, math.Sqrt2, 1, 2, 0x1p-1022, math.MaxFloat64} {
		x = append(x, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1)))
	}
	x = slices.DeleteFunc(append(x, 5e-324, math.MaxFloat64, 10), func(v float64) bool { return math.IsInf(v, 1) || v == 1 })
	accurate(t, logOf, x, bigLog, map[string]float64{"avx2": 1, "go": 1})
}

// TestExpAndLogAtTheEdges checks the exact results at every index of slices of any length.
func TestExpAndLogAtTheEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name string
		of   func(*implementation) func(dst, x []float64)
		want map[float64]float64
		nan  []float64
	}{
		{"exp", expOf, map[float64]float64{
			0: 1, math.Copysign(0, -1): 1, inf: inf, -inf: 0, 709.79: inf, 1e308: inf, -745.14: 0, -746: 0, -747: 0, -1e308: 0, 5e-324: 1,
		}, []float64{nan}},
		{"log", logOf, map[float64]float64{1: 0, 0: -inf, math.Copysign(0, -1): -inf, inf: inf}, []float64{nan, -1, -5e-324, -inf}},
	} {
		onImplementations(t, func(t *testing.T, i *implementation) {
			f := c.of(i)
			for n := range 10 {
				for at := range n {
					check := func(v, want float64) {
						x := slices.Repeat([]float64{0.5}, n)
						x[at] = v
						other := make([]float64, n)
						f(other, slices.Repeat([]float64{0.5}, n))
						f(x, x)
						for j, got := range x {
							if w := other[j]; j != at && got != w {
								t.Errorf("%s: %v at %d of %d: element %d is %v, want %v", c.name, v, at, n, j, got, w)
							}
						}
						if got := x[at]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
							t.Errorf("%s(%v) = %v, want %v (at %d of %d)", c.name, v, got, want, at, n)
						}
					}
					for v, want := range c.want {
						check(v, want)
					}
					for _, v := range c.nan {
						check(v, nan)
					}
				}
			}
		})
	}
}

func ExampleExp() {
	x := []float64{0, 1, -2}
	Exp(x, x)
	fmt.Printf("%.3f\n", x)
	// Output: [1.000 2.718 0.135]
}
