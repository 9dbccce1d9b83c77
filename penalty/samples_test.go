package penalty_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/penalty"
)

// batch returns test samples; the third is not covered.
func batch() penalty.Samples {
	s := penalty.Samples{
		R: R, Levels: slices.Clone(matrices[penalty.OnLevels]), Weight: []float64{1, 0.5, 0, 2},
		Outputs: []float64{0.3, -1.2, 2.5, 0.7, 0.6, -0.4, 1, 2, 3, 5, 5.5, 5.25},
	}
	for n := range s.Weight {
		y := 0.0
		for i := n * R; i < (n+1)*R; i++ {
			y += s.Levels[i] * s.Outputs[i]
		}
		s.Prediction = append(s.Prediction, y)
	}
	return s
}

// samplesFaults returns the violations of the contract by a penalty of samples.
func samplesFaults(p penalty.OfSamples) (found []string) {
	s := batch()
	byLevels, byOutputs := make([]float64, len(s.Levels)), make([]float64, len(s.Levels))
	p.Gradient(byLevels, byOutputs, s)
	value := func() float64 { return p.Value(s) }
	for _, fault := range gradientFaults(value, s.Levels, byLevels) {
		found = append(found, "levels: "+fault)
	}
	for _, fault := range gradientFaults(value, s.Outputs, byOutputs) {
		found = append(found, "outputs: "+fault)
	}
	if k, ok := p.(penalty.SamplesKernel); ok {
		found = append(found, samplesKernelFaults(k, s, p.Value(s), byLevels, byOutputs)...)
	}
	if _, mutant := p.Mutant(); mutant == nil {
		found = append(found, "no mutant")
	}
	return found
}

// samplesKernelFaults compares a kernel with the value and the gradient.
func samplesKernelFaults(k penalty.SamplesKernel, s penalty.Samples, value float64, byLevels, byOutputs []float64) (found []string) {
	B := len(s.Weight)
	memory, factor, scale := make([]float64, 2*B), slices.Clone(s.Levels), []float64{0.5, 1, 2, 3}
	if got := k.Forward(memory, s); math.Abs(got-value) > 1e-14*(1+value) {
		found = append(found, fmt.Sprintf("kernel %v, value %v", got, value))
	}
	firing, out := slices.Repeat([]float64{0.25}, B*R), slices.Repeat([]float64{-0.5}, B*R)
	k.Backward(firing, out, memory, factor, scale, s)
	for i := range firing {
		n, mean := i/R, 0.0
		for j := n * R; j < (n+1)*R; j++ {
			mean += s.Levels[j] * byLevels[j]
		}
		if want := 0.25 + scale[n]*factor[i]*(byLevels[i]-mean); math.Abs(firing[i]-want) > 1e-14 {
			found = append(found, fmt.Sprintf("kernel: gradient by firing level [%d] %v, want %v", i, firing[i], want))
		}
		if want := byOutputs[i] - 0.5; math.Abs(out[i]-want) > 1e-14 {
			found = append(found, fmt.Sprintf("kernel: gradient by output [%d] %v, want %v", i, out[i], want))
		}
	}
	both := func() {
		k.Forward(memory, s)
		k.Backward(firing, out, memory, factor, scale, s)
	}
	if n := testing.AllocsPerRun(5, both); n != 0 {
		found = append(found, fmt.Sprintf("kernel: %v allocations", n))
	}
	return found
}

// wrongSamples is a penalty of samples with one fault.
type wrongSamples struct {
	penalty.Agreement
	value, byLevels, byOutputs, forward, backward float64 // factors
	allocates                                     bool
}

func (w wrongSamples) Value(s penalty.Samples) float64 { return w.value * w.Agreement.Value(s) }

func (w wrongSamples) Gradient(byLevels, byOutputs []float64, s penalty.Samples) {
	w.Agreement.Gradient(byLevels, byOutputs, s)
	for i := range byLevels {
		byLevels[i] *= w.byLevels
		byOutputs[i] *= w.byOutputs
	}
}

func (w wrongSamples) Forward(memory []float64, s penalty.Samples) float64 {
	if w.allocates {
		s.Outputs = slices.Clone(s.Outputs)
	}
	return w.forward * w.Agreement.Forward(memory, s)
}

func (w wrongSamples) Backward(byFiring, byOutputs, memory, factor, scale []float64, s penalty.Samples) {
	w.Alpha *= w.backward
	w.Agreement.Backward(byFiring, byOutputs, memory, factor, scale, s)
}

// TestConformanceCatchesSamples checks that TestConformance finds each kind of violation by
// a penalty of samples.
func TestConformanceCatchesSamples(t *testing.T) {
	a := penalty.Agreement{Alpha: 0.3}
	if found := faults(wrongSamples{a, 1, 1, 1, 1, 1, false}); len(found) > 0 {
		t.Errorf("no fault: %q", found)
	}
	for want, w := range map[string]wrongSamples{
		"value -":                     {a, -1, -1, -1, -1, -1, false},
		"levels: gradient [0]":        {a, 1, 2, 1, 1, 1, false},
		"outputs: gradient [0]":       {a, 1, 1, 2, 1, 1, false},
		"kernel 0":                    {a, 1, 1, 1, 2, 1, false},
		"kernel: gradient by firing":  {a, 1, 1, 1, 1, 2, false},
		"kernel: gradient by output ": {a, 1, 1, 1, 1, 2, false},
		"allocations":                 {a, 1, 1, 1, 1, 1, true},
	} {
		if found := strings.Join(faults(w), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: found only %q", want, found)
		}
	}
}

// TestAgreementByHand checks values computed by hand. Outputs 1 and 5 at levels 3/4 and
// 1/4 predict 2 and disagree by D = 3/4 1 + 1/4 9 = 3; with the target 4, the squared
// errors of the rules, 3/4 9 + 1/4 1 = 7, are that of the prediction plus D.
func TestAgreementByHand(t *testing.T) {
	s := penalty.Samples{R: 2, Levels: []float64{0.75, 0.25, 1, 0}, Outputs: []float64{1, 5, 3, 100}, Prediction: []float64{2, 3}, Weight: []float64{0.5, 7}}
	if got := (penalty.Agreement{Alpha: 0.2}).Value(s); math.Abs(got-0.5*0.1*3) > 1e-15 {
		t.Errorf("%v, want 0.15", got)
	}
	if got := (penalty.Agreement{Alpha: 1}).Value(s); math.Abs(2*got/0.5-(7-4)) > 1e-15 {
		t.Errorf("D is %v, want 7 - 4", 2*got/0.5)
	}
}
