package penalty_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/penalty"
)

// matrices are test values of v; rows of levels sum to one or are zero.
var matrices = map[penalty.Part][]float64{
	penalty.OnSlopes: {0.3, -1.2, 2.5, 0.7, 0.6, -0.4},
	penalty.OnLevels: {0.2, 0.7, 0.1, 0.5, 0.25, 0.25, 0, 0, 0, 0.1, 0.1, 0.8},
}

const R = 3

// TestConformance checks every registered penalty against the contracts of
// [penalty.OfMatrix], [penalty.OfSamples] and their kernels. Package verify checks its
// expression.
func TestConformance(t *testing.T) {
	for _, p := range penalty.All() {
		for _, fault := range faults(p) {
			t.Errorf("%s: %s", p.Name(), fault)
		}
	}
}

// faults returns the violations of the contract by a penalty.
func faults(p penalty.Penalty) (found []string) {
	switch p := p.(type) {
	case penalty.OfMatrix:
		v := matrices[p.Of()]
		value, gradient := p.Value(v, R), make([]float64, len(v))
		p.Gradient(gradient, v, R)
		found = gradientFaults(func() float64 { return p.Value(v, R) }, v, gradient)
		if k, ok := p.(penalty.Kernel); ok {
			found = append(found, kernelFaults(k, v, value, gradient)...)
		}
	case penalty.OfSamples:
		found = samplesFaults(p)
	default:
		return []string{"neither of a matrix nor of samples"}
	}
	if !(p.Weight() > 0) {
		found = append(found, fmt.Sprintf("weight %v", p.Weight()))
	}
	return found
}

// gradientFaults compares a gradient by v with differences of the value.
func gradientFaults(value func() float64, v, gradient []float64) (found []string) {
	if !(value() >= 0) {
		found = append(found, fmt.Sprintf("value %v", value()))
	}
	const h = 1e-5
	for i, g := range gradient {
		at := v[i]
		if at == 0 {
			continue // at the end of its domain
		}
		v[i] = at + h
		up := value()
		v[i] = at - h
		slope := (up - value()) / (2 * h)
		if v[i] = at; math.Abs(g-slope) > 1e-7*(1+math.Abs(slope)) {
			found = append(found, fmt.Sprintf("gradient [%d] %v, by a difference %v", i, g, slope))
		}
	}
	return found
}

// kernelFaults compares a kernel with the value and the gradient.
func kernelFaults(k penalty.Kernel, v []float64, value float64, gradient []float64) (found []string) {
	before := slices.Clone(v)
	got, factor, direction := k.Kernel(make([]float64, len(v)), v, R)
	if math.Abs(got-value) > 1e-14*(1+value) || !slices.Equal(v, before) {
		found = append(found, fmt.Sprintf("kernel %v, value %v; of %v", got, value, v))
	}
	if n := len(direction); n != len(v) && n != R {
		return append(found, fmt.Sprintf("kernel: direction of %d elements", n))
	}
	for i, g := range gradient {
		if d := factor * direction[i%len(direction)]; math.Abs(d-g) > 1e-14 {
			found = append(found, fmt.Sprintf("kernel: gradient [%d] %v, want %v", i, d, g))
		}
	}
	if n := testing.AllocsPerRun(5, func() { k.Kernel(gradient, v, R) }); n != 0 {
		found = append(found, fmt.Sprintf("kernel: %v allocations", n))
	}
	return found
}

// wrong is a penalty with one fault.
type wrong struct {
	penalty.Uniform
	value, gradient, kernel float64 // factors
	allocates               bool
}

func (w wrong) Value(v []float64, R int) float64 { return w.value * w.Uniform.Value(v, R) }

func (w wrong) Gradient(dst, v []float64, R int) {
	w.Uniform.Gradient(dst, v, R)
	for i := range dst {
		dst[i] *= w.gradient
	}
}

func (w wrong) Kernel(memory, v []float64, R int) (value, factor float64, direction []float64) {
	if w.allocates {
		memory = slices.Clone(memory)
	}
	value, factor, direction = w.Uniform.Kernel(memory, v, R)
	return value, w.kernel * factor, direction
}

// TestConformanceCatches checks that TestConformance finds each kind of violation.
func TestConformanceCatches(t *testing.T) {
	u := penalty.Uniform{Lambda: 0.3}
	if found := faults(wrong{u, 1, 1, 1, false}); len(found) > 0 {
		t.Errorf("no fault: %q", found)
	}
	if found := faults(struct{ penalty.Penalty }{u}); len(found) == 0 {
		t.Error("a penalty of nothing has no fault")
	}
	for want, w := range map[string]wrong{
		"value -":          {u, -1, -1, -1, false},
		"gradient [1]":     {u, 1, 2, 2, false},
		"kernel: gradient": {u, 1, 1, 2, false},
		"kernel 0":         {u, 2, 2, 2, false},
		"allocations":      {u, 1, 1, 1, true},
	} {
		if found := strings.Join(faults(w), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: found only %q", want, found)
		}
	}
}

// TestByHand checks values computed by hand: slopes 2 and 4 of one feature have the penalty
// 0.1/2 (4 + 16), or to their mean, 3, 0.1/2 (1 + 1). Mean firing levels 3/4 and 1/4 have
// the penalty 0.5 2 (1/16 + 1/16).
func TestByHand(t *testing.T) {
	slopes, levels := []float64{2, 4}, []float64{1, 0, 0.5, 0.5}
	for _, c := range []struct {
		penalty penalty.OfMatrix
		v       []float64
		want    float64
	}{
		{penalty.Slopes{}, slopes, 0}, {penalty.Slopes{Lambda: 0.1}, slopes, 1},
		{penalty.Slopes{Lambda: 0.1, ToMean: true}, slopes, 0.1}, {penalty.Uniform{Lambda: 0.5}, levels, 0.125},
	} {
		if got := c.penalty.Value(c.v, 2); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%+v: %v, want %v", c.penalty, got, c.want)
		}
	}
}

// TestOf checks that Of omits penalties of other parts and of weight zero.
func TestOf(t *testing.T) {
	mean := penalty.Slopes{Lambda: 1, ToMean: true}
	all := []penalty.Penalty{penalty.Slopes{}, penalty.Uniform{Lambda: 1}, mean, penalty.Uniform{}}
	if got := penalty.Of(penalty.OnSlopes, all); len(got) != 1 || got[0] != penalty.OfMatrix(mean) {
		t.Errorf("of slopes: %+v", got)
	}
	if got := penalty.Of(penalty.OnLevels, all[2:]); got != nil {
		t.Errorf("of levels: %+v", got)
	}
	agreement := penalty.Agreement{Alpha: 1}
	if got := penalty.OnSamples(append(all, agreement, penalty.Agreement{})); len(got) != 1 || got[0] != penalty.OfSamples(agreement) {
		t.Errorf("of samples: %+v", got)
	}
}
