package kernel

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestShortSlicesPanic checks that every exported function checks the length of each
// slice, since the assembly does not.
func TestShortSlicesPanic(t *testing.T) {
	const B, M, R = 3, 2, 5
	s := scratch(B, M, R)
	words := make([]uint64, B*MaskWords(R))
	curves, free := testCurves(B, M), make([]float64, M*R)
	for _, c := range []struct {
		name   string
		kernel any
		sizes  []int // of the slices that come first
		others []any
	}{
		{"Exp", Exp, []int{M * R}, []any{free}},
		{"Log", Log, []int{M * R}, []any{free}},
		{"GaussianForward", GaussianForward, []int{B * R, B * M, M * R, M * R}, []any{B, M, R, s}},
		{"GaussianBackward", GaussianBackward, []int{M * R, M * R, B * R, B * M, M * R, M * R}, []any{B, M, R, s}},
		{"TrapezoidForward", TrapezoidForward, []int{B * R, B * M, M * R, M * R, M * R, M * R}, []any{B, M, R, s}},
		{"TrapezoidBackward", TrapezoidBackward, []int{M * R, M * R, M * R, M * R, B * R, B * M, M * R, M * R, M * R, M * R}, []any{B, M, R, s}},
		{"Consequents", Consequents, []int{B * R, B * M, M * R, R}, []any{B, M, R}},
		{"ConsequentsBackward", ConsequentsBackward, []int{M * R, R, B * R, B * M, M * R}, []any{0.05, B, M, R}},
		{"Curves.Locate", curves.Locate, []int{B * M}, nil},
		{"Curves.Add, own", curves.Add, []int{B * R, 7 * R}, []any{R, R}},
		{"Curves.Add, shared", curves.Add, []int{B * R, 7}, []any{R, 1}},
		{"Curves.Backward, own", curves.Backward, []int{7 * R, B * R}, []any{R, R}},
		{"Curves.Backward, shared", curves.Backward, []int{7, B * R}, []any{R, 1}},
		{"Log1p", Log1p, []int{M * R}, []any{free}},
		{"Expm1", Expm1, []int{M * R}, []any{free}},
		{"GaussianColumn", GaussianColumn, []int{B, B * M, 2 * M}, []any{B, M}},
		{"TrapezoidColumn", TrapezoidColumn, []int{B, B * M, 6 * M}, []any{B, M}},
		{"ConsequentColumn", ConsequentColumn, []int{B, B * M, M + 1}, []any{B, M}},
		{"ShiftColumns", ShiftColumns, []int{B * R}, []any{B, R}},
		{"NormaliseColumns", NormaliseColumns, []int{B, B * R}, []any{0.0, B, R}},
		{"AddWeighted", func(levels, outputs, sum []float64) { AddWeighted(sum, levels, outputs) }, []int{M * R, M * R}, []any{free}},
		{"Shrink", Shrink, []int{M * R}, []any{free, 1.0, 1.0, R}},
		{"ExpRows", ExpRows, []int{B * R, B * R, B * R}, []any{B, R}},
		{"DropRows", DropRows, []int{B * R, B * R, B * R, B * R}, []any{0.0, B, R}},
		{"Normalise", Normalise, []int{B, B, B, B * R, B * R}, []any{0.0, B, R}},
		{"NormaliseBackward", NormaliseBackward, []int{B * R, B * R, B * R, B * R, B * R, B, B, B}, []any{B, R}},
		{"Ambiguity", Ambiguity, []int{B, B, B * R, B * R, B, B}, []any{B, R}},
		{"AmbiguityBackward", AmbiguityBackward, []int{B * R, B * R, B * R, B * R, B * R, B, B, B, B, B}, []any{0.3, B, R}},
		{"AdaBound", func(grad, m, v, value []float64) { AdaBound(value, grad, m, v, AdaBoundStep{}) }, []int{M * R, M * R, M * R}, []any{free}},
		{"ExpandMask", ExpandMask, []int{B * R}, []any{words, uint64(1), B, R}},
	} {
		panics := func(short int) (yes bool) {
			defer func() { yes = recover() != nil }()
			var in []reflect.Value
			for i, n := range c.sizes {
				if i == short {
					n--
				}
				in = append(in, reflect.ValueOf(make([]float64, n)))
			}
			for _, v := range c.others {
				in = append(in, reflect.ValueOf(v))
			}
			reflect.ValueOf(c.kernel).Call(in)
			return false
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
