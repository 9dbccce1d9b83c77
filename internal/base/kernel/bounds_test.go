package kernel

import (
	"math/rand/v2"
	"testing"
)

// TestShortSlicesPanic checks that every exported function checks the length of each
// slice, since the assembly does not.
func TestShortSlicesPanic(t *testing.T) {
	const B, M, R = 3, 2, 5
	s := scratch(B, M, R)
	words := make([]uint64, B*MaskWords(R))
	for _, c := range []struct {
		name  string
		sizes []int
		call  func(v [][]float64)
	}{
		{"Exp", []int{R}, func(v [][]float64) { Exp(v[0], make([]float64, R)) }},
		{"Log", []int{R}, func(v [][]float64) { Log(v[0], make([]float64, R)) }},
		{"GaussianForward", []int{B * R, B * M, M * R, M * R}, func(v [][]float64) {
			GaussianForward(v[0], v[1], v[2], v[3], B, M, R, s)
		}},
		{"GaussianBackward", []int{M * R, M * R, B * R, B * M, M * R, M * R}, func(v [][]float64) {
			GaussianBackward(v[0], v[1], v[2], v[3], v[4], v[5], B, M, R, s)
		}},
		{"TrapezoidForward", []int{B * R, B * M, M * R, M * R, M * R, M * R}, func(v [][]float64) {
			TrapezoidForward(v[0], v[1], v[2], v[3], v[4], v[5], B, M, R, s)
		}},
		{"TrapezoidBackward", []int{M * R, M * R, M * R, M * R, B * R, B * M, M * R, M * R, M * R, M * R}, func(v [][]float64) {
			TrapezoidBackward(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], B, M, R, s)
		}},
		{"Consequents", []int{B * R, B * M, M * R, R}, func(v [][]float64) { Consequents(v[0], v[1], v[2], v[3], B, M, R) }},
		{"ConsequentsBackward", []int{M * R, R, B * R, B * M, M * R}, func(v [][]float64) {
			ConsequentsBackward(v[0], v[1], v[2], v[3], v[4], 0.05, B, M, R)
		}},
		{"Curves.Locate", []int{B * M}, func(v [][]float64) { testCurves(B, M).Locate(v[0]) }},
		{"Curves.Add, own", []int{B * R, 7 * R}, func(v [][]float64) { testCurves(B, M).Add(v[0], v[1], R, R) }},
		{"Curves.Add, shared", []int{B * R, 7}, func(v [][]float64) { testCurves(B, M).Add(v[0], v[1], R, 1) }},
		{"Curves.Backward, own", []int{7 * R, B * R}, func(v [][]float64) { testCurves(B, M).Backward(v[0], v[1], R, R) }},
		{"Curves.Backward, shared", []int{7, B * R}, func(v [][]float64) { testCurves(B, M).Backward(v[0], v[1], R, 1) }},
		{"Log1p", []int{R}, func(v [][]float64) { Log1p(v[0], make([]float64, R)) }},
		{"Expm1", []int{R}, func(v [][]float64) { Expm1(v[0], make([]float64, R)) }},
		{"GaussianColumn", []int{B, B * M, 2 * M}, func(v [][]float64) { GaussianColumn(v[0], v[1], v[2], B, M) }},
		{"TrapezoidColumn", []int{B, B * M, 6 * M}, func(v [][]float64) { TrapezoidColumn(v[0], v[1], v[2], B, M) }},
		{"ConsequentColumn", []int{B, B * M, M + 1}, func(v [][]float64) { ConsequentColumn(v[0], v[1], v[2], B, M) }},
		{"ShiftColumns", []int{B * R}, func(v [][]float64) { ShiftColumns(v[0], B, R) }},
		{"NormaliseColumns", []int{B, B * R}, func(v [][]float64) { NormaliseColumns(v[0], v[1], 0, B, R) }},
		{"AddWeighted", []int{B, B}, func(v [][]float64) { AddWeighted(make([]float64, B), v[0], v[1]) }},
		{"Shrink", []int{M * R}, func(v [][]float64) { Shrink(v[0], make([]float64, M*R), 1, 1, R) }},
		{"ExpRows", []int{B * R, B * R, B * R}, func(v [][]float64) { ExpRows(v[0], v[1], v[2], B, R) }},
		{"DropRows", []int{B * R, B * R, B * R, B * R}, func(v [][]float64) { DropRows(v[0], v[1], v[2], v[3], 0, B, R) }},
		{"Normalise", []int{B, B, B, B * R, B * R}, func(v [][]float64) { Normalise(v[0], v[1], v[2], v[3], v[4], 0, B, R) }},
		{"NormaliseBackward", []int{B * R, B * R, B * R, B * R, B * R, B, B, B}, func(v [][]float64) {
			NormaliseBackward(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], B, R)
		}},
		{"Ambiguity", []int{B, B, B * R, B * R, B, B}, func(v [][]float64) { Ambiguity(v[0], v[1], v[2], v[3], v[4], v[5], B, R) }},
		{"AmbiguityBackward", []int{B * R, B * R, B * R, B * R, B * R, B, B, B, B, B}, func(v [][]float64) {
			AmbiguityBackward(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], 0.3, B, R)
		}},
		{"AdaBound", []int{R, R, R}, func(v [][]float64) { AdaBound(make([]float64, R), v[0], v[1], v[2], AdaBoundStep{}) }},
		{"ExpandMask", []int{B * R}, func(v [][]float64) { ExpandMask(v[0], words, 1, B, R) }},
	} {
		panics := func(short int) (yes bool) {
			defer func() { yes = recover() != nil }()
			v := make([][]float64, len(c.sizes))
			for i, n := range c.sizes {
				if i == short {
					n--
				}
				v[i] = make([]float64, n)
			}
			c.call(v)
			return
		}
		if panics(-1) {
			t.Errorf("%s panics on slices that are long enough", c.name)
		}
		for i := range c.sizes {
			if !panics(i) {
				t.Errorf("%s: no panic for a short slice %d", c.name, i)
			}
		}
	}
	for name, call := range map[string]func(){
		"short words": func() { ExpandMask(make([]float64, B*R), words[1:], 1, B, R) },
		"no samples":  func() { ExpRows(nil, nil, nil, 0, R) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

// implementations are those that this machine can run.
var implementations = func() []*implementation {
	if use == &plain {
		return []*implementation{&plain}
	}
	return []*implementation{&plain, use}
}()

// onImplementations runs a test with each implementation in use.
func onImplementations(t *testing.T, test func(t *testing.T, i *implementation)) {
	defer func(before *implementation) { use = before }(use)
	for _, use = range implementations {
		t.Run(use.name, func(t *testing.T) { test(t, use) })
	}
}

// BenchmarkExp measures Exp of 2048 numbers, the firing levels of 64 samples and 32 rules.
func BenchmarkExp(b *testing.B) {
	benchmarkCells(b, func(i *implementation) func(dst, x []float64) { return i.exp })
}

func BenchmarkLog(b *testing.B) {
	benchmarkCells(b, func(i *implementation) func(dst, x []float64) { return i.log })
}

func benchmarkCells(b *testing.B, of func(*implementation) func(dst, x []float64)) {
	x := positive(rand.New(rand.NewPCG(1, 2)), 2048)
	dst := make([]float64, len(x))
	for _, i := range implementations {
		b.Run(i.name, func(b *testing.B) {
			for b.Loop() {
				of(i)(dst, x)
			}
		})
	}
}

func BenchmarkExpRows(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const B, R = 64, 32
	z, mask, f := normal(rng, B*R), half(rng, B*R), make([]float64, B*R)
	for _, i := range implementations {
		b.Run(i.name, func(b *testing.B) {
			for b.Loop() {
				i.expRows(f, z, mask, B, R)
			}
		})
	}
}
