// Package numeric provides functions of package math and normal random numbers whose bits
// do not depend on the build. With fused multiply-add, from GOAMD64=v3 on, Log1p and
// others of package math give different last bits; the functions of this package always
// give those of package math on amd64 without it.
//
// Log, Sqrt and Pow of package math need no substitute on amd64: they are written in assembly,
// or add to no product but its own copy. So is Exp, whose bits are those of amd64 alone: with the
// build tag purego and in WebAssembly, Exp has the same operations on all processors.
package numeric

import (
	"math"
	"math/rand/v2"
	"runtime"
)

// Finite reports whether none of the values is NaN or infinite.
func Finite(values ...float64) bool {
	for _, v := range values {
		if !(math.Abs(v) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// OrNil returns a pointer to v, or nil if v is NaN or infinite, which JSON cannot hold.
func OrNil(v float64) *float64 {
	if !Finite(v) {
		return nil
	}
	return &v
}

// OrNaN returns *v, or NaN if v is nil: the inverse of [OrNil] for finite values.
func OrNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// tail is the beginning of the tail of the normal distribution in Normal.
const tail = 3.442619855899

// ziggurat holds the tables of Marsaglia and Tsang, "The ziggurat method for generating
// random variables", Journal of Statistical Software 5 (2000), for the normal
// distribution in 128 layers.
var ziggurat = func() (z struct {
	k    [128]uint32  // integers below it are inside the layer
	w, f [128]float32 // widths per integer; densities
}) {
	const layers, area, numbers = 128, 9.91256303526217e-3, 1 << 31
	density := func(x float64) float64 { return Exp(-0.5 * x * x) }
	x := tail
	z.k[0] = uint32(x / (area / density(x)) * numbers)
	z.w[0], z.f[0] = float32(area/density(x)/numbers), 1
	z.w[layers-1], z.f[layers-1] = float32(x/numbers), float32(density(x))
	for i := layers - 2; i > 0; i-- {
		inner := math.Sqrt(-2 * math.Log(area/x+density(x)))
		z.k[i+1] = uint32(inner / x * numbers)
		x = inner
		z.w[i], z.f[i] = float32(x/numbers), float32(density(x))
	}
	return z
}()

// Normal draws from the standard normal distribution the number that random.NormFloat64
// draws on amd64.
func Normal(random *rand.Rand) float64 {
	z := &ziggurat
	for {
		u := random.Uint64()
		j, i := int32(u), u>>32&0x7F
		x := float64(float64(j) * float64(z.w[i]))
		switch {
		case uint32(max(j, -j)) < z.k[i]: // also for the smallest j, where -j is j
			return x
		case i == 0:
			for {
				x = float64(-math.Log(random.Float64()) * (1.0 / tail))
				if y := -math.Log(random.Float64()); y+y >= x*x {
					return math.Copysign(tail+x, float64(j))
				}
			}
		case z.f[i]+float32(float32(random.Float64())*(z.f[i-1]-z.f[i])) < float32(Exp(-.5*x*x)):
			return x
		}
	}
}

// Positive returns max(v, 0); by a branch in WebAssembly, where max is a call.
func Positive(v float64) float64 {
	if runtime.GOOS != "js" {
		return max(v, 0)
	}
	if v <= 0 {
		return 0
	}
	return v
}
